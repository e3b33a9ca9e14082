/** What is told of observations beside a model with random effects, on numbers that can be had by hand. */
import { describe, expect, it } from 'vitest';
import { conditionalResiduals, rowsTogether } from '../../../../engine/7-study/diagnostics/conditional-residuals.ts';
import { predictionErrors } from '../../../../engine/7-study/diagnostics/discrepancies.ts';
import { visualCheck } from '../../../../engine/7-study/diagnostics/visual-check.ts';
import { randomFrom } from '../../../../engine/6-fit/ensembles/random.ts';

const ones = (count: number): Float64Array => new Float64Array(count).fill(1);

it('conditional residuals are by the symmetric root of the covariance of the rows that were seen', () => {
  const groups = Int32Array.of(0, 1, 0, 0, -1);
  const distances = Float64Array.of(3, 2, 1, NaN, 4);
  const found = conditionalResiduals({
    ...{ distances, variances: Float64Array.of(1, 1, 1, 1, 4) },
    effects: [{ slopes: Float64Array.of(1, 1, 1, 1, 0), groups }],
  });
  // V = [[2, 1], [1, 2]] has the eigenvalues 3 along (1, 1) and 1 along (1, −1).
  const [sum, difference] = [4 / Math.sqrt(3), 2];
  [(sum + difference) / 2, 2 / Math.sqrt(2), (sum - difference) / 2, NaN, 2].forEach((wanted, row) =>
    Number.isNaN(wanted) ? expect(found[row]).toBeNaN() : expect(found[row]).toBeCloseTo(wanted, 13),
  );
});

it('rows are together that share a group with the same others', () => {
  const [fine, coarse] = [Int32Array.of(0, 0, 1, 1, 2), Int32Array.of(0, -1, 1, 0, 2)];
  expect(rowsTogether([{ groups: fine }, { groups: coarse }], 5)).toEqual([[0, 1, 2, 3], [4]]);
});

describe('prediction errors', () => {
  it('are quantiles of the normal distribution, those of the ends by half a draw', () => {
    const draws = [0, 1, 2, 3].map((y) => [y]);
    const at = (y: number): number => predictionErrors([y], draws, [[0]])[0]!;
    expect(at(2.5)).toBeCloseTo(0.6744897501960817, 12);
    expect(at(9)).toBeCloseTo(1.1503493803760079, 12);
    expect(at(-9)).toBeCloseTo(-1.1503493803760079, 12);
    expect(at(NaN)).toBeNaN();
  });

  it('are what they are whatever the observations are added up to in their order', () => {
    const random = randomFrom(3);
    const drawn = Array.from({ length: 200 }, () => Array.from({ length: 3 }, () => random.normal()));
    const mixed = ([a = NaN, b = NaN, c = NaN]: number[]): number[] => [2 * a, 5 + a + 3 * b, b - a + 0.5 * c];
    const plain = predictionErrors([0.3, -1.2, 2], drawn, [[0, 1, 2]]);
    const together = predictionErrors(mixed([0.3, -1.2, 2]), drawn.map(mixed), [[0, 1, 2]]);
    expect(together).toEqual(plain);
    expect(Math.abs(plain[1]!)).toBeGreaterThan(0.5);
  });

  it('are none of more observations than there are draws', () => {
    expect([...predictionErrors([1, 2], [[0, 1]], [[0, 1]])]).toEqual([NaN, NaN]);
  });
});

it('a visual check has a bin for each of few places, with quantiles as R has them', () => {
  const x = [0, 0, 0, 7, 7, 7, 7];
  const observed = [1, 2, 3, NaN, 10, 20, 30];
  const draws = [1, 2, 3].map((k) => x.map((_, row) => k * (row + 1)));
  const [first, second] = visualCheck(x, observed, draws, 0.5);
  expect(first).toMatchObject({ x: 0, from: 0, to: 0, count: 3 });
  expect(second).toMatchObject({ x: 7, count: 3 });
  const [low, middle] = first?.quantiles ?? [];
  expect(low).toMatchObject({ share: 0.1, observed: 1.2 });
  expect(middle).toEqual({ share: 0.5, observed: 2, median: 4, lower: 3, upper: 5 });
  const many = Array.from({ length: 100 }, (_, i) => i);
  expect(visualCheck(many, many, [ones(100)], 0.9).map(({ count }) => count)).toEqual(new Array<number>(10).fill(10));
});

it('rows that are left over from ten bins are no bin of their own', () => {
  const x = Array.from({ length: 104 }, (_, row) => row);
  const counts = visualCheck(x, x, [x], 0.9).map(({ count }) => count);
  expect(counts).toEqual([11, 11, 11, 11, 11, 11, 11, 11, 16]);
});
