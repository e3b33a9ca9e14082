/**
 * Every partial derivative against central differences of the operation itself, over its domain, in forward and reverse
 * mode; and the values at the edges that the engine promises. Forward equal to reverse would prove nothing here: both
 * read one table.
 */
import { describe, expect, it } from 'vitest';
import { scalarFunction } from '../../../../engine/0-ir/scalar-builder.ts';
import {
  operationInfo,
  operationType,
  scalarOperationNames,
  type ScalarOperation,
} from '../../../../engine/0-ir/scalar-operations.ts';
import { jvpFunction } from '../../../../engine/2-ad/scalar/jvp-function.ts';
import { vjpFunction } from '../../../../engine/2-ad/scalar/vjp-function.ts';
import { evaluateScalar } from '../../../../engine/4-backends/reference/scalar/evaluate.ts';

const whole = [-39.6, -7.3, -2.5, -1.2, -0.6, -0.1, -1e-3, 1e-3, 0.1, 0.6, 1.3, 2.7, 7.7, 39.6];
const positive = [1e-6, 1e-3, 0.1, 0.5, 1.2, 3.3, 17, 900];
const unit = [-0.97, -0.7, -0.2, 1e-3, 0.4, 0.95];

/** Where an operation is smooth, by operand. */
const domains: { readonly [Op in ScalarOperation]?: readonly (readonly number[])[] } = {
  neg: [whole],
  abs: [whole],
  sign: [whole],
  add: [whole, whole],
  sub: [whole, whole],
  mul: [whole, whole],
  div: [whole, whole],
  mod: [
    [-7.3, -0.6, 1.2, 9.7],
    [-2.3, 0.7, 3.1],
  ],
  pow: [positive.slice(2), [-2.5, -1, -0.3, 0.3, 0.5, 1, 2, 3.7]],
  min: [whole, [-3, -0.2, 0.05, 5]],
  max: [whole, [-3, -0.2, 0.05, 5]],
  clamp: [whole, [-3, -0.2], [0.05, 5]],
  exp: [whole],
  exp2: [whole],
  expm1: [whole],
  log: [positive],
  log2: [positive],
  log10: [positive],
  log1p: [[-0.99, -0.5, -1e-3, 1e-3, 0.4, 7, 900]],
  sqrt: [positive],
  cbrt: [[-40, -1.2, -0.1, 0.1, 2.7, 40]],
  hypot: [whole, whole],
  sin: [whole],
  cos: [whole],
  tan: [whole],
  asin: [unit],
  acos: [unit],
  atan: [whole],
  atan2: [whole, whole],
  sinh: [whole],
  cosh: [whole],
  tanh: [whole],
  floor: [whole],
  ceil: [whole],
  round: [[-2.2, -0.7, 0.3, 1.8]],
  trunc: [whole],
  // Its derivative is what it is not: zero, tested below.
  detach: [[]],
  mantissa: [whole],
  exponent: [whole],
  // The power is whole: between two whole numbers nothing changes.
  scale: [whole, [-3.5, 0.3, 2.5, 70.5]],
  erf: [whole],
  erfc: [whole],
  lgamma: [[-3.4, -1.7, -0.3, 0.2, 1.4, 2.6, 9, 170]],
  digamma: [[-3.4, -1.7, -0.3, 0.2, 1.4, 2.6, 9, 170]],
  polygamma: [
    [1, 2, 4],
    [0.4, 1.3, 5.2, 30],
  ],
  xlogy: [whole, positive],
  logistic: [whole],
  logaddexp: [whole, [-30, -3, 0.05, 2, 25]],
};

const partial = (operation: ScalarOperation, x: readonly number[], i: number): { forward: number; reverse: number } => {
  const fn = scalarFunction(
    x.map(() => 'real' as const),
    (s, ...operands) => [s.apply(operation, ...operands)],
  );
  const chosen = x.map((_, j) => j === i);
  const pushed = jvpFunction(fn, chosen);
  const forward = pushed.active[0] ? evaluateScalar(pushed.function, [...x, 1])[1]! : 0;
  const [reverse] = evaluateScalar(vjpFunction(fn, [true], chosen), [...x, 1]);
  return { forward, reverse: reverse! };
};

const value = (operation: ScalarOperation, x: readonly number[]): number => {
  const fn = scalarFunction(
    x.map(() => 'real' as const),
    (s, ...operands) => [s.apply(operation, ...operands)],
  );
  return evaluateScalar(fn, [...x])[0]!;
};

/** Richardson extrapolation of central differences. */
function slope(operation: ScalarOperation, x: readonly number[], i: number): number {
  const h = 2e-4 * Math.abs(x[i]!);
  const at = (step: number): number => {
    const moved = (sign: number): number[] => x.map((v, j) => (j === i ? v + sign * step : v));
    return (value(operation, moved(1)) - value(operation, moved(-1))) / (2 * step);
  };
  const [wide, middle, narrow] = [at(2 * h), at(h), at(h / 2)];
  const first = (4 * middle - wide) / 3;
  const second = (4 * narrow - middle) / 3;
  return (16 * second - first) / 15;
}

function points(lists: readonly (readonly number[])[]): number[][] {
  return lists.reduce<number[][]>((all, list) => all.flatMap((head) => list.map((v) => [...head, v])), [[]]);
}

describe('partial derivatives', () => {
  it('are tested for every real operation', () => {
    const real = scalarOperationNames.filter(
      (name) =>
        operationType(
          name,
          Array.from({ length: operationInfo(name).arity }, () => 'real'),
        ) === 'real',
    );
    expect(Object.keys(domains).sort()).toEqual(real.sort());
  });

  it.each(Object.entries(domains))('of %s agree with central differences', (name, lists) => {
    const operation = name as ScalarOperation;
    for (const x of points(lists))
      x.forEach((v, i) => {
        if (operation === 'polygamma' && i === 0) return; // the order is no real quantity
        const { forward, reverse } = partial(operation, x, i);
        const expected = slope(operation, x, i);
        const rounding = (1e-10 * Math.abs(value(operation, x))) / Math.abs(v);
        const allowed = 1e-7 * Math.abs(expected) + rounding + 1e-12;
        expect(
          Math.abs(reverse - expected),
          `${name}(${x.join(', ')}) by operand ${i}: ${reverse}, not ${expected}`,
        ).toBeLessThan(allowed);
        expect(forward, `${name}(${x.join(', ')}) by operand ${i}`).toBe(reverse);
      });
  });

  const inf = Infinity;
  it.each<[ScalarOperation, number[], number, number]>([
    ['pow', [0, 2.5], 0, 0],
    ['pow', [0, 1], 0, 1],
    ['pow', [0, 0.5], 0, inf],
    ['pow', [0, 0], 0, 0],
    ['pow', [0, -1], 0, -inf],
    ['pow', [-0, -3], 0, -inf],
    ['pow', [0, 2], 1, 0],
    ['pow', [0, 0], 1, 0],
    ['abs', [0], 0, 0],
    ['abs', [-0], 0, 0],
    ['clamp', [1, 1, 2], 0, 1],
    ['clamp', [2, 1, 2], 0, 1],
    ['clamp', [1, 1, 2], 1, 0],
    ['clamp', [0.5, 1, 2], 1, 1],
    ['clamp', [2.5, 1, 2], 2, 1],
    ['min', [1, 1], 0, 1],
    ['min', [1, 1], 1, 0],
    ['max', [1, 1], 0, 1],
    ['max', [1, 1], 1, 0],
    ['min', [NaN, 1], 0, 1],
    ['max', [1, NaN], 1, 1],
    ['logaddexp', [-inf, -inf], 0, 0],
    ['logaddexp', [-inf, -inf], 1, 0],
    ['logaddexp', [-inf, 1], 0, 0],
    ['logaddexp', [-inf, 1], 1, 1],
    ['logaddexp', [2, 2], 0, 0.5],
    ['xlogy', [0, 0], 1, 0],
    ['hypot', [0, 0], 0, 0],
    ['sqrt', [0], 0, inf],
    ['floor', [1], 0, 0],
    ['sign', [0], 0, 0],
  ])('of %s at (%j) by operand %i is %d', (operation, x, i, expected) => {
    const { forward, reverse } = partial(operation, x, i);
    expect(reverse).toBe(expected);
    expect(forward).toBe(expected);
  });

  it.each([19, 25, -40, 300])('of tanh at %d is 1/cosh², to its last digits', (x) => {
    const { forward, reverse } = partial('tanh', [x], 0);
    expect(Math.abs(reverse * Math.cosh(x) ** 2 - 1)).toBeLessThan(1e-13);
    expect(forward).toBe(reverse);
  });

  it('of the branch not taken do not enter', () => {
    const safeLog = scalarFunction(['real'], (s, x) =>
      s.branch(
        s.apply('lt', { kind: 'literal', type: 'real', value: 0 }, x),
        () => [s.apply('log', x)],
        () => [{ kind: 'literal', type: 'real', value: 0 }],
      ),
    );
    for (const x of [0, -1, -inf]) expect(evaluateScalar(vjpFunction(safeLog, [true], [true]), [x, 1])).toEqual([0]);
    expect(evaluateScalar(vjpFunction(safeLog, [true], [true]), [4, 1])).toEqual([0.25]);
  });

  it('are exactly zero for what is not selected, even under an infinite cotangent', () => {
    const smaller = scalarFunction(['real', 'real'], (s, a, b) => [s.apply('min', a, b)]);
    expect(evaluateScalar(vjpFunction(smaller, [true], [true, true]), [1, 2, inf])).toEqual([inf, 0]);
  });
});
