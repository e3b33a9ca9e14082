/** The contract on `fit`: what is printed, against least squares and likelihoods that have closed forms. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  constant,
  cotangent,
  documentOf,
  expectClose,
  fitJson,
  map,
  parameter,
  quietJson,
  written,
  type PlainBlock,
} from '../support/command-line.ts';
import { runProcess } from '../support/process.ts';

interface Fit {
  readonly status: string;
  readonly objective: number;
  readonly posterior?: number;
  readonly parameters: Record<string, Record<'value' | 'standardError' | 'lower95' | 'upper95', unknown>>;
  readonly correlation: { readonly parameters: string[]; readonly matrix: (number | null)[][] };
  readonly decrement: number | null;
  readonly iterations: number;
  readonly evaluations: number;
  readonly device: string;
  readonly precision: string;
}

const b = (id: string, kind: string, more: PlainBlock): PlainBlock => ({ id, kind, ...more });
const z975 = 1.959963984540054;
/** 0.975 quantile of Student's t with 3 degrees of freedom. */
const t3 = 3.182446305284263;

const xs = [0, 1, 2, 3, 4];
const ys = [1.1, 2.9, 5.2, 6.8, 9.1];
const n = xs.length;
const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;
const sxx = xs.reduce((sum, x) => sum + (x - mean(xs)) ** 2, 0);
const slope = xs.reduce((sum, x, i) => sum + (x - mean(xs)) * (ys[i]! - mean(ys)), 0) / sxx;
const intercept = mean(ys) - slope * mean(xs);
const ssr = xs.reduce((sum, x, i) => sum + (ys[i]! - intercept - slope * x) ** 2, 0);
/** Of intercept and slope for unit variance. */
const unitErrors = { a: Math.sqrt(1 / n + mean(xs) ** 2 / sxx), k: Math.sqrt(1 / sxx) };
const rho = -mean(xs) / sxx / (unitErrors.a * unitErrors.k);

const line = (loss: PlainBlock, more: PlainBlock = {}, a: PlainBlock = {}): unknown =>
  documentOf(
    [
      constant('x', xs),
      constant('y', ys),
      parameter('a', 0, a),
      parameter('k', 1),
      map('m', 'a + k*x'),
      b('l', 'least-squares', { prediction: 'm', observed: 'y', ...loss }),
    ],
    { objective: 'l', ...more },
  );

const interval = (value: number, error: number, quantile: number) => ({
  value,
  standardError: error,
  lower95: value - quantile * error,
  upper95: value + quantile * error,
});

describe('a straight line', () => {
  it('has the letter of the contract, with unknown noise', async () => {
    const s = Math.sqrt(ssr / (n - 2));
    for (const method of ['levenberg-marquardt', 'newton-cg']) {
      const found = await fitJson<Fit>([written(line({})), '--method', method]);
      const { status, objective, parameters, correlation, device, precision, iterations, evaluations } = found;
      expect(Object.keys(found)).toEqual(
        expect.arrayContaining([
          'status',
          'objective',
          'parameters',
          'correlation',
          'iterations',
          'evaluations',
          'device',
          'precision',
        ]),
      );
      expect({ status, device, precision }).toEqual({ status: 'converged', device: 'cpu', precision: 'f64' });
      expectClose(objective, ssr, 1e-9);
      expectClose(
        parameters,
        { a: interval(intercept, s * unitErrors.a, t3), k: interval(slope, s * unitErrors.k, t3) },
        1e-7,
      );
      expectClose(
        correlation,
        {
          parameters: ['a', 'k'],
          matrix: [
            [1, rho],
            [rho, 1],
          ],
        },
        1e-7,
      );
      expect(
        Number.isInteger(iterations) && iterations >= 1 && Number.isInteger(evaluations) && evaluations >= iterations,
      ).toBe(true);
      expect(found.posterior).toBeUndefined();
    }
  });

  it('with known noise has intervals by z, unscaled', async () => {
    for (const method of ['levenberg-marquardt', 'newton-cg']) {
      const { objective, parameters } = await fitJson<Fit>([written(line({ sigma: 0.5 })), '--method', method]);
      expectClose(objective, ssr / 0.25, 1e-9);
      expectClose(
        parameters,
        { a: interval(intercept, 0.5 * unitErrors.a, z975), k: interval(slope, 0.5 * unitErrors.k, z975) },
        1e-7,
      );
    }
  });

  it('with relative weights has the intervals of unknown noise', async () => {
    const s = Math.sqrt(ssr / (n - 2));
    const { objective, parameters } = await fitJson<Fit>([written(line({ weights: 7 }))]);
    expectClose(objective, 7 * ssr, 1e-9);
    expectClose(parameters['k'], interval(slope, s * unitErrors.k, t3), 1e-7);
  });

  it('with a missing row leaves it out and counts it', async () => {
    const document = documentOf(
      [
        constant('x', [...xs, 9]),
        constant('y', [...ys, 'NaN']),
        parameter('a', 0),
        parameter('k', 1),
        map('m', 'a + k*x'),
        b('l', 'least-squares', { prediction: 'm', observed: 'y' }),
      ],
      { objective: 'l' },
    );
    const { parameters } = await fitJson<Fit>([written(document)]);
    expectClose(parameters['k'], interval(slope, Math.sqrt(ssr / (n - 2)) * unitErrors.k, t3), 1e-7);
  });

  it('on scales and from other starts finds the same', async () => {
    const document = line({}, {}, { initial: 0.5, scale: 'log' });
    for (const options of [[], ['--set', 'k=-4'], ['--starts', '3', '--seed', '7']]) {
      const { parameters } = await fitJson<Fit>([written(document), ...options]);
      expectClose(parameters['a']?.value, intercept, 1e-6);
      expectClose(parameters['a']?.standardError, Math.sqrt(ssr / (n - 2)) * unitErrors.a, 1e-5);
    }
  });

  it('with a fixed parameter gives it an error of 0', async () => {
    const { parameters, correlation } = await fitJson<Fit>([written(line({}, {}, { initial: 1, fixed: true }))]);
    const sxx0 = xs.reduce((sum, x) => sum + x * x, 0);
    const k = xs.reduce((sum, x, i) => sum + x * (ys[i]! - 1), 0) / sxx0;
    expect(parameters['a']).toEqual({ value: 1, standardError: 0, lower95: 1, upper95: 1 });
    expectClose(parameters['k']?.value, k, 1e-8);
    expect(correlation).toEqual({ parameters: ['k'], matrix: [[1]] });
  });

  it('at a bound has no error there', async () => {
    const { status, parameters } = await fitJson<Fit>([written(line({}, {}, { initial: 3, lower: 2 }))]);
    expect(status).toBe('converged');
    expect(parameters['a']).toEqual({ value: 2, standardError: null, lower95: null, upper95: null });
  });

  it('that a parameter does not enter leaves it undetermined', async () => {
    const document = line({}) as { blocks: PlainBlock[] };
    document.blocks.push(parameter('idle', 7));
    const { parameters, correlation } = await fitJson<Fit>([written(document)]);
    expect(parameters['idle']).toEqual({ value: 7, standardError: null, lower95: null, upper95: null });
    expect(correlation.parameters).not.toContain('idle');
    const twice = documentOf(
      [
        constant('x', xs),
        constant('y', ys),
        parameter('p', 1),
        parameter('q', 1),
        map('m', '(p + q)*x'),
        b('l', 'least-squares', { prediction: 'm', observed: 'y' }),
      ],
      { objective: 'l' },
    );
    const found = await fitJson<Fit>([written(twice)]);
    expect(found.parameters['p']?.standardError).toBeNull();
    expect(found.correlation.matrix[0]?.[1]).toBeNull();
  });

  it('with too few rows has no intervals', async () => {
    const document = documentOf(
      [
        constant('x', [0, 1]),
        constant('y', [1, 3]),
        parameter('a', 0),
        parameter('k', 1),
        map('m', 'a + k*x'),
        b('l', 'least-squares', { prediction: 'm', observed: 'y' }),
      ],
      { objective: 'l' },
    );
    const { parameters } = await fitJson<Fit>([written(document)]);
    expectClose(parameters['k']?.value, 2, 1e-8);
    expect(parameters['k']?.lower95).toBeNull();
  });
});

describe('parameters that are arrays', () => {
  it('give arrays, and names by index', async () => {
    const document = documentOf(
      [
        constant('y', [
          [1, 2],
          [3, 4],
          [5, 7],
        ]),
        parameter('K', [[0, 0]]),
        map('m', 'K + 0*y'),
        b('l', 'least-squares', { prediction: 'm', observed: 'y' }),
        parameter('v', [1, 1, 1]),
        b('l2', 'least-squares', { prediction: 'v', observed: 'w' }),
        constant('w', [3, 4, 5]),
      ],
      { objective: ['l', 'l2'] },
    );
    const { parameters, correlation, objective } = await fitJson<Fit>([written(document)]);
    const means = [3, 13 / 3];
    const ss = [8, 38 / 3];
    expectClose(parameters['K']?.value, [means], 1e-8);
    expectClose(parameters['v']?.value, [3, 4, 5], 1e-8);
    expectClose(objective, 8 + 38 / 3, 1e-9);
    // 9 observations, 5 parameters; a mean of three.
    const error = Math.sqrt((8 + 38 / 3) / 4 / 3);
    expectClose(parameters['K']?.standardError, [[error, error]], 1e-7);
    expect(correlation.parameters).toEqual(['K[0,0]', 'K[0,1]', 'v[0]', 'v[1]', 'v[2]']);
    void ss;
  });
});

describe('likelihoods and priors', () => {
  it('of a Poisson mean', async () => {
    const counts = [3, 5, 2, 6];
    const document = documentOf(
      [
        constant('o', counts),
        parameter('mu', 1, { lower: 0 }),
        b('l', 'likelihood', { family: 'poisson', observed: 'o', mean: 'mu' }),
      ],
      { objective: 'l' },
    );
    const { parameters, objective, status } = await fitJson<Fit>([written(document)]);
    expect(status).toBe('converged');
    expectClose(parameters['mu'], interval(4, Math.sqrt(4 / 4), z975), 1e-6);
    expectClose(objective, 16 - 16 * Math.log(4) + Math.log(6) + Math.log(120) + Math.log(2) + Math.log(720), 1e-9);
  });

  it('of a normal mean with a normal prior, the noise known', async () => {
    const [sigma, m0, s0] = [2, 10, 1.5];
    const o = [4, 6, 5];
    const document = documentOf(
      [
        constant('o', o),
        parameter('mu', 0, { prior: { family: 'normal', mean: m0, sd: s0 } }),
        b('l', 'least-squares', { prediction: 'mu', observed: 'o', sigma }),
      ],
      { objective: 'l' },
    );
    const found = await fitJson<Fit>([written(document)]);
    const precision = 3 / sigma ** 2 + 1 / s0 ** 2;
    const mu = (15 / sigma ** 2 + m0 / s0 ** 2) / precision;
    expectClose(found.parameters['mu'], interval(mu, Math.sqrt(1 / precision), z975), 1e-6);
    const squares = o.reduce((sum, y) => sum + ((y - mu) / sigma) ** 2, 0);
    expectClose(found.objective, squares, 1e-8);
    const half = 0.5 * Math.log(2 * Math.PI);
    expectClose(
      found.posterior,
      0.5 * squares + 3 * (Math.log(sigma) + half) + 0.5 * ((mu - m0) / s0) ** 2 + Math.log(s0) + half,
      1e-9,
    );
  });

  it('of a normal mean with a prior, the noise marginalised', async () => {
    const o = [4, 6, 5, 8];
    const document = documentOf(
      [
        constant('o', o),
        parameter('mu', 5, { prior: { family: 'normal', mean: 0, sd: 1 } }),
        b('l', 'least-squares', { prediction: 'mu', observed: 'o' }),
      ],
      { objective: 'l' },
    );
    const found = await fitJson<Fit>([written(document)]);
    const mu = found.parameters['mu']?.value as number;
    const squares = o.reduce((sum, y) => sum + (y - mu) ** 2, 0);
    // d/dmu (n/2) log SSR + mu²/2 = 0
    expect(Math.abs((4 / 2 / squares) * 2 * o.reduce((sum, y) => sum + (mu - y), 0) + mu)).toBeLessThan(1e-6);
    expectClose(found.objective, squares, 1e-9);
    expectClose(found.posterior, 2 * Math.log(squares) + (mu * mu) / 2 + 0.5 * Math.log(2 * Math.PI), 1e-8);
  });

  const fitPrior = async (prior: PlainBlock, initial: number, more: PlainBlock = {}): Promise<Fit> =>
    fitJson<Fit>([
      written(
        documentOf(
          [
            constant('o', [3]),
            parameter('p', initial, { prior, ...more }),
            b('l', 'likelihood', { family: 'normal', observed: 'o', mean: 'p', sigma: 1 }),
          ],
          { objective: 'l' },
        ),
      ),
    ]);
  const half = 0.5 * Math.log(2 * Math.PI);
  it.each([
    [{ family: 'exponential', rate: 2 }, 1, 1, 2 + half + 2 - Math.log(2)],
    // x − 3 − 2/x·… = 0: (x − 3) − (shape − 1)/x + rate = 0 with shape 3, rate 2: x² − x − 2 = 0
    [{ family: 'gamma', shape: 3, rate: 2 }, 1, 2, 0.5 + half + 4 - 2 * Math.log(2) + Math.log(2) - 3 * Math.log(2)],
    // log-normal(0, 1): x − 3 + (1 + log x)/x = 0 has no closed form; held by its equation below.
    [{ family: 'uniform', lower: 0, upper: 10 }, 1, 3, half + Math.log(10)],
    [{ family: 'cauchy', location: 3, scale: 2 }, 1, 3, half + Math.log(2 * Math.PI)],
  ] as [PlainBlock, number, number, number][])('%j', async (prior, initial, value, posterior) => {
    const found = await fitPrior(prior, initial);
    expect(found.status).toBe('converged');
    expectClose(found.parameters['p']?.value, value, 1e-6);
    expectClose(found.posterior, posterior, 1e-9);
    expectClose(found.objective, half + 0.5 * (value - 3) ** 2, 1e-6);
  });
  it('log-normal and beta', async () => {
    const found = await fitPrior({ family: 'log-normal', mean: 0, sd: 1 }, 1);
    const x = found.parameters['p']?.value as number;
    expect(Math.abs(x - 3 + (1 + Math.log(x)) / x)).toBeLessThan(1e-6);
    expectClose(found.posterior, half + 0.5 * (x - 3) ** 2 + half + Math.log(x) + 0.5 * Math.log(x) ** 2, 1e-8);
    const beta = await fitPrior({ family: 'beta', alpha: 2, beta: 3 }, 0.5);
    const q = beta.parameters['p']?.value as number;
    expect(Math.abs(q - 3 - 1 / q + 2 / (1 - q))).toBeLessThan(1e-5);
    expectClose(beta.posterior, half + 0.5 * (q - 3) ** 2 - Math.log(12) - Math.log(q) - 2 * Math.log(1 - q), 1e-8);
  });
});

describe('how a fit ends', () => {
  const bad = documentOf(
    [
      constant('y', [1, 2]),
      parameter('p', -1),
      map('m', 'log(p) + 0*y'),
      b('l', 'least-squares', { prediction: 'm', observed: 'y' }),
    ],
    { objective: 'l' },
  );
  it('failed, with status 3 and its reason', async () => {
    const found = await fitJson<Fit & { reason: string }>([written(bad)], 3);
    expect(found.status).toBe('failed');
    expect(found.reason).toMatch(/p|finite|NaN/);
    expect(found.parameters['p']?.value).toBe(-1);
    expect(found.objective).toBe('NaN');
  });

  it('refused, with status 2 and one line', async () => {
    const cases: [unknown, string[], RegExp][] = [
      [documentOf([parameter('p', 1)]), [], /objective/],
      [documentOf([constant('c', 1)], { objective: 'c' }), [], /parameter|nothing/],
      [line({}, {}, { fixed: true }), ['--set', 'k=NaN'], /k/],
      [line({}), ['--set', 'a'], /a.*=|id=value/],
      [line({}), ['--set', 'q=1'], /"q"/],
      [line({}), ['--set', 'm=1'], /"m".*map/],
      [line({}), ['--set', 'a=[1,2'], /a/],
      [line({}), ['--set', 'a=one'], /one/],
      [line({}), ['--method', 'simplex'], /simplex/],
      [line({}), ['--starts', '0'], /starts/],
      [line({}), ['--seed', '-1'], /seed/],
      [line({}), ['--precision', 'f16'], /f16/],
      [line({}), ['--device', 'tpu'], /tpu/],
      [line({}), ['--bogus'], /bogus/],
    ];
    for (const [document, options, wanted] of cases) {
      const { status, stdout, stderr } = await cotangent('fit', written(document), ...options, '--json');
      expect(stderr).toMatch(/^cotangent: [^\n]*\n$/);
      expect(stderr).toMatch(wanted);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    }
  });

  it('--max-iterations ends it, not converged, and the decrement says how far it is', async () => {
    const document = documentOf(
      [
        constant('x', xs),
        constant('y', ys),
        parameter('a', 1),
        parameter('k', 3),
        map('m', 'a*exp(k*x/4)'),
        b('l', 'least-squares', { prediction: 'm', observed: 'y' }),
      ],
      { objective: 'l' },
    );
    const short = await fitJson<Fit & { reason: string }>([written(document), '--max-iterations', '1'], 3);
    expect({ status: short.status, iterations: short.iterations }).toEqual({ status: 'not-converged', iterations: 1 });
    expect(short.decrement).toBeGreaterThan(1e-3);
    // About a point that is no minimum an interval would look as if it were one.
    for (const known of Object.values(short.parameters))
      expect(known).toMatchObject({ standardError: null, lower95: null, upper95: null });
    const { status, decrement } = await fitJson<Fit>([written(document)]);
    expect(status).toBe('converged');
    expect(decrement).toBeGreaterThanOrEqual(0);
    expect(decrement).toBeLessThan(1e-6);
  });

  it('--out writes the result beside printing it', async () => {
    const path = written(line({}));
    const out = join(dirname(path), 'result.json');
    const { stdout, status } = await cotangent('fit', path, '--json', '--out', out);
    expect(status).toBe(0);
    expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual(JSON.parse(stdout));
    const elsewhere = await cotangent('fit', path, '--json', '--out', join(dirname(path), 'no', 'such', 'r.json'));
    expect(elsewhere.status).toBe(2);
    expect(elsewhere.stderr).toMatch(/^cotangent: [^\n]*r\.json[^\n]*\n$/);
  });

  it('is stopped by SIGINT with the best point so far and status 130', async () => {
    // A long recurrence makes one evaluation slow; a valley makes many.
    const document = documentOf(
      [
        constant('y', [1e9]),
        parameter('p', 1),
        parameter('q', 0.5),
        b('r', 'recurrence', {
          state: { x: { initial: 0, next: 'sin(x*q) + p*cos(x + index)' } },
          steps: 1500000,
          emit: 'final',
        }),
        map('m', 'r + exp(-p*p) + 0*y'),
        b('l', 'least-squares', { prediction: 'm', observed: 'y' }),
      ],
      { objective: 'l', fit: { starts: 500 } },
    );
    const { status, stdout, stderr } = await runProcess(['fit', written(document), '--json'], { interruptAfter: 6000 });
    expect(stderr).toBe('');
    expect(status).toBe(130);
    const found = JSON.parse(stdout) as Fit;
    expect(found.status).toBe('cancelled');
    expect(Number.isFinite(found.parameters['p']?.value)).toBe(true);
    expect(Number.isFinite(found.objective)).toBe(true);
  });

  it('draws the same starts from the same seed', async () => {
    const document = documentOf([parameter('p', 3, { lower: -10, upper: 10 }), map('m', '(p^2 - 4)^2 + p')], {
      objective: 'm',
    });
    const path = written(document);
    const once = await fitJson<Fit>([path]);
    expectClose(once.parameters['p']?.value, 1.9671, 1e-3);
    const [a, c] = [
      await fitJson<Fit>([path, '--starts', '8', '--seed', '5']),
      await fitJson<Fit>([path, '--starts', '8', '--seed', '5']),
    ];
    expect(a).toEqual(c);
    expectClose(a.parameters['p']?.value, -2.0299, 1e-3);
  });
});

describe('a fit that converges and misses a shape', () => {
  const t = Array.from({ length: 20 }, (_, i) => i);
  const line = (y: readonly number[]): object => ({
    format: 'cotangent/1',
    tables: { obs: { columns: { t: [...t], y: [...y] } } },
    blocks: [
      b('t', 'column', { table: 'obs', column: 't', unit: 'h' }),
      b('y', 'column', { table: 'obs', column: 'y' }),
      parameter('A', 8),
      parameter('B', -0.2),
      map('line', 'A + B*t'),
      b('loss', 'least-squares', { prediction: 'line', observed: 'y' }),
    ],
    objective: 'loss',
  });
  const decay = t.map((x) => 10 * Math.exp(-x / 5));

  it('says so beside Converged, where, and with what p', async () => {
    const path = written(line(decay));
    const { stdout, status } = await cotangent('fit', path);
    expect(status).toBe(0);
    expect(stdout.split('\n')[0]).toMatch(/^Converged: .*It misses a shape, t \d+ to \d+ h: residuals keep their sign/);
    const fit = await fitJson<{ misfits: { p: number }[] }>([path]);
    // A line lies above a decay in one stretch between where it crosses the curve: the middle one is the longest.
    expect(fit.misfits).toMatchObject([{ of: 'loss', x: 't', unit: 'h' }]);
    expect(fit.misfits[0]!.p).toBeLessThan(0.01);
  });

  it('says nothing where the residuals are noise', async () => {
    const noise = [1, -1, -1, 1, 1, -1, 1, -1, 1, 1, -1, -1, 1, -1, 1, 1, -1, 1, -1, -1];
    const { stdout } = await cotangent('fit', written(line(t.map((x, i) => 8 - 0.3 * x + 0.1 * noise[i]!))));
    expect(stdout.split('\n')[0]).not.toContain('shape');
  });
});

it('tells of parameters without elements too: by empty arrays, and by no word of what is solved for', async () => {
  const path = written(
    documentOf(
      [
        ...[constant('x', xs), constant('y', ys), parameter('a', 0), parameter('none', []), parameter('unread', [])],
        b('sum', 'reduce', { operator: 'add', values: 'none' }),
        map('m', 'a + 2*x + sum'),
        b('l', 'least-squares', { prediction: 'm', observed: 'y' }),
      ],
      { objective: 'l' },
    ),
  );
  const found = await fitJson<Fit & { solved: string[] }>([path, '--json']);
  const nothing = { value: [], standardError: [], lower95: [], upper95: [] };
  expect(Object.keys(found.parameters)).toEqual(['a', 'none', 'unread']);
  expect(found.parameters).toMatchObject({ none: nothing, unread: nothing });
  expect(found.correlation.parameters).toEqual(['a']);
  expect(found.solved).not.toContain('none');
  const { parameters } = await quietJson<Fit>(['uncertainty', path, '--method', 'covariance', '--json']);
  expect(parameters['none']).toEqual({ value: [], lower: [], upper: [], verdict: [] });
});

it('that has not converged tells no error of any parameter, an infinite one neither', async () => {
  // The variance of a is beyond the reals.
  const path = written(
    documentOf(
      [
        ...[constant('x', xs), constant('y', ys), parameter('a', 1e169), parameter('k', 0)],
        map('m', 'k + a*1e-170*x'),
        b('l', 'least-squares', { prediction: 'm', observed: 'y' }),
      ],
      { objective: 'l' },
    ),
  );
  const options = ['--method', 'l-bfgs-b', '--max-iterations', '2', '--json'];
  const { status, parameters } = await fitJson<Fit>([path, ...options], 3);
  expect(status).toBe('not-converged');
  for (const { standardError, lower95, upper95 } of Object.values(parameters))
    expect([standardError, lower95, upper95]).toEqual([null, null, null]);
});
