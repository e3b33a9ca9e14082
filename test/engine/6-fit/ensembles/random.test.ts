/** Random numbers of neighbouring seeds have nothing to do with one another, from the first on. */
import { expect, it } from 'vitest';
import { randomFrom } from '../../../../engine/6-fit/ensembles/random.ts';

const seeds = Array.from({ length: 4000 }, (_, seed) => seed);
/** Draws 0 … 3 of every seed. */
const drawn = seeds.map((seed) => {
  const random = randomFrom(seed);
  return [0, 1, 2, 3].map(() => random.uniform() - 0.5);
});
/** In standard errors of as many independent uniform numbers. */
const inErrors = (values: readonly number[], variance: number): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.sqrt(variance * values.length);

it.each([0, 1, 2, 3])('draw %s of all seeds is uniform, and is not that of the next', (k) => {
  const values = drawn.map((draws) => draws[k]!);
  expect(Math.abs(inErrors(values, 1 / 12))).toBeLessThan(4);
  const squares = values.map((value) => value ** 2 - 1 / 12);
  expect(Math.abs(inErrors(squares, 1 / 180))).toBeLessThan(4);
  const products = values.slice(1).map((value, s) => value * values[s]!);
  expect(Math.abs(inErrors(products, 1 / 144))).toBeLessThan(4);
});

it('the draws of one seed have nothing to do with one another', () => {
  for (const [i, j] of [
    [0, 1],
    [0, 2],
    [1, 2],
    [2, 3],
  ] as const) {
    const products = drawn.map((draws) => draws[i]! * draws[j]!);
    expect(Math.abs(inErrors(products, 1 / 144))).toBeLessThan(4);
  }
});

it('the same seed gives the same numbers', () => {
  const [one, other] = [randomFrom(-5), randomFrom(-5)];
  for (let k = 0; k < 10; k++) expect(one.normal()).toBe(other.normal());
});
