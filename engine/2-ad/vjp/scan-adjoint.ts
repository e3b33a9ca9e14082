/**
 * The general rule of scan (paper, figure "scan-gen"), for plain and segmented scans alike:
 *
 *     r̄ᵢ = ȳᵢ + (∂(rᵢ ⊙ aᵢ₊₁)/∂rᵢ)ᵀ · r̄ᵢ₊₁      a backward linear recurrence, solved by a scan with lin_o
 *     āᵢ = ∂(rᵢ₋₁ ⊙ aᵢ)/∂aᵢ · r̄ᵢ                   a map
 *
 * r are the inclusive prefixes. Where element i starts a segment (or the axis), āᵢ = r̄ᵢ and nothing flows further back.
 */
import type { ProgramBuilder } from '../../0-ir/builder.ts';
import { arity, combine, componentTypes, type Operator } from '../../0-ir/operators.ts';
import type { Value } from '../../0-ir/program.ts';
import { intLiteral, realLiteral, type ScalarFunction, type ScalarOperand } from '../../0-ir/scalar.ts';
import { scalarFunction } from '../../0-ir/scalar-builder.ts';
import type { Shape } from '../../0-ir/types.ts';
import type { Cost } from '../cost.ts';
import { indexAlong, shiftBackward, shiftForward, sumTo, zerosLike } from '../layout.ts';
import { operationCount } from '../operation-count.ts';
import type { Derivative } from '../rule.ts';
import { vjpFunction } from '../scalar/vjp-function.ts';
import { linearComposition } from './linear-composition.ts';

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

/** Adjoints of the inputs. A scan from the end is the same on reversed arrays. */
export function scanCotangents(
  b: ProgramBuilder,
  scan: ForwardScan & { readonly reverse: boolean },
  results: readonly Value[],
  cotangents: readonly Derivative[],
): Derivative[] {
  const { shape, axis, reverse } = scan;
  const turn = <V extends Derivative>(value: V): V => (value && reverse ? b.reverse(value, axis) : value) as V;
  const whole = (value: Value): Value => turn(b.replicate(value, shape));
  const forward = { ...scan, inputs: scan.inputs.map(whole), flags: scan.flags && whole(scan.flags) };
  const adjoints = forwardScan(b, forward, results.map(turn), cotangents.map(turn));
  return scan.inputs.map((input, i) => {
    const adjoint = turn(adjoints[i]);
    return adjoint && sumTo(b, adjoint, input.type.shape);
  });
}

/** What keeping and multiplying whole Jacobians costs. */
export function jacobianScanCost(operator: Operator): Cost {
  const d = arity(operator);
  return {
    traffic: 9 * d + 3 * d * d,
    operations: operationCount(operator.combine) * (2 + 3 * d) + 2 * d * d * d + 2 * d * d,
    passes: 4,
  };
}

/** Every entry of the Jacobian by the real components. */
export function wholeJacobian(operator: Operator): readonly [stored: number, of: number] {
  const d = componentTypes(operator).filter((type) => type === 'real').length;
  return [d * d, d * d];
}

/** Adjoints of the inputs over the domain; undefined for int and bool components. */
function forwardScan(
  b: ProgramBuilder,
  scan: ForwardScan,
  results: readonly Value[],
  cotangents: readonly Derivative[],
): Derivative[] {
  const { operator, shape, axis, inputs } = scan;
  const types = componentTypes(operator);
  const real = types.flatMap((type, i) => (type === 'real' ? [i] : []));
  const d = real.length;
  const starts = segmentStarts(b, scan);

  const prefixes = scan.exclusive ? inclusive(b, scan, starts, results) : results;
  const previous = scan.exclusive ? results : prefixes.map((prefix) => shiftForward(b, prefix, axis, 0));
  const seeds = real.map((i) => {
    const cotangent = cotangents[i] ?? zerosLike(b, results[i] as Value);
    // An exclusive result i+1 is prefix i, unless a segment starts there: then it is the neutral element.
    if (!scan.exclusive) return cotangent;
    const kept = b.elementwise([starts, cotangent], (s, start, v) => unless(s, start, v));
    return shiftBackward(b, kept, axis, 0);
  });

  const jacobians = b.map(
    jacobianFunction(operator, real),
    [shiftBackwardFlag(b, starts, axis), ...prefixes, ...inputs.map((input) => shiftBackward(b, input, axis, 0))],
    shape,
  );
  const prefixAdjoints = b.scan(linearComposition(d), [...seeds, ...jacobians], axis, { reverse: true }).slice(0, d);

  const adjoints = b.map(elementFunction(operator, real), [starts, ...previous, ...inputs, ...prefixAdjoints], shape);
  return types.map((type, i) => (type === 'real' ? adjoints[real.indexOf(i)] : undefined));
}

function segmentStarts(b: ProgramBuilder, { shape, axis, flags }: ForwardScan): Value {
  const index = indexAlong(b, shape[axis] as number | string, axis, shape.length);
  const first = b.elementwise([index], (s, i) => s.apply('eq', i, intLiteral(0)));
  const starts = flags ? b.apply('or', first, flags) : first;
  return b.replicate(starts, shape);
}

/** Whether the next element starts a segment; past the end it does. */
function shiftBackwardFlag(b: ProgramBuilder, starts: Value, axis: number): Value {
  return shiftBackward(b, starts, axis, 1);
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

/**
 * (nextStarts, rᵢ…, aᵢ₊₁…) ↦ the transposed Jacobian ∂(rᵢ ⊙ aᵢ₊₁)/∂rᵢ row by row, over the real components: row j of
 * the transpose is ∂ of every result by rⱼ. Zero where the next element starts anew.
 */
function jacobianFunction(operator: Operator, real: readonly number[]): ScalarFunction {
  const types = componentTypes(operator);
  const inside = real.map((k) =>
    rowFunction(
      operator,
      types.map((_, i) => i === k),
      true,
    ),
  );
  return scalarFunction(['bool', ...types, ...types], (s, nextStarts, ...operands) =>
    s.branch(
      nextStarts,
      () => real.flatMap(() => real.map(() => realLiteral(0))),
      () => {
        // rows[k][j] = ∂ result k/∂ rⱼ
        const rows = inside.map((row) => s.inline(row, [...operands, realLiteral(1)]));
        return real.flatMap((_, j) => rows.map((row) => row[j] as ScalarOperand));
      },
    ),
  );
}

/** (starts, rᵢ₋₁…, aᵢ…, r̄ᵢ of the real components…) ↦ āᵢ of the real components. */
function elementFunction(operator: Operator, real: readonly number[]): ScalarFunction {
  const types = componentTypes(operator);
  const pull = rowFunction(
    operator,
    types.map((_, i) => real.includes(i)),
    false,
  );
  return scalarFunction(['bool', ...types, ...types, ...real.map(() => 'real' as const)], (s, start, ...operands) =>
    s.branch(
      start,
      () => operands.slice(2 * types.length),
      () => s.inline(pull, operands),
    ),
  );
}

/** VJP^LAM of ⊙ by its left or right operand's real components, given cotangents of the seeded components. */
function rowFunction(operator: Operator, seeded: readonly boolean[], left: boolean): ScalarFunction {
  const types = componentTypes(operator);
  const real = types.map((type) => type === 'real');
  const none = types.map(() => false);
  return vjpFunction(operator.combine, seeded, left ? [...real, ...none] : [...none, ...real]);
}

function unless(
  s: Parameters<Parameters<ProgramBuilder['elementwise']>[1]>[0],
  condition: ScalarOperand,
  v: ScalarOperand,
): ScalarOperand {
  return s.branch(
    condition,
    () => [realLiteral(0)],
    () => [v],
  )[0] as ScalarOperand;
}
