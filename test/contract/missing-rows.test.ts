/** A row whose observation is missing is left out, whatever else of it is missing too: of the value and of all derivatives. */
import { describe, expect, it } from 'vitest';
import {
  column,
  constant,
  documentOf,
  fitJson,
  json,
  map,
  parameter,
  type PlainBlock,
  written,
} from '../support/command-line.ts';

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

describe.each([
  ['an observation that is missing', { y: [null, 1, 2, 2.5] }, {}],
  ['a weight of 0', { y: [7, 1, 2, 2.5], w: [0, 1, 1, 1] }, { weights: 'w' }],
])('where log(x) meets an x of 0, beside %s', (_, measured, weights) => {
  const path = written(
    documentOf(
      [
        column('x', { table: 'o' }),
        ...Object.keys(measured).map((id) => column(id, { table: 'o' })),
        parameter('a', 0.4),
        parameter('b', 0.2),
        { id: 'p', kind: 'map', formula: 'a + b * log(x)' },
        { id: 'l', kind: 'least-squares', prediction: 'p', observed: 'y', ...weights },
      ],
      { tables: { o: { columns: { x: [0, 1, 2, 4], ...measured } } }, objective: 'l' },
    ),
  );

  // The line through (log 1, 1), (log 2, 2), (log 4, 2.5).
  it.each(['levenberg-marquardt', 'newton-cg', 'l-bfgs-b', 'nelder-mead'])(
    'the line of the others: %s',
    async (method) => {
      const { status, parameters } = (await json('fit', path, '--method', method)) as Fit;
      expect(status).toBe('converged');
      expect(parameters['a']!.value).toBeCloseTo(13 / 12, 6);
      expect(parameters['b']!.value).toBeCloseTo(0.75 / Math.LN2, 6);
    },
  );

  it('its derivatives, and its intervals', async () => {
    const { hessian } = (await json('hessian', path, '--of', 'l')) as Hessian;
    expect(hessian).toEqual([
      [6, expect.closeTo(6 * Math.LN2, 12)],
      [expect.closeTo(6 * Math.LN2, 12), expect.closeTo(10 * Math.LN2 ** 2, 12)],
    ]);
    const { parameters } = (await json('uncertainty', path, '--method', 'profile')) as Fit;
    // Σ(k − 1)² = 2 and a residual sum of squares of 1/24, with one degree of freedom.
    expect(parameters['b']!.standardError).toBeCloseTo(Math.sqrt(1 / 48) / Math.LN2, 6);
  });
});

describe.each([
  [
    'whole numbers',
    [column('x', { table: 'o', type: 'int' })],
    'a + b * log(x)',
    { x: [0, 1, 2, 3], y: [null, 1, 2, 2.5] },
    {},
  ],
  ['a range', [{ id: 'i', kind: 'range', length: 4, start: -1 }], 'a + b * log(i + 1)', { y: [null, 1, 2, 2.5] }, {}],
  [
    'the position of a row',
    [column('z', { table: 'o' })],
    'a + b * log(index) + 0*z',
    { z: [0, 0, 0, 0], y: [null, 1, 2, 2.5] },
    {},
  ],
  [
    'weights by a formula of the data',
    [column('x', { table: 'o' }), map('w', 'if(x > 0, 1, 0)')],
    'a + b * log(x)',
    { x: [0, 1, 2, 3], y: [7, 1, 2, 2.5] },
    { weights: 'w' },
  ],
  [
    'weights by a formula of a range',
    [{ id: 'i', kind: 'range', length: 4 }, map('w', 'min(i, 1)')],
    'a + b * log(i)',
    { y: [7, 1, 2, 2.5] },
    { weights: 'w' },
  ],
] as const)('a row without a prediction that is left out: %s', (_, rows, formula, columns, weights) => {
  const path = written(
    documentOf(
      [
        ...rows,
        column('y', { table: 'o' }),
        parameter('a', 0.4),
        parameter('b', 0.2),
        map('p', formula),
        { id: 'l', kind: 'least-squares', prediction: 'p', observed: 'y', ...weights },
      ],
      { tables: { o: { columns } }, objective: 'l' },
    ),
  );

  // R's lm(c(1, 2, 2.5) ~ log(1:3)).
  it.each(['levenberg-marquardt', 'newton-cg', 'l-bfgs-b'])('the line of the others: %s', async (method) => {
    const { status, parameters } = (await json('fit', path, '--method', method)) as Fit;
    expect(status).toBe('converged');
    expect(parameters['a']!.value).toBeCloseTo(1.01289469974, 6);
    expect(parameters['b']!.value).toBeCloseTo(1.37368655952, 6);
  });

  it('its curvature', async () => {
    const { hessian } = (await json('hessian', path, '--of', 'l')) as Hessian;
    const logs = [0, Math.log(2), Math.log(3)];
    const [once, twice] = [2 * Math.log(6), 2 * logs.reduce((sum, x) => sum + x * x, 0)];
    expect(hessian).toEqual([
      [6, expect.closeTo(once, 12)],
      [expect.closeTo(once, 12), expect.closeTo(twice, 12)],
    ]);
  });
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

const grouped = {
  columns: {
    x: [0, 1, 2, 3, 0, 1, null, 3, 0, 1, 2, 3, 0, 1, 2, 3],
    y: [1.1, 1.8, 2.2, 3.1, 2.0, 2.9, null, 4.1, 0.2, 0.9, 1.3, 2.2, 1.6, 2.0, 2.9, 3.1],
    g: [...'aaaabbbbccccdddd'],
  },
};
const effects: readonly PlainBlock[] = [
  { id: 'u', kind: 'random-effect', like: 'g', sd: [1] },
  { id: 'ug', kind: 'gather', from: 'u', indices: 'g' },
];
const withColumns = ['x', 'y', 'g'].map((id) => column(id, { table: 'o' }));

it.each<string | object>(['laplace', { agq: 3 }, 'focei', 'fo'])(
  'a linear mixed model, its effects integrated out by %s',
  async (marginal) => {
    const path = written(
      documentOf(
        [
          ...withColumns,
          ...effects,
          parameter('a', 1),
          parameter('b', 0.5),
          parameter('s', 0.5, { scale: 'log' }),
          map('p', 'a + b*x + ug'),
          { id: 'l', kind: 'likelihood', family: 'normal', mean: 'p', sigma: 's', observed: 'y' },
        ],
        { tables: { o: grouped }, objective: 'l', fit: { marginal } },
      ),
    );
    const fit = await fitJson<Fit & { readonly objective: number }>([path]);
    // SciPy: the multivariate normal likelihood of the other 15 rows, at its minimum.
    expect(fit.objective).toBeCloseTo(1.632300705522911, 8);
    for (const [id, value] of Object.entries({ a: 1.23756664, b: 0.62506664, s: 0.14995563, 'u.sd.b': 0.69876916 }))
      expect(fit.parameters[id]!.value).toBeCloseTo(value, 5);
  },
);

it.each<string | object>(['laplace', { agq: 3 }, 'focei'])('Poisson counts of groups, by %s', async (marginal) => {
  const of = (table: object): string =>
    written(
      documentOf(
        [
          ...withColumns,
          ...effects,
          parameter('a', 1),
          parameter('b', 0.1),
          map('mu', 'exp(a + b*x + ug)'),
          { id: 'l', kind: 'likelihood', family: 'poisson', mean: 'mu', observed: 'y' },
        ],
        { tables: { o: table }, objective: 'l', fit: { marginal } },
      ),
    );
  const counts = [3, 2, 5, 9, 0, 1, null, 2, 4, 9, 7, 12, 1, 3, 2, 2];
  const table = { columns: { ...grouped.columns, y: counts } };
  const [missing, without] = [of(table), of({ ...table, excluded: [{ row: 6, why: 'lost' }] })];
  const fits = [await fitJson<Fit>([missing]), await fitJson<Fit>([without])];
  for (const id of ['a', 'b', 'u.sd.b']) {
    const [left, gone] = fits.map(({ parameters }) => parameters[id]!);
    expect(left!.value).toBeCloseTo(gone!.value, 7);
    expect(left!.standardError).toBeCloseTo(gone!.standardError, 6);
  }
});

it('leave-one-out prediction of least squares', async () => {
  const table = { columns: { x: [0, 1, null, 2, 3, 5], y: [1, 2, null, 2, 6, 7] } };
  const squares = { id: 'l', kind: 'least-squares', prediction: 'p', observed: 'y' };
  const of = (formula: string, more: readonly PlainBlock[] = []): string =>
    written(documentOf([...line, ...more, map('p', formula), squares], { tables: { o: table }, objective: 'l' }));
  const parabola = of('a + b*x + c*x^2', [parameter('c', 0.1)]);
  const { models } = (await json('compare', of('a + b*x'), parabola)) as { models: Record<string, unknown>[] };
  // NumPy: each of the five rows by a line through the other four, their squares over 4.
  expect(models[0]!['elpdLoo']).toBeCloseTo(-12.58605462332926, 8);
});
