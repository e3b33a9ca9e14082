/** Estimates of 0, at a bound or by rounding, and data in units of any size: what is said of them holds all the same. */
import { describe, expect, it } from 'vitest';
import { documentOf, map, parameter, quietJson, written } from '../support/command-line.ts';

interface Study {
  readonly parameters: Readonly<Record<string, Readonly<Record<'lower' | 'upper' | 'verdict', readonly unknown[]>>>>;
  readonly correlation: { readonly matrix: readonly (readonly number[])[] };
  readonly warnings: readonly string[];
}

const real = (id: string) => ({ id, kind: 'column', table: 't', column: id, type: 'real' });
const study = (path: string, method: string): Promise<Study> => quietJson(['uncertainty', path, '--method', method]);

describe('a mean of counts of which none is above 0', () => {
  const [zeros, some] = [Array.from({ length: 8 }, () => 0), [3, 5, 4, 2]];
  const model = written(
    documentOf(
      [
        { id: 'y', kind: 'column', table: 't', column: 'y' },
        { id: 'g', kind: 'column', table: 't', column: 'g' },
        { id: 'r', kind: 'parameter', initial: [1, 1], lower: 0 },
        { id: 'm', kind: 'gather', from: 'r', indices: 'g' },
        { id: 'l', kind: 'likelihood', family: 'poisson', observed: 'y', mean: 'm' },
      ],
      {
        tables: { t: { columns: { y: [...zeros, ...some], g: [...zeros, ...some.map(() => 1)] } } },
        objective: 'l',
      },
    ),
  );

  it('has an upper end, and a verdict that says so', async () => {
    const { lower, upper, verdict } = (await study(model, 'profile')).parameters['r']!;
    // ½χ² at 95 % over 8 observations, each of which costs the mean.
    expect(upper[0]).toBeCloseTo(1.920729410347 / 8, 6);
    expect([lower[0], verdict[0]]).toEqual([0, expect.objectContaining({ status: 'one-sided' })]);
  });

  it.each(['covariance', 'bootstrap'])('lies at its bound, by %s', async (method) => {
    const { verdict } = (await study(model, method)).parameters['r']!;
    expect(verdict[0]).toMatchObject({
      status: 'one-sided',
      reason: 'the fit lies at its lower bound 0: that end is the bound, not the data',
    });
  });
});

it('slopes of 0 but for rounding are not each other', async () => {
  const x = [-2, -1, 0, 1, 2];
  const z = [-7, 14, 0, -14, 7];
  const noise = [1, -1, 0.5, 1, -1];
  const rows = {
    x: [...x, ...x],
    z: [...z, ...z],
    y: [...noise, ...noise.map((each) => -each)].map((each) => 5 + each / 10),
  };
  const { warnings } = await study(
    written(
      documentOf(
        [
          ...[real('x'), real('z'), real('y')],
          ...[parameter('a', 1), parameter('b', 1), parameter('c', 1)],
          map('p', 'a + b*x + c*z'),
          { id: 'l', kind: 'least-squares', observed: 'y', prediction: 'p' },
        ],
        { tables: { t: { columns: rows } }, objective: 'l' },
      ),
    ),
    'profile',
  );
  expect(warnings).toEqual([]);
});

it.each([1e80, 1e-80])('of data in units of %f parameters move together as in others', async (unit) => {
  const x = [0, 1, 2, 3, 4, 5];
  const y = [1, 3.2, 4.9, 7.1, 9, 10.8].map((each) => each * unit);
  const { correlation } = await study(
    written(
      documentOf(
        [
          ...[real('x'), real('y')],
          ...[parameter('a', unit), parameter('b', unit)],
          map('p', 'a + b*x'),
          { id: 'l', kind: 'least-squares', observed: 'y', prediction: 'p', sigma: unit / 10 },
        ],
        { tables: { t: { columns: { x, y } } }, objective: 'l' },
      ),
    ),
    'covariance',
  );
  // −x̄/√(mean of x²)
  expect(correlation.matrix[0]![1]).toBeCloseTo(-2.5 / Math.sqrt(55 / 6), 6);
});
