/** Zeros, infinities, NaN, poles and the ends of the ranges: in all four shapes exactly what the reference gives. */
import { describe, expect, test } from 'vitest';
import { operationInfo } from '../../../../../engine/0-ir/scalar-operations.ts';
import { elementaryFunctionNames } from '../../../../../engine/4-backends/cpu/elementary/table.ts';
import { meaningOf } from '../../../../../engine/4-backends/reference/scalar/meaning.ts';
import { elementaryOnArrays } from '../../../../support/numbers/elementary.ts';

const edges = [0, -0, 1, -1, 2, -2, 0.5, -0.5, 3, -3, 1e-310, -1e-310, 5e-324, 1e308, -1e308, Infinity, -Infinity, NaN];
const f32Edges = edges.map(Math.fround);

/** Whether the value is a special one, which leaves nothing to rounding. */
function isSpecial(value: number): boolean {
  return !Number.isFinite(value) || value === 0 || Math.abs(value) === 1;
}

describe.each(elementaryFunctionNames)('%s', (operation) => {
  const meaning: (...operands: number[]) => number = meaningOf(operation, 'real');
  const { arity } = operationInfo(operation);

  test.each(['f64', 'f64x2', 'f32', 'f32x4'] as const)('%s', (shape) => {
    const single = shape.startsWith('f32');
    const xs = single ? f32Edges : edges;
    // The reference sums a polygamma term by term.
    const orders = operation === 'polygamma' ? xs.map((x) => (Math.abs(x) > 10 && x !== Infinity ? 4 : x)) : xs;
    const points = arity === 1 ? xs.map((x) => [x]) : orders.flatMap((x) => xs.map((y) => [x, y]));
    while (points.length % 4 !== 0) points.push(points[0]!);
    const columns = Array.from({ length: arity }, (_, i) => points.map((point) => point[i]!));
    const got = elementaryOnArrays(operation, shape)(...columns);
    const misses = points.flatMap((point, i) => {
      const exact = meaning(...point);
      const wanted = single ? Math.fround(exact) : exact;
      const same = Object.is(got[i], wanted) || !(isSpecial(wanted) || isSpecial(got[i]!));
      // What the reference rounds to 1 may be one unit of the last place beside it here.
      const near = Number.isFinite(wanted) && wanted !== 0 && Math.abs(got[i]! - wanted) <= 2 ** (single ? -23 : -52);
      return same || near ? [] : [`(${point.join(', ')}): ${got[i]}, not ${wanted}`];
    });
    expect(misses).toEqual([]);
  });
});

test('powers of ten and of two have whole logarithms', () => {
  const tens = Array.from({ length: 308 }, (_, n) => Number(`1e${n}`));
  expect(elementaryOnArrays('log10', 'f64x2')(tens)).toEqual(tens.map((_, n) => n));
  const twos = Array.from({ length: 1000 }, (_, n) => 2 ** n);
  expect(elementaryOnArrays('log2', 'f64x2')(twos)).toEqual(twos.map((_, n) => n));
  expect(elementaryOnArrays('exp2', 'f64x2')(twos.map((_, n) => n))).toEqual(twos);
});

test('whole powers of whole numbers are exact where they fit', () => {
  const points = Array.from({ length: 40 }, (_, i) => [2 + (i % 10), 1 + Math.floor(i / 10) * 3] as const);
  const got = elementaryOnArrays('pow', 'f64')(
    points.map(([x]) => x),
    points.map(([, y]) => y),
  );
  expect(got).toEqual(points.map(([x, y]) => Number(BigInt(x) ** BigInt(y))));
});

test('a lane does not depend on its neighbours', () => {
  const slow = { sin: 1e22, exp: 800, log: 1e-310, pow: -3, logistic: -800, erfc: 20, cbrt: 1e-320, atan2: Infinity };
  for (const [operation, x] of Object.entries(slow) as [keyof typeof slow, number][]) {
    const alone = elementaryOnArrays(operation, 'f64')([0.7, x], [0.3, 0.4]);
    expect(elementaryOnArrays(operation, 'f64x2')([0.7, x], [0.3, 0.4]), operation).toEqual(alone);
    const single = elementaryOnArrays(operation, 'f32')([0.7, 0.2, 0.1, x], [0.3, 0.4, 0.5, 3]);
    expect(elementaryOnArrays(operation, 'f32x4')([0.7, 0.2, 0.1, x], [0.3, 0.4, 0.5, 3]), operation).toEqual(single);
  }
});
