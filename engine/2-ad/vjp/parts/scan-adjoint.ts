/**
 * The general rule of scan (paper, figure "scan-gen"), for plain and segmented scans alike:
 *
 *     r̄ᵢ = ȳᵢ + (∂(rᵢ ⊙ aᵢ₊₁)/∂rᵢ)ᵀ · r̄ᵢ₊₁      a backward linear recurrence, solved by a scan with lin_o
 *     āᵢ = ∂(rᵢ₋₁ ⊙ aᵢ)/∂aᵢ · r̄ᵢ                   a map
 *
 * r are the inclusive prefixes. Where element i starts a segment (or the axis), āᵢ = r̄ᵢ and nothing flows further back.
 */
import type { ProgramBuilder } from '../../../0-ir/builder.ts';
import { combine, componentTypes, type Operator } from '../../../0-ir/operators.ts';
import type { Value } from '../../../0-ir/program.ts';
import { intLiteral, realLiteral, type ScalarFunction, type ScalarOperand } from '../../../0-ir/scalar.ts';
import { scalarFunction } from '../../../0-ir/scalar-builder.ts';
import type { Shape } from '../../../0-ir/types.ts';
import { indexAlong, shiftBackward, shiftForward, sumTo, zerosLike } from '../../layout.ts';
import type { Derivative } from '../../rule.ts';
import { guardedVjp } from '../../scalar/guarded-vjp.ts';
import { dependence } from '../../scalar/vjp-function.ts';
import { realComponents } from '../../structure.ts';

interface ForwardScan {
  readonly operator: Operator;
  readonly shape: Shape;
  readonly axis: number;
  readonly exclusive: boolean;
  /** Of the domain's full shape. */
  readonly inputs: readonly Value[];
  /** bool over the domain: where a segment starts. */
  readonly flags?: Value | undefined;
}

/** What the backward recurrence of a forward scan is solved from, all over the domain. */
export interface RecurrenceInputs {
  readonly operator: Operator;
  readonly axis: number;
  /** bool: the next element starts a segment, or is past the end. */
  readonly nextStarts: Value;
  readonly segmented: boolean;
  /** rᵢ, and aᵢ₊₁ (the neutral element past the end). */
  readonly prefixes: readonly Value[];
  readonly nextInputs: readonly Value[];
  /** ȳᵢ of the real components. */
  readonly seeds: readonly Value[];
}

/** Solves r̄ᵢ = ȳᵢ + (∂(rᵢ ⊙ aᵢ₊₁)/∂rᵢ)ᵀ · r̄ᵢ₊₁ for the real components: where the rules of scan differ. */
export type BackwardRecurrence = (b: ProgramBuilder, inputs: RecurrenceInputs) => Value[];

/** Adjoints of the inputs. A scan from the end is the same on reversed arrays. */
export function scanCotangents(
  b: ProgramBuilder,
  scan: ForwardScan & { readonly reverse: boolean },
  backward: BackwardRecurrence,
  results: readonly Value[],
  cotangents: readonly Derivative[],
): Derivative[] {
  const { shape, axis, reverse } = scan;
  const turn = <V extends Derivative>(value: V): V => (value && reverse ? b.reverse(value, axis) : value) as V;
  const whole = (value: Value): Value => turn(b.replicate(value, shape));
  const forward = { ...scan, inputs: scan.inputs.map(whole), flags: scan.flags && whole(scan.flags) };
  const adjoints = forwardScan(b, forward, backward, results.map(turn), cotangents.map(turn));
  return scan.inputs.map((input, i) => {
    const adjoint = turn(adjoints[i]);
    return adjoint && sumTo(b, adjoint, input.type.shape);
  });
}

/** Adjoints of the inputs over the domain; undefined for int and bool components. */
function forwardScan(
  b: ProgramBuilder,
  scan: ForwardScan,
  backward: BackwardRecurrence,
  results: readonly Value[],
  cotangents: readonly Derivative[],
): Derivative[] {
  const { operator, shape, axis, inputs } = scan;
  const types = componentTypes(operator);
  const real = realComponents(operator);
  const starts = segmentStarts(b, scan);

  const prefixes = scan.exclusive ? inclusive(b, scan, starts, results) : results;
  const previous = scan.exclusive ? results : prefixes.map((prefix) => shiftForward(b, prefix, axis, 0));
  const seeds = real.map((i) => {
    const cotangent = cotangents[i] ?? zerosLike(b, results[i]!);
    // An exclusive result i+1 is prefix i, unless a segment starts there: then it is the neutral element.
    if (!scan.exclusive) return cotangent;
    const kept = b.elementwise([starts, cotangent], (s, start, v) => unless(s, start, v));
    return shiftBackward(b, kept, axis, 0);
  });

  const nextStarts = scan.flags ? shiftBackward(b, starts, axis, 1) : endOfAxis(b, scan);
  const prefixAdjoints = backward(b, {
    operator,
    axis,
    nextStarts,
    segmented: scan.flags !== undefined,
    prefixes,
    nextInputs: inputs.map((input, i) => shiftBackward(b, input, axis, operator.neutral[i]!)),
    seeds,
  });

  const reached = reachedComponents(
    operator,
    cotangents.map((cotangent) => cotangent !== undefined),
  );
  const adjoints = b.map(
    elementFunction(operator, reached),
    [starts, ...previous, ...inputs, ...prefixAdjoints],
    shape,
  );
  return types.map((type, i) => (type === 'real' ? adjoints[real.indexOf(i)] : undefined));
}

function segmentStarts(b: ProgramBuilder, { shape, axis, flags }: ForwardScan): Value {
  const index = indexAlong(b, shape[axis]!, axis, shape.length);
  const first = b.elementwise([index], (s, i) => s.apply('eq', i, intLiteral(0)));
  const starts = flags ? b.apply('or', first, flags) : first;
  return b.replicate(starts, shape);
}

/** Whether an element is the axis's last: an index, which no kernel reads from memory. */
function endOfAxis(b: ProgramBuilder, { shape, axis }: ForwardScan): Value {
  const index = indexAlong(b, shape[axis]!, axis, shape.length);
  const last = b.elementwise([b.reverse(index, axis)], (s, i) => s.apply('eq', i, intLiteral(0)));
  return b.replicate(last, shape);
}

/** rᵢ from the exclusive results: the neutral element is left out, not combined. */
function inclusive(
  b: ProgramBuilder,
  { operator, shape, inputs }: ForwardScan,
  starts: Value,
  results: readonly Value[],
): Value[] {
  const types = componentTypes(operator);
  const step = scalarFunction(['bool', ...types, ...types], (s, start, ...operands) => {
    const before = operands.slice(0, types.length);
    const element = operands.slice(types.length);
    return s.branch(
      start,
      () => element,
      () => combine(s, operator, before, element),
    );
  });
  return b.map(step, [starts, ...results, ...inputs], shape);
}

/** Which components a seeded one depends on, in any number of steps: only their r̄ can differ from zero. */
export function reachedComponents(operator: Operator, seeded: readonly boolean[]): boolean[] {
  const left = dependence(operator.combine, seeded);
  const reached = seeded.map((flag, i) => flag || Boolean(left[i]));
  return reached.every((flag, i) => flag === seeded[i]) ? reached : reachedComponents(operator, reached);
}

/**
 * (starts, rᵢ₋₁…, aᵢ…, r̄ᵢ of the real components…) ↦ āᵢ of the real components: VJP^LAM of ⊙ by its right operand.
 * An exact zero in r̄ᵢ adds nothing: a prefix that has overflowed would make NaN of it.
 */
export function elementFunction(operator: Operator, reached: readonly boolean[]): ScalarFunction {
  const types = componentTypes(operator);
  const real = realComponents(operator);
  const wanted = types.map((type) => type === 'real');
  const pull = guardedVjp(operator.combine, reached, [...types.map(() => false), ...wanted]);
  const adjoints = real.map(() => 'real' as const);
  return scalarFunction(['bool', ...types, ...types, ...adjoints], (s, start, ...operands) => {
    const incoming = operands.slice(2 * types.length);
    const seeds = incoming.filter((_, i) => reached[real[i]!]);
    return s.branch(
      start,
      () => incoming,
      () => s.inline(pull, [...operands.slice(0, 2 * types.length), ...seeds]),
    );
  });
}

function unless(
  s: Parameters<Parameters<ProgramBuilder['elementwise']>[1]>[0],
  condition: ScalarOperand,
  v: ScalarOperand,
): ScalarOperand {
  return s.either(
    condition,
    () => realLiteral(0),
    () => v,
  );
}
