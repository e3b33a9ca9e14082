import { describe, expect, it } from 'vitest';
import { directionNumbers, ownDimensions, sobolSequence } from '../../../../engine/6-fit/ensembles/sobol-sequence.ts';

/** Unscrambled point i of a dimension, in Gray-code order as Joe and Kuo's program has it. */
function plain(dimension: number, index: number): number {
  const v = directionNumbers(dimension);
  const gray = index ^ (index >>> 1);
  let x = 0;
  for (let bit = 0; bit < 32; bit++) if ((gray >>> bit) & 1) x ^= v[bit]!;
  return (x >>> 0) / 2 ** 32;
}

describe("Sobol' points", () => {
  it("have Joe and Kuo's first points in three dimensions", () => {
    const wanted = [
      [0, 0, 0],
      [0.5, 0.5, 0.5],
      [0.75, 0.25, 0.25],
      [0.25, 0.75, 0.75],
      [0.375, 0.375, 0.625],
      [0.875, 0.875, 0.125],
      [0.625, 0.125, 0.875],
      [0.125, 0.625, 0.375],
      [0.1875, 0.3125, 0.9375],
      [0.6875, 0.8125, 0.4375],
    ];
    wanted.forEach((point, i) => expect(point.map((_, d) => plain(d, i))).toEqual(point));
  });

  it('in every dimension of every block fall once into each of 2^k intervals, whatever the seed', () => {
    const dimensions = 2 * ownDimensions + 3;
    for (const seed of [0, 1, 12345]) {
      const sequence = sobolSequence(dimensions, seed);
      const point = new Float64Array(dimensions);
      const seen = Array.from({ length: dimensions }, () => new Set<number>());
      for (let i = 0; i < 256; i++) {
        sequence.point(i, point);
        point.forEach((u, d) => seen[d]!.add(Math.floor(u * 256)));
      }
      for (const cells of seen) expect(cells.size).toBe(256);
    }
  });

  it('integrate smooth functions far better than random points would', () => {
    const sequence = sobolSequence(6, 3);
    const point = new Float64Array(6);
    let total = 0;
    for (let i = 0; i < 4096; i++) {
      sequence.point(i, point);
      total += point.reduce((product, u) => product * (1 + (u - 0.5)), 1);
    }
    // Random points: a standard deviation of 0.012.
    expect(Math.abs(total / 4096 - 1)).toBeLessThan(5e-4);
  });

  it('of two blocks are not correlated', () => {
    const sequence = sobolSequence(ownDimensions + 1, 7);
    const point = new Float64Array(ownDimensions + 1);
    let product = 0;
    for (let i = 0; i < 4096; i++) {
      sequence.point(i, point);
      product += (point[0]! - 0.5) * (point[ownDimensions]! - 0.5);
    }
    expect(Math.abs((12 * product) / 4096)).toBeLessThan(0.06);
  });
});
