/**
 * cₜ₊₁ = body(t, cₜ, v), n times  ⇒  (c̄ₜ, v̄ₜ) = VJP body (t, cₜ, v; c̄ₜ₊₁), v̄ = Σ v̄ₜ: a loop the other way round over the
 * kept trajectory of carries, that adds up the adjoints of the invariants as it goes.
 */
import { ProgramBuilder } from '../../0-ir/builder.ts';
import type { LoopConstruct, Program, Value } from '../../0-ir/program.ts';
import type { Size } from '../../0-ir/sizes.ts';
import { arrayType } from '../../0-ir/types.ts';
import { inlineProgram } from '../../0-ir/walk.ts';
import { carries as isReal, contributors, dependents } from '../activity.ts';
import { zerosLike } from '../layout.ts';
import type { Recursion, VjpRule } from '../rule.ts';

export const loop: VjpRule<'loop'> = {
  name: 'loop',
  construct: 'loop',
  example: `program (%0 c: real[2, m], %1 w: real[2, 2]) {
  %2: real[2, m] = loop [n] program (%0 t: int, %1 c: real[2, m], %2 w: real[2, 2]) {
    %3: real[2, m] = matmul (%2, %1)
    %4: real[2, m] = map[2, m] (x0: real) { x1 = sin(x0); yield x1 } (%3)
    yield c = %4
  } initial (%0) invariants (%1)
  yield c = %2
}`,
  matches: () => true,
  // What each step costs is its body's affair; the trajectory is written and read once.
  cost: ({ initial }) => ({ traffic: 2 * initial.length, operations: 0, passes: 2 }),
  primal(b, construct) {
    const { initial, count } = construct;
    const rows = initial.map(({ type }) => b.zeros(arrayType(type.element, [count, ...type.shape])));
    const all = b.emit({ ...construct, body: keepingCarries(construct, rows), initial: [...initial, ...rows] });
    return { results: all.slice(0, initial.length), saved: all.slice(initial.length) };
  },
  // Operands: initial, invariants.
  cotangents(b, construct, { results, saved = [] }, cotangents, wanted, recursion) {
    const { initial, invariants, count } = construct;
    const seeded = cotangents.map((cotangent) => cotangent !== undefined);
    const active = activeCarries(construct.body, seeded, wanted);
    const summed = wanted.slice(initial.length);
    const lambdas = initial.flatMap((_, i) => (active[i] ? [cotangents[i] ?? zerosLike(b, results[i]!)] : []));
    const totals = invariants.filter((_, i) => summed[i]).map((value) => zerosLike(b, value));
    const steps = [b.iota(count), ...saved].map((trajectory) => b.reverse(trajectory, 0));
    const backward = b.emit({
      kind: 'loop',
      count,
      body: backwardBody(construct, steps, active, summed, recursion),
      initial: [...lambdas, ...totals],
      invariants: [...steps, ...invariants],
    });
    let next = 0;
    return [...active, ...summed].map((present) => (present ? backward[next++] : undefined));
  },
};

/** (t, c, trajectories, v) ↦ (c′, trajectories with row t set to c). */
function keepingCarries({ body, initial }: LoopConstruct, rows: readonly Value[]): Program {
  const b = new ProgramBuilder();
  const [t, ...rest] = body.parameters.map(({ name, value }) => ({ name, type: value.type }));
  const parameter = ({ name, type }: { name: string; type: Value['type'] }): Value => b.parameter(name, type);
  const index = parameter(t!);
  const c = rest.slice(0, initial.length).map(parameter);
  const kept = rows.map(({ type }, i) => b.parameter(`trajectory ${i}`, type));
  const v = rest.slice(initial.length).map(parameter);
  const after = inlineProgram(b, body, [index, ...c, ...v]);
  const row = b.reshape(index, [1]);
  const extended = kept.map((trajectory, i) => {
    const carry = c[i]!;
    return b.scatter(trajectory, row, b.reshape(carry, [1, ...carry.type.shape]));
  });
  return b.finish([...after, ...extended].map((value, i) => ({ name: `carry ${i}`, value })));
}

/**
 * Carries through which an adjoint flows in some step: a seeded result depends on them, and they on what is wanted.
 * All others would only bring ∞·0.
 */
function activeCarries(body: Program, seeded: readonly boolean[], wanted: readonly boolean[]): boolean[] {
  const parameters = body.parameters.slice(1).map(({ value }) => value);
  const results = body.results.map(({ value }) => value);
  const reached = closure(seeded, (flags) => {
    const found = contributors(body, idsOf(results, flags));
    return results.map((_, i) => found.has(parameters[i]!.id));
  });
  const moved = closure(wanted, (flags) => {
    const found = dependents(body, idsOf(parameters, flags));
    return wanted.map((_, i) => i < results.length && found.has(results[i]!.id));
  });
  return results.map((value, i) => isReal(value) && Boolean(reached[i] && moved[i]));
}

/** The flags and all that they imply in any number of steps. */
function closure(flags: readonly boolean[], step: (flags: readonly boolean[]) => readonly boolean[]): boolean[] {
  let closed = [...flags];
  for (;;) {
    const implied = step(closed);
    const next = closed.map((flag, i) => flag || Boolean(implied[i]));
    if (next.every((flag, i) => flag === closed[i])) return closed;
    closed = next;
  }
}

const idsOf = (values: readonly Value[], flags: readonly boolean[]): number[] =>
  values.filter((_, i) => flags[i]).map(({ id }) => id);

/** (s, c̄, running totals of v̄, reversed t and c, v) ↦ (c̄ one step earlier, totals + v̄ₜ), t = n - 1 - s. */
function backwardBody(
  { body, invariants, initial }: LoopConstruct,
  steps: readonly Value[],
  active: readonly boolean[],
  summed: readonly boolean[],
  recursion: Pick<Recursion, 'vjp'>,
): Program {
  const pulled = recursion.vjp(body, active, [false, ...active, ...summed]);
  const b = new ProgramBuilder();
  const like = (name: string, values: readonly Value[]): Value[] =>
    values.map(({ type }, i) => b.parameter(`${name} ${i}`, type));
  const row = b.reshape(b.parameter('step', arrayType('int')), [1]);
  const lambdas = like(
    'adjoint',
    initial.filter((_, i) => active[i]),
  );
  const totals = like(
    'total',
    invariants.filter((_, i) => summed[i]),
  );
  const trajectories = like('trajectory', steps);
  const v = like('invariant', invariants);
  const before = trajectories.map((trajectory) => {
    const [, ...shape] = trajectory.type.shape as readonly [Size, ...Size[]];
    return b.reshape(b.gather(trajectory, row, 'zero'), shape);
  });
  const adjoints = inlineProgram(b, pulled, [...before, ...v, ...lambdas]).slice(initial.length);
  const carried = adjoints.slice(0, lambdas.length);
  const added = totals.map((total, i) => b.apply('add', total, adjoints[lambdas.length + i]!));
  return b.finish([...carried, ...added].map((value, i) => ({ name: `carry ${i}`, value })));
}
