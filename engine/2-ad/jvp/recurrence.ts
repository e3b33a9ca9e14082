/** (cₜ, oₜ) = step(cₜ₋₁, uₜ, v)  ⇒  the recurrence of JVP step on (c, ċ), (u, u̇), (v, v̇). */
import type { RecurrenceConstruct, Value } from '../../0-ir/program.ts';
import { realLiteral, type ScalarFunction, type ScalarOperand } from '../../0-ir/scalar.ts';
import { scalarFunction } from '../../0-ir/scalar-builder.ts';
import type { JvpRule } from '../rule.ts';
import { jvpFunction } from '../scalar/jvp-function.ts';

// Operands: initial, inputs, invariants.
export const recurrence: JvpRule<'recurrence'> = (b, construct, tangents) => {
  const { initial, inputs, invariants } = construct;
  const carries = initial.length;
  const initialTangents = tangents.slice(0, carries);
  const inputTangents = tangents.slice(carries, carries + inputs.length);
  const invariantTangents = tangents.slice(carries + inputs.length);
  const others = [...inputTangents, ...invariantTangents].map((tangent) => tangent !== undefined);
  const moving = movingCarries(
    construct,
    initialTangents.map((tangent) => tangent !== undefined),
    others,
  );
  const pushed = jvpFunction(construct.step, [...moving, ...others]);
  const present = (values: typeof tangents): Value[] => values.filter((value) => value !== undefined);

  const all = b.emit({
    ...construct,
    step: dualStep(construct, pushed.function, moving, others, pushed.active),
    initial: [...initial, ...moving.flatMap((m, i) => (m ? [initialTangents[i] ?? b.literal(0)] : []))],
    inputs: [...inputs, ...present(inputTangents)],
    invariants: [...invariants, ...present(invariantTangents)],
  });
  // Carries, their tangents, outputs, their tangents.
  const duals = moving.filter(Boolean).length;
  const outputs = pushed.active.length - carries;
  let carryTangent = carries;
  let outputTangent = carries + duals + outputs;
  return {
    results: [...all.slice(0, carries), ...all.slice(carries + duals, carries + duals + outputs)],
    tangents: [
      ...moving.map((m) => (m ? all[carryTangent++] : undefined)),
      ...pushed.active.slice(carries).map((active) => (active ? all[outputTangent++] : undefined)),
    ],
  };
};

/** The carries that move from some step on. */
function movingCarries(
  { step }: RecurrenceConstruct,
  moves: readonly boolean[],
  others: readonly boolean[],
): boolean[] {
  let moving = [...moves];
  for (;;) {
    const { active } = jvpFunction(step, [...moving, ...others]);
    const next = moving.map((m, i) => m || Boolean(active[i]));
    if (next.every((m, i) => m === moving[i])) return moving;
    moving = next;
  }
}

/** (c, ċ, u, u̇, v, v̇) ↦ (c′, ċ′, o, ȯ), from the function on (c, u, v, ċ, u̇, v̇). */
function dualStep(
  { step, initial, inputs }: RecurrenceConstruct,
  pushed: ScalarFunction,
  moving: readonly boolean[],
  others: readonly boolean[],
  active: readonly boolean[],
): ScalarFunction {
  const types = step.parameters.map((parameter) => parameter.type);
  const carryTypes = types.slice(0, initial.length);
  const inputTypes = types.slice(initial.length, initial.length + inputs.length);
  const invariantTypes = types.slice(initial.length + inputs.length);
  const reals = (flags: readonly boolean[]): 'real'[] => flags.filter(Boolean).map(() => 'real');
  const groups = [
    carryTypes,
    reals(moving),
    inputTypes,
    reals(others.slice(0, inputs.length)),
    invariantTypes,
    reals(others.slice(inputs.length)),
  ] as const;
  return scalarFunction(groups.flat(), (s, ...operands) => {
    let at = 0;
    const [c, dc, u, du, v, dv] = groups.map((group) => operands.slice(at, (at += group.length))) as [
      ScalarOperand[],
      ScalarOperand[],
      ScalarOperand[],
      ScalarOperand[],
      ScalarOperand[],
      ScalarOperand[],
    ];
    const out = s.inline(pushed, [...c, ...u, ...v, ...dc, ...du, ...dv]);
    const results = out.slice(0, active.length);
    let next = active.length;
    const tangents = active.map((moves) => (moves ? out[next++] : undefined));
    return [
      ...results.slice(0, c.length),
      ...moving.flatMap((m, i) => (m ? [tangents[i] ?? realLiteral(0)] : [])),
      ...results.slice(c.length),
      ...tangents.slice(c.length).filter((tangent) => tangent !== undefined),
    ];
  });
}
