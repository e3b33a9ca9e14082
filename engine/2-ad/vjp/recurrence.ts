/**
 * (cₜ, oₜ) = step(cₜ₋₁, uₜ, v)  ⇒  (c̄ₜ₋₁, ūₜ, v̄ₜ) = VJP^LAM step (cₜ₋₁, uₜ, v; c̄ₜ, ōₜ): a recurrence the other way round
 * over the kept trajectory of carries, that adds up the adjoints of the invariants as it goes.
 */
import type { RecurrenceConstruct, Value } from '../../0-ir/program.ts';
import type { ScalarFunction, ScalarOperand } from '../../0-ir/scalar.ts';
import { scalarFunction } from '../../0-ir/scalar-builder.ts';
import { withoutAxis, type Shape } from '../../0-ir/types.ts';
import { workOf } from '../../1-optimize/work.ts';
import { isReal } from '../activity.ts';
import { sumTo, zerosLike } from '../layout.ts';
import type { VjpRule } from '../rule.ts';
import { vjpFunction } from '../scalar/vjp-function.ts';

export const recurrence: VjpRule<'recurrence'> = {
  name: 'recurrence',
  construct: 'recurrence',
  example: `program (%0 c: real, %1 us: real[n], %2 k: real) {
  %3: real, %4: real[n] = recurrence[n] along 0
    (x0: real, x1: real, x2: real) { x3 = tanh(x0); x4 = x3 * x2; x5 = x4 + x1; yield x5, x5 }
    initial (%0) inputs (%1) invariants (%2)
  yield last = %3, cs = %4
}`,
  matches: () => true,
  cost: ({ step, initial, inputs, shape, axis }) => ({
    traffic: 3 * initial.length + 4 * inputs.length,
    operations: 4 * workOf(step),
    passes: 2,
    chain: (4 * workOf(step)) / widthBeside(shape, axis),
  }),
  // The primal also emits the carries that each step began with.
  primal(b, construct) {
    const { initial } = construct;
    const all = b.emit({ ...construct, step: keepingCarries(construct.step, initial.length) });
    const plain = all.length - initial.length;
    return { results: all.slice(0, plain), saved: all.slice(plain) };
  },
  // Operands: initial, inputs, invariants.
  cotangents(b, construct, { results, saved = [] }, cotangents) {
    const { initial, inputs, invariants, shape, axis, reverse } = construct;
    const carries = initial.length;
    const real = { carries: isReal(initial), inputs: isReal(inputs), invariants: isReal(invariants) };
    const seeded = results.map(
      (result, i) => result.type.element === 'real' && (i < carries || cotangents[i] !== undefined),
    );

    const lambdas = initial.flatMap((_, i) => (real.carries[i] ? [cotangents[i] ?? zerosLike(b, results[i]!)] : []));
    const totals = invariants.filter((_, i) => real.invariants[i]).map(() => b.literal(0));
    const outputCotangents = cotangents.slice(carries).filter((cotangent) => cotangent !== undefined);
    const backward = b.emit({
      kind: 'recurrence',
      step: backwardStep(construct, seeded, real),
      shape,
      axis,
      reverse: !reverse,
      initial: [...lambdas, ...totals],
      inputs: [...saved, ...inputs, ...outputCotangents],
      invariants,
    });

    let next = 0;
    const take = (values: readonly Value[], flags: readonly boolean[]): (Value | undefined)[] =>
      values.map((value, i) => (flags[i] ? sumTo(b, backward[next++]!, value.type.shape) : undefined));
    const initialAdjoints = take(initial, real.carries);
    const invariantAdjoints = take(invariants, real.invariants);
    return [...initialAdjoints, ...take(inputs, real.inputs), ...invariantAdjoints];
  },
};

/** How many recurrences run side by side; an axis whose size is not known counts as long. */
export function widthBeside(shape: Shape, axis: number): number {
  const sizes = withoutAxis(shape, axis).map((size) => (typeof size === 'number' ? size : 1024));
  return sizes.reduce((width, size) => width * Math.max(1, size), 1);
}

/** step with its incoming carries as further outputs. */
export function keepingCarries(step: ScalarFunction, carries: number): ScalarFunction {
  return scalarFunction(
    step.parameters.map((parameter) => parameter.type),
    (s, ...operands) => [...s.inline(step, operands), ...operands.slice(0, carries)],
  );
}

interface Differentiated {
  readonly carries: readonly boolean[];
  readonly inputs: readonly boolean[];
  readonly invariants: readonly boolean[];
}

/**
 * Carries: c̄ (real ones), running totals of v̄. Inputs: c, u, ō of the seeded outputs. Invariants: v.
 * Outputs: ū. Carries come first among the results.
 */
export function backwardStep(
  construct: RecurrenceConstruct,
  seeded: readonly boolean[],
  real: Differentiated,
): ScalarFunction {
  const { step, initial, inputs, invariants } = construct;
  const types = step.parameters.map((parameter) => parameter.type);
  const carryTypes = types.slice(0, initial.length);
  const inputTypes = types.slice(initial.length, initial.length + inputs.length);
  const invariantTypes = types.slice(initial.length + inputs.length);
  const lambdas = count(real.carries);
  const totals = count(real.invariants);
  const outputSeeds = count(seeded.slice(initial.length));
  const pull = vjpFunction(step, seeded, [...real.carries, ...real.inputs, ...real.invariants]);
  const reals = (n: number): 'real'[] => Array.from({ length: n }, () => 'real');
  return scalarFunction(
    [...reals(lambdas + totals), ...carryTypes, ...inputTypes, ...reals(outputSeeds), ...invariantTypes],
    (s, ...operands) => {
      let at = 0;
      const take = (n: number): ScalarOperand[] => operands.slice(at, (at += n));
      const lambda = take(lambdas);
      const total = take(totals);
      const carry = take(initial.length);
      const input = take(inputs.length);
      const outputCotangents = take(outputSeeds);
      const invariant = take(invariants.length);
      const adjoints = s.inline(pull, [...carry, ...input, ...invariant, ...lambda, ...outputCotangents]);
      const carried = adjoints.slice(0, lambdas);
      const inputAdjoints = adjoints.slice(lambdas, adjoints.length - totals);
      const added = total.map((sum, i) => s.apply('add', sum, adjoints[adjoints.length - totals + i]!));
      return [...carried, ...added, ...inputAdjoints];
    },
  );
}

const count = (flags: readonly boolean[]): number => flags.filter(Boolean).length;
