/** carries = body(t, carries, invariants), n times  ⇒  the loop of JVP body on carries and their tangents. */
import type { Named, Program, Value } from '../../0-ir/program.ts';
import { ProgramBuilder } from '../../0-ir/builder.ts';
import { inlineProgram } from '../../0-ir/walk.ts';
import { zerosLike } from '../layout.ts';
import type { JvpRule, Recursion } from '../rule.ts';

// Operands: initial, invariants.
export const loop: JvpRule<'loop'> = (b, construct, tangents, recursion) => {
  const { initial, invariants, body } = construct;
  const carries = initial.length;
  const initialTangents = tangents.slice(0, carries);
  const invariantTangents = tangents.slice(carries);
  const still = invariantTangents.map((tangent) => tangent !== undefined);
  const moving = movingCarries(
    body,
    initialTangents.map((tangent) => tangent !== undefined),
    still,
    recursion,
  );
  const all = b.emit({
    ...construct,
    body: dualBody(body, carries, moving, still, recursion),
    initial: [...initial, ...moving.flatMap((m, i) => (m ? [initialTangents[i] ?? zerosLike(b, initial[i]!)] : []))],
    invariants: [...invariants, ...invariantTangents.filter((tangent) => tangent !== undefined)],
  });
  let next = carries;
  return { results: all.slice(0, carries), tangents: moving.map((m) => (m ? all[next++] : undefined)) };
};

function movingCarries(
  body: Program,
  moves: readonly boolean[],
  others: readonly boolean[],
  recursion: Pick<Recursion, 'jvp'>,
): boolean[] {
  let moving = [...moves];
  for (;;) {
    const { active } = recursion.jvp(body, [false, ...moving, ...others]);
    const next = moving.map((m, i) => m || Boolean(active[i]));
    if (next.every((m, i) => m === moving[i])) return moving;
    moving = next;
  }
}

/** (t, c, ċ, v, v̇) ↦ (c′, ċ′), around the program on (t, c, v, ċ, v̇). */
function dualBody(
  body: Program,
  carries: number,
  moving: readonly boolean[],
  others: readonly boolean[],
  recursion: Pick<Recursion, 'jvp'>,
): Program {
  const pushed = recursion.jvp(body, [false, ...moving, ...others]);
  const b = new ProgramBuilder();
  const parameter = ({ name, value }: Named): Value => b.parameter(name, value.type);
  const [t, ...rest] = body.parameters;
  const index = parameter(t!);
  const c = rest.slice(0, carries).map(parameter);
  const dc = c.filter((_, i) => moving[i]).map((value, i) => b.parameter(`tangent ${i}`, value.type));
  const v = rest.slice(carries).map(parameter);
  const dv = v.filter((_, i) => others[i]).map((value, i) => b.parameter(`invariant tangent ${i}`, value.type));
  const out = inlineProgram(b, pushed.program, [index, ...c, ...v, ...dc, ...dv]);
  let next = carries;
  const tangents = pushed.active.map((active) => (active ? out[next++] : undefined));
  const results = [
    ...out.slice(0, carries),
    ...moving.flatMap((m, i) => (m ? [tangents[i] ?? zerosLike(b, c[i]!)] : [])),
  ];
  return b.finish(results.map((value, i) => ({ name: `carry ${i}`, value })));
}
