/** Inverses and determinants of matrices with a block for each group, against the matrices themselves. */
import { describe, expect, it } from 'vitest';
import { factored, inverses, logDeterminant, solved } from '../../../../engine/6-fit/marginal/blocks.ts';
import { effectLayout } from '../../../../engine/6-fit/effects.ts';

/** One block of n effects of a process, each of which sees so many before it. */
function matrixOf(n: number, width: number): Float64Array {
  const a = new Float64Array(n * n);
  for (let i = 0; i < n; i++)
    for (let j = Math.max(0, i - width); j <= i; j++) {
      const value = i === j ? 2 * width + 1 + Math.cos(i) : Math.sin(1 + i * n + 3 * j);
      a[i * n + j] = value;
      a[j * n + i] = value;
    }
  return a;
}

/** Of effects that cross: the first see none of their own, and a few of the others. */
function crossedOf(n: number, alone: number): Float64Array {
  const a = new Float64Array(n * n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++) {
      const value =
        i === j ? 5 + Math.cos(i) : i < alone ? 0 : j < alone ? Number((i + j) % 5 === 0) : 0.1 * Math.sin(i * j);
      a[i * n + j] = value;
      a[j * n + i] = value;
    }
  return a;
}

const layoutOf = (n: number) =>
  effectLayout([{ id: 'u', effects: ['u'], groups: n, labels: Array.from({ length: n }, String), within: [] }], true);

describe('a block', () => {
  it.each([
    [1, 0],
    [2, 1],
    [16, 15],
    [17, 16],
    [40, 39],
    [40, 2],
    [61, 20],
    [90, 89],
  ])('of %i effects that see %i others has its inverse, and solves', (n, width) => inverts(n, matrixOf(n, width)));

  it.each([
    [17, 1],
    [30, 17],
    [40, 39],
    [40, 40],
  ])('of %i effects, of which the first %i cross the others alone, has its inverse, and solves', (n, alone) =>
    inverts(n, crossedOf(n, alone)),
  );

  function inverts(n: number, a: Float64Array): void {
    const layout = layoutOf(n);
    const { factors, saddle } = factored(layout, a);
    expect(saddle).toBeUndefined();
    const inverse = inverses(layout, factors);
    const v = Float64Array.from({ length: n }, (_, i) => Math.sin(2 + i));
    const x = solved(layout, factors, v);
    for (let i = 0; i < n; i++) {
      let ax = 0;
      for (let j = 0; j < n; j++) {
        let product = 0;
        for (let k = 0; k < n; k++) product += a[i * n + k]! * inverse[k * n + j]!;
        expect(product).toBeCloseTo(i === j ? 1 : 0, 11);
        expect(inverse[i * n + j]).toBeCloseTo(inverse[j * n + i]!, 14);
        ax += a[i * n + j]! * x[j]!;
      }
      expect(ax).toBeCloseTo(v[i]!, 11);
    }
    expect(Number.isFinite(logDeterminant(layout, factors))).toBe(true);
  }

  it('with a curvature downward is told of', () => {
    const a = matrixOf(30, 29);
    a[0] = -1;
    expect(factored(layoutOf(30), a).saddle).toBe(0);
  });
});

it.each([2, 20])('of %i effects in which a number is missing has no factor, and nothing breaks', (n) => {
  const layout = layoutOf(n);
  const a = matrixOf(n, n - 1);
  a[0] = NaN;
  expect(logDeterminant(layout, factored(layout, a).factors)).toBeNaN();
});
