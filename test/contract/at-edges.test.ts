/**
 * Fits that end at an edge – a share of 0, a scale of 0, a bound that moves –, through the command line: the minimum is the
 * constrained one, and what is told of the others is what closed forms, or SciPy by brute force, have.
 */
import { describe, expect, it } from 'vitest';
import { documentOf, fitJson, map, parameter, quietJson, written, type PlainBlock } from '../support/command-line.ts';

interface Row {
  readonly value: number | readonly number[];
  readonly lower: number | null | readonly (number | null)[];
  readonly upper: number | null | readonly (number | null)[];
  readonly standardError?: number | null | readonly (number | null)[];
  readonly verdict?: { readonly reason: string };
}
interface Study {
  readonly parameters: Readonly<Record<string, Row>>;
  readonly quantities?: Readonly<Record<string, Row>>;
  readonly diagnostics: Readonly<Record<string, number>>;
}
interface Fit {
  readonly status: string;
  readonly reason: string;
  readonly objective: number;
  readonly iterations: number;
  readonly parameters: Readonly<
    Record<string, { readonly value: readonly number[]; readonly standardError: readonly (number | null)[] }>
  >;
  readonly quantities?: Readonly<
    Record<string, { readonly standardError: number | null; readonly lower95: number | null }>
  >;
}

const column = (id: string, type = 'real'): PlainBlock => ({ id, kind: 'column', table: 't', column: id, type });
const least = (prediction: string, observed = 'y'): PlainBlock => ({
  id: 'l',
  kind: 'least-squares',
  prediction,
  observed,
});
const study = (path: string, ...options: string[]) => quietJson<Study>(['uncertainty', path, ...options]);

describe('a share that is 0', () => {
  // The least of ‖q − y‖² over shares: (0.6, 0.4, 0), 0.03.
  const path = written(
    documentOf(
      [
        { id: 'y', kind: 'constant', value: [0.7, 0.5, -0.1] },
        parameter('q', [0.3, 0.3, 0.4], { support: 'simplex' }),
        least('q'),
      ],
      { objective: 'l' },
    ),
  );

  it('is a minimum, at which the others have their errors', async () => {
    const fit = await fitJson<Fit>([path]);
    expect(fit).toMatchObject({ status: 'converged', reason: expect.stringContaining('a share is 0') as string });
    expect(fit.objective).toBeCloseTo(0.03, 12);
    const { value, standardError } = fit.parameters['q']!;
    [0.6, 0.4, 0].forEach((share, i) => expect(value[i]).toBeCloseTo(share, 12));
    // One share is free, seen by two of three rows: √(0.015/2).
    expect(standardError).toEqual([expect.closeTo(Math.sqrt(0.0075), 8), expect.closeTo(Math.sqrt(0.0075), 8), null]);
  });

  it('has profiles of the others that are those of the constrained problem', async () => {
    const { parameters } = await study(path, '--method', 'profile');
    const { lower, upper } = parameters['q'] as unknown as { lower: number[]; upper: number[] };
    // By t₂ = 4.30265 and s² = 0.015, where a lower q₀ lets the third share rise: (q₀ − 0.7)² + 2·((0.4 − q₀)/2)² has risen by s²·t².
    const risen = 0.03 + 0.015 * 4.302652729911275 ** 2;
    expect((lower[0]! - 0.7) ** 2 + (0.6 - lower[0]!) ** 2 / 2).toBeCloseTo(risen, 4);
    expect(upper[0]).toBeCloseTo(0.6 + 4.302652729911275 * Math.sqrt(0.0075), 4);
    // Of the share itself: (0.2 + q)²/2 + (q + 0.1)² has risen as far.
    expect(lower[2]).toBe(0);
    expect((0.2 + upper[2]!) ** 2 / 2 + (upper[2]! + 0.1) ** 2).toBeCloseTo(risen, 6);
  });

  it('of a likelihood has the interval of its profile, and no standard error', async () => {
    // Of 12, 8 and 0 of three kinds: −20·log(1 − p) has risen by ½·χ².
    const counts = written(
      documentOf(
        [
          { id: 'y', kind: 'constant', value: [12, 8, 0] },
          parameter('p', [0.4, 0.3, 0.3], { support: 'simplex' }),
          map('logs', 'xlogy(y, p)'),
          { id: 'l', kind: 'likelihood', family: 'density', observed: 'y', logDensity: 'logs' },
        ],
        { objective: 'l' },
      ),
    );
    const { lower, upper } = (await study(counts, '--method', 'profile')).parameters['p'] as unknown as {
      lower: number[];
      upper: number[];
    };
    expect(lower[2]).toBe(0);
    expect(upper[2]).toBeCloseTo(1 - Math.exp(-(1.959963984540054 ** 2) / 40), 6);
    expect((await fitJson<Fit>([counts])).parameters['p']!.standardError[2]).toBeNull();
  });
});

describe('shares of a sum', () => {
  // -Σ n·log w is least at w = n/Σn, and what is binomial there has √(w·(1 − w)/Σn).
  const METHODS = ['newton-cg', 'l-bfgs-b', 'adam', 'nelder-mead'] as const;
  const counted = (counts: readonly number[]): string =>
    written(
      documentOf(
        [
          { id: 'n', kind: 'constant', value: counts },
          parameter('w', counts.length === 2 ? [0.5, 0.5] : [0.3, 0.3, 0.4], { support: 'simplex' }),
          map('terms', '-n*log(w)'),
          { id: 'l', kind: 'reduce', operator: 'add', values: 'terms' },
        ],
        { objective: 'l' },
      ),
    );
  const reason = 'no step reduces the objective any further; "w" is at its edge: a share is 0';
  interface Verdicts {
    readonly parameters: { readonly w: { readonly verdict: readonly { readonly reason: string }[] } };
  }

  it.each(METHODS.flatMap((method) => [0, 1, 2].map((zero) => [method, zero] as const)))(
    'are told alike by %s where share %i is 0',
    async (method, zero) => {
      const counts = [12, 5];
      counts.splice(zero, 0, 0);
      const fit = await fitJson<Fit>([counted(counts), '--method', method]);
      expect(fit).toMatchObject({ status: 'converged', reason });
      const { value, standardError } = fit.parameters['w']!;
      const error = Math.sqrt((12 / 17) * (5 / 17) * (1 / 17));
      counts.forEach((n, i) => {
        expect(value[i]).toBeCloseTo(n / 17, 9);
        expect(standardError[i]).toEqual(i === zero ? null : expect.closeTo(error, 8));
      });
    },
  );

  it.each(METHODS)('have no errors where one is all, by %s', async (method) => {
    const fit = await fitJson<Fit>([counted([12, 0, 0]), '--method', method]);
    expect(fit).toMatchObject({ status: 'converged', reason });
    expect(fit.parameters['w']!.standardError).toEqual([null, null, null]);
    const two = await fitJson<Fit>([counted([0, 7]), '--method', method]);
    expect(two).toMatchObject({ status: 'converged', reason });
    expect(two.parameters['w']!.standardError).toEqual([null, null]);
  });

  it('bear the name that their parameter has', async () => {
    const { parameters } = await quietJson<Verdicts>(['uncertainty', counted([12, 0, 5]), '--method', 'covariance']);
    expect(parameters.w.verdict[1]!.reason).toBe('not determined: it is at its edge: a share is 0');
  });

  it('have the errors of their face by squares too, by each method', async () => {
    const path = written(
      documentOf(
        [
          { id: 'x', kind: 'constant', value: SQUARES.map(([, ...row]) => row) },
          { id: 'y', kind: 'constant', value: SQUARES.map(([y]) => y) },
          parameter('w', [0.3, 0.3, 0.4], { support: 'simplex' }),
          map('terms', 'w*x'),
          { id: 'm', kind: 'reduce', operator: 'add', values: 'terms', axis: 1 },
          least('m'),
        ],
        { objective: 'l' },
      ),
    );
    // y − x₁ = w₀·(x₀ − x₁), a line through 0.
    const [z, r] = [SQUARES.map(([, a, b]) => a - b), SQUARES.map(([y, , b]) => y - b)];
    const sum = (f: (i: number) => number): number => SQUARES.reduce((total, _, i) => total + f(i), 0);
    const zz = sum((i) => z[i]! ** 2);
    const w = sum((i) => z[i]! * r[i]!) / zz;
    const error = Math.sqrt(sum((i) => (r[i]! - w * z[i]!) ** 2) / (SQUARES.length - 1) / zz);
    for (const method of ['levenberg-marquardt', 'newton-cg', 'l-bfgs-b', 'nelder-mead']) {
      const fit = await fitJson<Fit>([path, '--method', method]);
      expect(fit).toMatchObject({ status: 'converged', reason });
      expect(fit.parameters['w']!.value[0]).toBeCloseTo(w, 8);
      expect(fit.parameters['w']!.standardError).toEqual([expect.closeTo(error, 8), expect.closeTo(error, 8), null]);
    }
  });
});

/** y, and what three shares are of. */
const SQUARES = [
  [-1.0093, 0.428, -0.571, 2.654],
  [-0.8738, -1.609, 0.662, -0.143],
  [0.7967, -0.355, 1.066, -1.818],
  [-1.0537, -0.985, -0.114, 1.741],
  [1.0252, 0.089, 0.896, -1.863],
  [-0.2005, -1.239, 0.97, -0.628],
  [1.0979, -0.063, 0.731, -2.205],
  [-0.2597, -1.201, -0.094, -1.546],
  [-0.2035, -0.711, -0.042, -0.665],
  [-0.6722, -0.269, 0.041, 1.33],
  [1.3148, 1.579, -0.395, -0.828],
  [0.6511, 0.889, 0.511, 0.249],
] as const;

describe('a share by its logit, at its bound', () => {
  it('has the bootstrap that it has on a linear scale', async () => {
    const columns = {
      x: [0.5, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 0.5, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0],
      y: [
        0.3019, 0.173, 0.5703, 0.6578, 0.763, 0.8873, 0.8284, 0.9679, 0.9364, 1.1893, 0.193, 0.3052, 0.5283, 0.6517,
        0.7268, 0.8767, 0.9786, 0.9675, 1.0458, 0.9779,
      ],
    };
    const ends: Row[] = [];
    for (const scale of [{}, { scale: 'logit' }]) {
      const blocks = [
        ...[column('x'), column('y'), parameter('q', 0.9, { lower: 0, upper: 1, ...scale })],
        ...[parameter('k', 0.5, { lower: 0 }), map('m', 'q*(1 - exp(-k*x))'), least('m')],
      ];
      const path = written(documentOf(blocks, { tables: { t: { columns } }, objective: 'l' }));
      ends.push((await study(path, '--method', 'bootstrap')).parameters['q']!);
    }
    expect(ends[0]!.upper).toBe(1);
    expect(ends[1]!.upper).toBe(1);
    expect(ends[1]!.lower).toBeCloseTo(ends[0]!.lower as number, 6);
  });
});

describe('what runs off, by its logarithm', () => {
  it.each(['newton-cg', 'l-bfgs-b', 'adam', 'nelder-mead'])('is no edge of the model, by %s', async (method) => {
    // Spread evenly, less than normal noise is: Student's t comes nearer as its degrees grow.
    const y = Array.from({ length: 16 }, (_, i) => (i - 7.5) / 8);
    const fit = await fitJson<Fit>(
      [
        written(
          documentOf(
            [
              ...[{ id: 'y', kind: 'constant', value: y }, parameter('mu', 0.5)],
              ...[parameter('s', 0.5, { scale: 'log' }), parameter('nu', 4, { scale: 'log' })],
              ...[
                {
                  id: 'l',
                  kind: 'likelihood',
                  family: 'student-t',
                  observed: 'y',
                  mean: 'mu',
                  scale: 's',
                  degrees: 'nu',
                },
              ],
            ],
            { objective: 'l' },
          ),
        ),
        '--method',
        method,
      ],
      3,
    );
    expect(fit).toMatchObject({
      status: 'not-converged',
      reason: expect.stringMatching(/"nu" runs off|"nu" has no influence, but has elsewhere/) as string,
    });
  });
});

describe('a scale that is 0', () => {
  it('has the end of its profile that the data have: least squares', async () => {
    const blocks = [
      ...[column('x'), column('y'), parameter('a', 1), parameter('b', 0.1, { support: 'positive' })],
      ...[map('m', 'a + b*x'), least('m')],
    ];
    const columns = { x: [0, 1, 2, 3, 4, 5], y: [1, 1.2, 0.9, 1.1, 0.8, 1.05] };
    const { parameters } = await study(
      written(documentOf(blocks, { tables: { t: { columns } }, objective: 'l' })),
      '--method',
      'profile',
    );
    // Σ(y − ȳ)²·(1 + t₅²/5) is the line's with b: a quadratic.
    const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
    const [mx, my] = [mean(columns.x), mean(columns.y)];
    const sxx = columns.x.reduce((sum, x) => sum + (x - mx) ** 2, 0);
    const sxy = columns.x.reduce((sum, x, i) => sum + (x - mx) * (columns.y[i]! - my), 0);
    const syy = columns.y.reduce((sum, y) => sum + (y - my) ** 2, 0);
    const room = (syy * 2.570581835636314 ** 2) / 5;
    expect(parameters['b']).toMatchObject({ lower: 0 });
    expect(parameters['b']!.upper).toBeCloseTo((sxy + Math.sqrt(sxy ** 2 + sxx * room)) / sxx, 6);
  });

  it('has those of others too: a negative binomial that is a Poisson', async () => {
    const blocks = [
      { id: 'y', kind: 'constant', type: 'int', value: [3, 5, 4, 6, 2] },
      ...[parameter('m', 4), parameter('d', 0.1, { support: 'positive' })],
      { id: 'l', kind: 'likelihood', family: 'negative-binomial', observed: 'y', mean: 'mean', dispersion: 'd' },
      { id: 'ones', kind: 'constant', value: [1, 1, 1, 1, 1] },
      map('mean', 'm*ones'),
    ];
    const { parameters } = await study(written(documentOf(blocks, { objective: 'l' })), '--method', 'profile');
    // SciPy's nbinom, the other parameter optimised at each value.
    expect(parameters['d']!.upper).toBeCloseTo(0.48711, 4);
    expect(parameters['m']!.lower).toBeCloseTo(2.4904, 4);
  });
});

describe('replicates', () => {
  const groups = { g: ['a', 'a', 'b', 'b', 'c'], y: [1, 1.2, 3, 3.3, 7] };
  const rows = documentOf(
    [
      ...[column('y'), column('g', 'category'), parameter('k', 2, { like: 'g' })],
      ...[{ id: 'm', kind: 'gather', from: 'k', indices: 'g' }, least('m')],
    ],
    { tables: { t: { columns: groups } }, objective: 'l' },
  );

  it('tell nothing of a group of one row, and those without it are left out', async () => {
    const options = ['--method', 'bootstrap', '--resample', 'cases', '--samples', '400'];
    const { parameters, diagnostics } = await study(written(rows), ...options);
    const { lower, upper } = parameters['k'] as unknown as { lower: (number | null)[]; upper: (number | null)[] };
    expect([lower[2], upper[2]]).toEqual([null, null]);
    expect(lower[0]).toBeLessThan(1.1);
    // Each of three groups is drawn at all in 1 − 2·0.6⁵ − 0.8⁵ + 0.2⁵ + 2·0.4⁵ = 0.538 of the replicates.
    expect(diagnostics['failed']! / 400).toBeGreaterThan(0.38);
    expect(diagnostics['failed']! / 400).toBeLessThan(0.56);
  });

  it('of as many rows as parameters tell nothing', async () => {
    const blocks = [column('x'), column('y'), parameter('a', 1), parameter('b', 1), map('m', 'a + b*x'), least('m')];
    const document = documentOf(blocks, { tables: { t: { columns: { x: [0, 1], y: [1, 2.2] } } }, objective: 'l' });
    const { parameters } = await study(written(document), '--method', 'bootstrap', '--samples', '100');
    expect(parameters).toMatchObject({ a: { lower: null, upper: null }, b: { lower: null, upper: null } });
  });

  it('leave a bound that moves as they leave one that does not', async () => {
    const x = Array.from({ length: 12 }, (_, i) => i / 11);
    const y = [1.204, 0.914, 1.356, 1.377, 1.484, 1.578, 1.443, 1.642, 1.575, 1.965, 1.601, 1.465];
    const tables = { t: { columns: { x, y } } };
    const moving = [
      ...[column('x'), column('y'), parameter('a', 0.5), parameter('b', 0.5, { upper: 'most' }), parameter('c', 0)],
      ...[map('most', '(3 - a)/2'), map('m', 'a + b*x + c*x^2'), least('m')],
    ];
    const plain = [
      ...[column('x'), column('y'), parameter('a', 0.5), parameter('s', 0.5, { lower: 0 }), parameter('c', 0)],
      ...[map('b', '(3 - a)/2 - s'), map('m', 'a + b*x + c*x^2'), least('m')],
    ];
    const options = ['--method', 'bootstrap', '--samples', '400', '--seed', '3'];
    const studyOf = (blocks: readonly PlainBlock[]) =>
      study(written(documentOf(blocks, { tables, objective: 'l' })), ...options);
    const one = await studyOf(moving);
    const other = await studyOf(plain);
    expect(one.diagnostics).toMatchObject({ failed: 0, replicates: 400 });
    for (const id of ['a', 'c'])
      for (const end of ['lower', 'upper'] as const)
        expect(one.parameters[id]![end]).toBeCloseTo(other.parameters[id]![end] as number, 3);
  });
});

it('a fit that has not converged has no errors of shares and quantities either', async () => {
  const document = documentOf(
    [
      ...[column('x'), column('y'), parameter('a', 1), parameter('q', [0.2, 0.5, 0.3], { support: 'simplex' })],
      ...[
        { id: 'one', kind: 'slice', values: 'q', start: 0, stop: 1 },
        { id: 'p', kind: 'reduce', operator: 'add', values: 'one' },
      ],
      ...[map('m', 'p + exp(-a*x)'), least('m'), { id: 'half', kind: 'quantity', formula: 'log(2)/a' }],
    ],
    { tables: { t: { columns: { x: [0, 1, 2, 3, 4], y: [1.31, 0.92, 0.71, 0.52, 0.47] } } }, objective: 'l' },
  );
  const fit = await fitJson<Fit>([written(document), '--max-iterations', '1'], 3);
  expect(fit.status).toBe('not-converged');
  expect(fit.parameters['q']!.standardError).toEqual([null, null, null]);
  expect(fit.quantities?.['half']).toMatchObject({ standardError: null, lower95: null });
});

describe.each([
  ['none of three counts', 0],
  ['all of three counts', 1],
] as const)('a probability of %s, varied by its logit', (_, share) => {
  const trials = [5, 6, 7];
  const model = (scale: string): string =>
    written(
      documentOf(
        [
          column('k'),
          column('n'),
          parameter('p', 0.3, { lower: 0, upper: 1, scale }),
          { id: 'l', kind: 'likelihood', family: 'binomial', observed: 'k', probability: 'p', trials: 'n' },
        ],
        { tables: { t: { columns: { k: trials.map((n) => share * n), n: trials } } }, objective: 'l' },
      ),
    );
  const side = share === 0 ? 'lower' : 'upper';

  it('is at its bound', async () => {
    const found = await fitJson<Fit>([model('logit')]);
    expect(found).toMatchObject({
      status: 'converged',
      reason: expect.stringContaining(`"p" is at its ${side} bound`) as string,
    });
    expect(found.parameters['p']!.value).toBeCloseTo(share, 12);
    // No part of nothing is small: it would go on for as long as there are numbers.
    expect(found.iterations).toBeLessThan(100);
  });

  it('is there in every replicate', async () => {
    const { parameters, diagnostics } = await study(model('logit'), '--method', 'bootstrap', '--samples', '40');
    expect(diagnostics).toMatchObject({ replicates: 40, failed: 0 });
    expect(parameters['p']!.verdict!.reason).toMatch(new RegExp(`its ${side} bound,? ${share}\\b`, 'u'));
  });

  it('has the profile of its likelihood', async () => {
    const { p } = (await study(model('logit'), '--method', 'profile')).parameters;
    // −18·log(1 − p) has risen by ½·χ².
    const reach = -Math.expm1(-1.920729410347062 / 18);
    const [lower, upper] = share === 0 ? [0, reach] : [1 - reach, 1];
    expect(p!.lower).toBeCloseTo(lower, 6);
    expect(p!.upper).toBeCloseTo(upper, 6);
    const way = share === 0 ? 'down' : 'up';
    expect(p!.verdict!.reason).toContain(`not excluded ${way} to its ${side} bound ${share}`);
  });
});

it('a slope at its bound by its logit leaves the other the errors that it has beside a bounded one', async () => {
  const x = [0, 1, 2, 3, 4, 5];
  const noise = [0.3, -0.2, 0.1, -0.3, 0.25, -0.1];
  const y = x.map((at, i) => 1 + 1.2 * at + noise[i]!);
  const { status, parameters } = await fitJson<Fit>([
    written(
      documentOf(
        [
          column('x'),
          column('y'),
          parameter('a', 0.5),
          parameter('p', 0.4, { lower: 0, upper: 1, scale: 'logit' }),
          map('m', 'a + p*x'),
          least('m'),
        ],
        { tables: { t: { columns: { x, y } } }, objective: 'l' },
      ),
    ),
  ]);
  expect(status).toBe('converged');
  // With a slope of 1 a is the mean of what is left, and the five others tell of its spread.
  const left = y.map((each, i) => each - x[i]!);
  const mean = left.reduce((sum, each) => sum + each, 0) / 6;
  const variance = left.reduce((sum, each) => sum + (each - mean) ** 2, 0) / 5;
  expect(parameters['a']!.value).toBeCloseTo(mean, 8);
  expect(parameters['a']!.standardError).toBeCloseTo(Math.sqrt(variance / 6), 8);
  expect(parameters['p']).toMatchObject({ value: expect.closeTo(1, 8) as number, standardError: null });
});
