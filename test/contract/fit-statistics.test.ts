/**
 * What a study says of a fit as a whole, against linear regression, where all of it is exact: with X = (1, x) and weights
 * w, G = (Xᵀ·diag(w)·X)⁻¹, p̂ = G·Xᵀ·diag(w)·y, leverages h(x) = (1, x)·G·(1, x)ᵀ.
 */
import { describe, expect, it } from 'vitest';
import {
  constant,
  documentOf,
  expectClose,
  map,
  parameter,
  quietJson,
  written,
  type PlainBlock,
} from '../support/command-line.ts';

interface Study {
  readonly parameters: Record<string, Record<'value' | 'lower' | 'upper' | 'standardError', number>>;
  readonly correlation: { readonly matrix: number[][] };
  readonly statistics: Record<string, number | null>;
  readonly bands: Record<
    string,
    Record<'value' | 'lower' | 'upper' | 'predictionLower' | 'predictionUpper', unknown[]>
  >;
}
type Pair = readonly [number, number];
type Matrix = readonly [Pair, Pair];

/** One row is not observed: it counts nowhere, and still has a place in the band. */
const xs = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const ys = [1.2, 2.7, 5.4, 6.9, 'NaN', 10.6, 13.9, 14.2, 17.8];
const strengths = [1, 2, 0.5, 1, 3, 0.25, 1, 0.5, 4];
const rows = xs.flatMap((x, i) => (typeof ys[i] === 'number' ? [{ x, y: ys[i], s: strengths[i]! }] : []));
const n = 8;
/** Quantiles of Student's t with 6 degrees of freedom and of the normal distribution, from tables. */
const t975 = 2.4469118511449692;
const t900 = 1.4397557472577693;
const z975 = 1.959963984540054;
const logTwoPi = Math.log(2 * Math.PI);

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const at = (x: number): Pair => [1, x];

/** Weighted least squares by the normal equations of two columns. */
function regression(weights: readonly number[]) {
  const moment = (power: number) => sum(rows.map(({ x }, i) => weights[i]! * x ** power));
  const [m0, m1, m2] = [moment(0), moment(1), moment(2)];
  const determinant = m0 * m2 - m1 * m1;
  const g: Matrix = [
    [m2 / determinant, -m1 / determinant],
    [-m1 / determinant, m0 / determinant],
  ];
  const right = [0, 1].map((k) => sum(rows.map(({ x, y }, i) => weights[i]! * x ** k * y))) as [number, number];
  const p = g.map((row) => row[0] * right[0] + row[1] * right[1]) as [number, number];
  const residuals = rows.map(({ x, y }) => p[0] + p[1] * x - y);
  const squares = sum(residuals.map((r, i) => weights[i]! * r * r));
  return { g, p, residuals, squares };
}

/** Σ w·(y − ȳ)². */
function about(weights: readonly number[]): number {
  const mean = sum(rows.map(({ y }, i) => weights[i]! * y)) / sum(weights);
  return sum(rows.map(({ y }, i) => weights[i]! * (y - mean) ** 2));
}

const quadratic = (c: Matrix, [u, v]: Pair): number => u * u * c[0][0] + 2 * u * v * c[0][1] + v * v * c[1][1];
const scaled = (c: Matrix, factor: number): Matrix => c.map((row) => row.map((x) => factor * x)) as never;

/** White's estimate: each row's influence G·(1, x)·w·r, squared; HC0 times n/(n − p), which is HC1. */
function sandwich(g: Matrix, weights: readonly number[], residuals: readonly number[]): Matrix {
  const influence = rows.map(({ x }, i) => {
    const pull = weights[i]! * residuals[i]!;
    return g.map((row) => pull * (row[0] + row[1] * x)) as [number, number];
  });
  const entry = (i: 0 | 1, j: 0 | 1) => sum(influence.map((row) => row[i] * row[j]));
  const hc0: Matrix = [
    [entry(0, 0), entry(0, 1)],
    [entry(1, 0), entry(1, 1)],
  ];
  return scaled(hc0, n / (n - 2));
}

const study = (loss: PlainBlock, ...options: string[]): Promise<Study> =>
  quietJson([
    'uncertainty',
    written(
      documentOf(
        [
          constant('x', xs),
          constant('y', ys),
          constant('s', strengths),
          parameter('a', 0),
          parameter('k', 1),
          map('m', 'a + k*x'),
          { id: 'l', kind: 'least-squares', prediction: 'm', observed: 'y', ...loss },
        ],
        { objective: 'l' },
      ),
    ),
    '--method',
    'covariance',
    '--band',
    'm',
    ...options,
  ]);

/** Holds intervals, correlation and bands against p, its covariance and the quantile; `noise`: the variance of one row. */
function expectIntervals(found: Study, p: Pair, c: Matrix, quantile: number, noise?: number): void {
  (['a', 'k'] as const).forEach((name, j) => {
    const { value, lower, upper, standardError } = found.parameters[name]!;
    const error = Math.sqrt(c[j as 0 | 1][j as 0 | 1]);
    const wanted = [p[j]!, error, p[j]! - quantile * error, p[j]! + quantile * error];
    expectClose([value, standardError, lower, upper], wanted, 1e-8, name);
  });
  const rho = c[0][1] / Math.sqrt(c[0][0] * c[1][1]);
  expectClose(
    found.correlation.matrix,
    [
      [1, rho],
      [rho, 1],
    ],
    1e-8,
    'the correlation',
  );
  const centre = xs.map((x) => p[0] + p[1] * x);
  const about = (sign: number, more: number) =>
    xs.map((x, i) => centre[i]! + sign * quantile * Math.sqrt(quadratic(c, at(x)) + more));
  const { value, lower, upper, predictionLower, predictionUpper } = found.bands['m']!;
  expectClose([value, lower, upper], [centre, about(-1, 0), about(1, 0)], 1e-8, 'the band');
  const none = xs.map(() => null);
  const prediction = noise === undefined ? [none, none] : [about(-1, noise), about(1, noise)];
  expectClose([predictionLower, predictionUpper], prediction, 1e-8, 'the prediction band');
}

describe('a straight line with unknown noise', () => {
  const ones = rows.map(() => 1);
  const { g, p, residuals, squares } = regression(ones);
  const variance = squares / (n - 2);

  it.each([
    ['0.95', t975],
    ['0.8', t900],
  ] as const)('has t intervals, confidence and prediction bands by its leverages, at %s', async (level, t) => {
    // The trace of the hat matrix is the number of parameters.
    expect(sum(rows.map(({ x }) => quadratic(g, at(x))))).toBeCloseTo(2, 12);
    expectIntervals(await study({}, '--level', level), p, scaled(g, variance), t, variance);
  });

  it('has the criteria of a normal likelihood at its largest, sigma counted', async () => {
    const { statistics } = await study({});
    const sigma2 = squares / n;
    const logLikelihood = sum(residuals.map((r) => -0.5 * (logTwoPi + Math.log(sigma2) + (r * r) / sigma2)));
    const { runsTestP: _runs, runsTestZ: _more, normalityP: _normality, ...criteria } = statistics;
    expectClose(
      criteria,
      {
        observations: n,
        parameters: 2,
        logLikelihood,
        aic: 6 - 2 * logLikelihood,
        aicc: 6 - 2 * logLikelihood + 24 / (n - 4),
        bic: 3 * Math.log(n) - 2 * logLikelihood,
        degreesOfFreedom: n - 2,
        residualStandardError: Math.sqrt(variance),
        rSquared: 1 - squares / about(ones),
      },
      1e-9,
    );
  });

  it('has the sandwich of White on request', async () => {
    expectIntervals(await study({}, '--sandwich'), p, sandwich(g, ones, residuals), t975, variance);
  });

  it('says beside intervals by another method that the sandwich is none of theirs', async () => {
    const said = /^the sandwich is a covariance: .* the intervals by profile as they are without it/;
    const { warnings } = (await study({}, '--method', 'profile', '--sandwich')) as unknown as { warnings: string[] };
    expect(warnings).toEqual([expect.stringMatching(said)]);
  });

  it('has a runs test of the moments that all orders of its signs have', async () => {
    const signs = residuals.map((r) => r > 0);
    const runs = (row: readonly boolean[]): number => 1 + row.slice(1).filter((sign, i) => sign !== row[i]).length;
    const orders = Array.from({ length: 2 ** n }, (_, bits) => rows.map((_, i) => ((bits >> i) & 1) === 1));
    const above = signs.filter(Boolean).length;
    const counts = orders.filter((row) => row.filter(Boolean).length === above).map(runs);
    const mean = sum(counts) / counts.length;
    const variance = sum(counts.map((count) => (count - mean) ** 2)) / counts.length;
    const z = Math.abs(runs(signs) - mean) / Math.sqrt(variance);
    // ½ − ∫φ from 0 to z, by Simpson's rule.
    const h = z / 200;
    const phi = (u: number): number => Math.exp(-0.5 * (u * u + logTwoPi));
    const inside = sum(Array.from({ length: 201 }, (_, i) => (i % 200 === 0 ? 1 : i % 2 === 1 ? 4 : 2) * phi(i * h)));
    const { statistics } = await study({});
    expect(z).toBeGreaterThan(0.5);
    expect(statistics['runsTestP']).toBeCloseTo(1 - (2 * inside * h) / 3, 9);
  });
});

describe('a straight line with weights', () => {
  const weights = rows.map(({ s }) => s);
  const { g, p, residuals, squares } = regression(weights);
  const variance = squares / (n - 2);

  it('has the intervals of weighted least squares, and a prediction band for a row of weight 1', async () => {
    const found = await study({ weights: 's' });
    expectIntervals(found, p, scaled(g, variance), t975, variance);
    expectClose(found.statistics['residualStandardError'], Math.sqrt(variance), 1e-9);
  });

  it("has R's criteria: those of lm(y ~ x, weights = w)", async () => {
    const { logLikelihood, aic, bic, rSquared } = (await study({ weights: 's' })).statistics;
    expectClose(
      { logLikelihood, aic, bic, rSquared },
      {
        logLikelihood: -5.51106199901433,
        aic: 17.02212399802867,
        bic: 17.26044862306817,
        rSquared: 1 - squares / about(weights),
      },
      1e-12,
    );
  });

  it('has a sandwich in which each row pulls by its weight', async () => {
    const found = await study({ weights: 's' }, '--sandwich');
    expectIntervals(found, p, sandwich(g, weights, residuals), t975, variance);
  });
});

describe('a straight line by a robust loss', () => {
  // Three rows far off, of ten.
  const x = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
  const y = [1.02, 2.97, 5.05, 16.9, 9.01, 10.96, 3.1, 15.04, 16.97, 30.2];
  const c = 0.1;
  const losses = {
    huber: { psi: (r: number) => Math.max(-c, Math.min(c, r)), slope: (r: number) => (Math.abs(r) <= c ? 1 : 0) },
    cauchy: {
      psi: (r: number) => r / (1 + (r / c) ** 2),
      slope: (r: number) => (1 - (r / c) ** 2) / (1 + (r / c) ** 2) ** 2,
    },
  };

  it.each(['huber', 'cauchy'] as const)('has the errors of an M-estimator: %s', async (kind) => {
    const { psi, slope } = losses[kind];
    const path = written(
      documentOf(
        [
          constant('x', x),
          constant('y', y),
          parameter('a', 1),
          parameter('k', 2),
          map('m', 'a + k*x'),
          { id: 'l', kind: 'least-squares', prediction: 'm', observed: 'y', loss: { kind, scale: c } },
        ],
        { objective: 'l' },
      ),
    );
    const fitted = await quietJson<Pick<Study, 'parameters'>>(['fit', path]);
    const [a, k] = ['a', 'k'].map((name) => fitted.parameters[name]!.value) as [number, number];
    const residuals = x.map((each, i) => a + k * each - y[i]!);
    // C = n/(n − 2)·A⁻¹·B·A⁻¹ with A = Σ ψ′·(1, x)(1, x)ᵀ and B = Σ ψ²·(1, x)(1, x)ᵀ.
    const moment = (weights: readonly number[], power: number) => sum(x.map((each, i) => weights[i]! * each ** power));
    const [slopes, squares] = [residuals.map(slope), residuals.map((r) => psi(r) ** 2)];
    const [a0, a1, a2] = [0, 1, 2].map((power) => moment(slopes, power)) as [number, number, number];
    const determinant = a0 * a2 - a1 * a1;
    const inverse: Matrix = [
      [a2 / determinant, -a1 / determinant],
      [-a1 / determinant, a0 / determinant],
    ];
    const errors = inverse.map(([u, v]) => {
      const [b0, b1, b2] = [0, 1, 2].map((power) => moment(squares, power)) as [number, number, number];
      return Math.sqrt((x.length / (x.length - 2)) * (u * u * b0 + 2 * u * v * b1 + v * v * b2));
    });
    expectClose(
      ['a', 'k'].map((name) => fitted.parameters[name]?.standardError),
      errors,
      1e-6,
    );

    // The covariance method and a profile near the fit say the same.
    for (const method of ['covariance', 'profile']) {
      const narrow = await quietJson<Study>(['uncertainty', path, '--method', method, '--level', '0.01']);
      const half = (name: string) => (narrow.parameters[name]!.upper - narrow.parameters[name]!.lower) / 2;
      // t with 8 degrees of freedom at 0.505.
      expectClose(
        ['a', 'k'].map(half),
        errors.map((error) => error * 0.0129303579088419),
        method === 'profile' ? 0.02 : 1e-3,
      );
    }
  });
});

describe('a row of weight 0', () => {
  it('is left out as a missing one is', async () => {
    const document = (observed: readonly unknown[], weights: readonly number[]) =>
      written(
        documentOf(
          [
            constant('x', xs),
            constant('y', observed),
            constant('s', weights),
            parameter('a', 0),
            parameter('k', 1),
            map('m', 'a + k*x'),
            { id: 'l', kind: 'least-squares', prediction: 'm', observed: 'y', weights: 's' },
          ],
          { objective: 'l' },
        ),
      );
    const study = (path: string) => quietJson<Study>(['uncertainty', path, '--method', 'covariance']);
    const weightless = await study(
      document(
        ys.map((y) => (y === 'NaN' ? 7 : y)),
        xs.map((x) => (x === 4 ? 0 : 1)),
      ),
    );
    const missing = await study(
      document(
        ys,
        xs.map(() => 1),
      ),
    );
    expect(missing.statistics['observations']).toBe(n);
    expectClose(weightless.parameters, missing.parameters, 1e-9);
    expectClose(weightless.statistics, missing.statistics, 1e-9);
  });
});

describe('a straight line with known noise', () => {
  const weights = rows.map(({ s }) => 1 / (s * s));
  const { g, p, residuals, squares } = regression(weights);

  it('has z intervals, unscaled, and no prediction band, since a new row has no sigma', async () => {
    expectIntervals(await study({ sigma: 's' }), p, g, z975);
  });

  it('has the likelihood of its sigmas and a reduced χ²', async () => {
    const { statistics } = await study({ sigma: 's' });
    const logLikelihood = sum(rows.map(({ s }, i) => -0.5 * (logTwoPi + (residuals[i]! / s) ** 2) - Math.log(s)));
    const { runsTestP: _runs, runsTestZ: _more, normalityP: _normality, ...criteria } = statistics;
    expectClose(
      criteria,
      {
        observations: n,
        parameters: 2,
        logLikelihood,
        aic: 4 - 2 * logLikelihood,
        aicc: 4 - 2 * logLikelihood + 12 / (n - 3),
        bic: 2 * Math.log(n) - 2 * logLikelihood,
        degreesOfFreedom: n - 2,
        reducedChiSquared: squares / (n - 2),
        rSquared: 1 - squares / about(weights),
      },
      1e-9,
    );
  });
});

describe('a Poisson mean', () => {
  const counts = [3, 5, 4, 6, 'NaN', 2];
  const study = (prior?: PlainBlock): Promise<Study> =>
    quietJson([
      'uncertainty',
      written(
        documentOf(
          [
            constant('o', counts),
            parameter('mu', 3, { lower: 0, ...(prior && { prior }) }),
            { id: 'l', kind: 'likelihood', family: 'poisson', observed: 'o', mean: 'mu' },
          ],
          { objective: 'l' },
        ),
      ),
      '--method',
      'covariance',
    ]);

  it('has the criteria of its likelihood, and nothing of residuals', async () => {
    const logLikelihood = 20 * Math.log(4) - 20 - Math.log(6 * 120 * 24 * 720 * 2);
    expectClose(
      (await study()).statistics,
      {
        observations: 5,
        parameters: 1,
        logLikelihood,
        aic: 2 - 2 * logLikelihood,
        aicc: 2 - 2 * logLikelihood + 4 / 3,
        bic: Math.log(5) - 2 * logLikelihood,
        // It is the one mean that it is measured against.
        pseudoRSquared: 0,
      },
      1e-9,
    );
  });

  it('has no criteria beside a prior, where the likelihood is not at its largest', async () => {
    const { statistics } = await study({ family: 'gamma', shape: 2, rate: 1 });
    expect(statistics).toEqual({ observations: 5, parameters: 1 });
  });
});

describe('a robust loss', () => {
  it('has no criteria, for it is no likelihood', async () => {
    const { statistics } = await quietJson<Study>([
      'uncertainty',
      written(
        documentOf(
          [
            constant('o', [1, 2, 4, 9]),
            parameter('mu', 3),
            { id: 'l', kind: 'least-squares', prediction: 'mu', observed: 'o', loss: { kind: 'huber', scale: 1 } },
          ],
          { objective: 'l' },
        ),
      ),
      '--method',
      'covariance',
    ]);
    expect(Object.keys(statistics)).not.toContain('aic');
    expect(statistics).toMatchObject({ observations: 4, parameters: 1, degreesOfFreedom: 3 });
  });
});

describe('a scalar that is made of no observations', () => {
  it('has no BIC, whose penalty is by their number', async () => {
    const { statistics } = await quietJson<Study>([
      'uncertainty',
      written(documentOf([parameter('a', 1), map('z', '(a - 2)^2 + 3')], { objective: 'z' })),
      '--method',
      'covariance',
    ]);
    expect(statistics).toMatchObject({ observations: 0, logLikelihood: -3, aic: 8, aicc: null, bic: null });
  });
});
