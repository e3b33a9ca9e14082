/** What a direction that the data do not see takes from the covariance, and what it leaves. */
import { describe, expect, it } from 'vitest';
import { informationUncertainty, leastSquaresUncertainty } from '../../../../engine/6-fit/report/statistics.ts';

/** Of a + b, and of c: a and b move together, c is measured by itself. */
const rows = [
  [1, 1, 0],
  [1, 1, 2],
  [1, 1, -1],
  [1, 1, 0.5],
];
const columns = [0, 1, 2].map((j) => Float64Array.from(rows, (row) => row[j]!));
const hessian = columns.map((a) =>
  Float64Array.from(columns, (b) => a.reduce((sum, value, i) => sum + value * b[i]!, 0)),
);
/** Of c beside one mean: 1/(Σ c² − (Σ c)²/n). */
const variance = 1 / (4 + 1 + 0.25 - 1.5 ** 2 / 4);

describe.each([
  ['rows', leastSquaresUncertainty(columns, 1, 4, true)],
  ['a Hessian', informationUncertainty(hessian)],
])('a singular direction of %s', (_, { covariance, blind }) => {
  it('leaves what does not move along it as it is', () => {
    expect(covariance[2]?.[2]).toBeCloseTo(variance, 10);
    expect(blind.map((members) => members.toSorted())).toEqual([[0, 1]]);
    for (const [i, j] of [
      [0, 0],
      [1, 1],
      [0, 1],
      [0, 2],
      [2, 1],
    ] as const)
      expect(covariance[i]?.[j]).toBeNaN();
  });
});

it('of a Hessian that curves down nothing is known', () => {
  const saddle = [Float64Array.of(2, 0), Float64Array.of(0, -1)];
  expect(informationUncertainty(saddle).covariance.flatMap((row) => [...row])).toEqual([NaN, NaN, NaN, NaN]);
});

it('what the objective is blind to is alone in its direction', () => {
  const { covariance, blind } = informationUncertainty([Float64Array.of(4, 0), Float64Array.of(0, 0)]);
  expect(blind).toEqual([[1]]);
  expect(covariance[0]?.[0]).toBeCloseTo(0.25, 12);
});
