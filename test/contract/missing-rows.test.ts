/** A row whose observation is missing is left out, whatever else of it is missing too: of the value and of all derivatives. */
import { expect, it } from 'vitest';
import { column, constant, documentOf, json, map, parameter, written } from '../support/command-line.ts';

interface Fit {
  readonly status: string;
  readonly parameters: Readonly<Record<string, { readonly value: number; readonly standardError: number }>>;
}
interface Hessian {
  readonly hessian: readonly (readonly (number | string)[])[];
}

const table = { o: { columns: { x: [0, 1, null, 2, 3], y: [1, 2, null, 2, 6] } } };
const columns = [column('x', { table: 'o' }), column('y', { table: 'o' })];
const line = [...columns, parameter('a', 0.4), parameter('b', 0.2)];

it.each(['newton-cg', 'l-bfgs-b', 'nelder-mead'])(
  'Poisson regression as R has it without that row: %s',
  async (method) => {
    const path = written(
      documentOf(
        [
          ...line,
          { id: 'mu', kind: 'map', formula: 'exp(a + b*x)' },
          { id: 'l', kind: 'likelihood', family: 'poisson', mean: 'mu', observed: 'y' },
        ],
        { tables: table, objective: 'l' },
      ),
    );
    const fit = (await json('fit', path, '--method', method)) as Fit;
    // glm(c(1, 2, 2, 6) ~ c(0, 1, 2, 3), family = poisson)
    expect(fit.status).toBe('converged');
    expect(fit.parameters['a']!.value).toBeCloseTo(-0.100815972, 7);
    expect(fit.parameters['b']!.value).toBeCloseTo(0.5990564043, 7);
    expect(fit.parameters['b']!.standardError).toBeCloseTo(0.3107957957, 5);
  },
);

it('the derivatives of least squares, by way of several maps', async () => {
  const path = written(
    documentOf(
      [
        ...line,
        { id: 'scaled', kind: 'map', formula: 'b * x^2' },
        { id: 'p', kind: 'map', formula: 'a + scaled' },
        { id: 'l', kind: 'least-squares', prediction: 'p', observed: 'y' },
      ],
      { tables: table, objective: 'l' },
    ),
  );
  const { hessian } = (await json('hessian', path, '--of', 'l')) as Hessian;
  // 2·Jᵀ·J of the four rows: Σ x² = 14, Σ x⁴ = 98
  expect(hessian).toEqual([
    [8, 28],
    [28, 196],
  ]);
});

it('a density of values of which one is missing', async () => {
  const path = written(
    documentOf(
      [
        constant('y', [1, 'NaN', 4]),
        parameter('m', 0),
        { id: 'p', kind: 'map', formula: '-(y - m)^2/2' },
        { id: 'l', kind: 'likelihood', family: 'density', observed: 'y', logDensity: 'p' },
      ],
      { objective: 'l' },
    ),
  );
  const fit = (await json('fit', path)) as Fit;
  expect(fit).toMatchObject({ status: 'converged', parameters: { m: { value: 2.5 } } });
});

it('a product of matrices', async () => {
  const rows = [
    [1, 2],
    [1, 'NaN'],
    [1, 3],
    [1, 5],
  ];
  const path = written(
    documentOf(
      [
        constant('X', rows),
        constant('y', [1, 'NaN', 2, 3.5]),
        parameter('beta', [0, 0]),
        { id: 'p', kind: 'matmul', left: 'X', right: 'beta' },
        { id: 'l', kind: 'least-squares', prediction: 'p', observed: 'y' },
      ],
      { objective: 'l' },
    ),
  );
  const { hessian } = (await json('hessian', path, '--of', 'l')) as Hessian;
  expect(hessian).toEqual([
    [6, 20],
    [20, 76],
  ]);
});

it('where the row counts, nothing is hidden', async () => {
  const path = written(
    documentOf([
      constant('x', [1, 'NaN', 3]),
      parameter('b', 2),
      map('at', 'b*x'),
      { id: 'total', kind: 'reduce', operator: 'add', values: 'at' },
    ]),
  );
  expect(await json('differentiate', path, '--of', 'total')).toMatchObject({
    value: 'NaN',
    adjoints: { b: 'NaN' },
  });
});
