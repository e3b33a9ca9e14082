/** The contract on objectives: least squares, likelihoods, priors, and what a fit reports of them. */
import { describe, expect, it } from 'vitest';
import {
  constant,
  cotangent,
  documentOf,
  expectClose,
  fitJson,
  json,
  map,
  parameter,
  refusal,
  value,
  written,
  type PlainBlock,
} from '../support/command-line.ts';

const b = (id: string, kind: string, more: PlainBlock): PlainBlock => ({ id, kind, ...more });
const y = constant('y', [1, 2, 4]);
const p = parameter('p', 1);
const m = map('m', 'p * (index + 1) + 0*y');
// Residuals at p = 1: 1 − 1, 2 − 2, 3 − 4.

interface Fit {
  readonly status: string;
  readonly objective: number;
  readonly posterior?: number;
  readonly parameters: Record<string, Record<'value' | 'standardError', unknown>>;
}

describe('least squares', () => {
  const far = constant('far', [0, 2.5, 9]); // residuals 1, −0.5, −6 of m = 1, 2, 3
  const of = async (more: PlainBlock): Promise<unknown> =>
    value(
      [far, y, p, m, constant('s', [1, 2, 3]), b('l', 'least-squares', { prediction: 'm', observed: 'far', ...more })],
      'l',
    );
  const soft = (q: number, c: number): number => 2 * c * c * (Math.sqrt(1 + q / (c * c)) - 1);
  const cauchy = (q: number, c: number): number => c * c * Math.log(1 + q / (c * c));
  const huber = (q: number, c: number): number => (q <= c * c ? q : 2 * c * Math.sqrt(q) - c * c);
  it.each([
    [{}, 1 + 0.25 + 36],
    [{ sigma: 2 }, (1 + 0.25 + 36) / 4],
    [{ sigma: 's' }, 1 + 0.0625 + 4],
    [{ weights: 2 }, 2 * 37.25],
    [{ weights: 's' }, 1 + 0.5 + 108],
    [{ weights: 0 }, 0],
    [{ loss: { kind: 'huber', scale: 1 } }, 1 + 0.25 + 11],
    [{ loss: { kind: 'huber' } }, 1 + 0.25 + 11],
    [{ loss: { kind: 'huber', scale: 2 }, sigma: 's' }, huber(1, 2) + huber(0.0625, 2) + huber(4, 2)],
    [{ loss: { kind: 'soft-l1', scale: 2 } }, soft(1, 2) + soft(0.25, 2) + soft(36, 2)],
    [{ loss: { kind: 'cauchy', scale: 0.5 }, sigma: 2 }, cauchy(0.25, 0.5) + cauchy(0.0625, 0.5) + cauchy(9, 0.5)],
    [{ loss: { kind: 'soft-l1' } }, soft(1, 1) + soft(0.25, 1) + soft(36, 1)],
    [{ loss: { kind: 'cauchy' } }, cauchy(1, 1) + cauchy(0.25, 1) + cauchy(36, 1)],
    [{ loss: { kind: 'huber', scale: 1 }, weights: 's' }, huber(1, 1) + huber(0.5, 1) + huber(108, 1)],
    [{ loss: { kind: 'soft-l1', scale: 3 }, weights: 's' }, soft(1, 3) + soft(0.5, 3) + soft(108, 3)],
    [{ loss: { kind: 'cauchy', scale: 2 }, sigma: 's' }, cauchy(1, 2) + cauchy(0.0625, 2) + cauchy(4, 2)],
  ])('%j', async (more, wanted) => {
    expectClose(await of(more), wanted);
  });

  /** ρ′ of the scaled residual u. */
  const slopes: Readonly<Record<string, (u: number, c: number) => number>> = {
    huber: (u, c) => 2 * Math.max(-c, Math.min(c, u)),
    'soft-l1': (u, c) => (2 * u) / Math.sqrt(1 + (u / c) ** 2),
    cauchy: (u, c) => (2 * u) / (1 + (u / c) ** 2),
  };
  const losses = Object.keys(slopes).flatMap((kind) => [0.7, 2].map((scale) => ({ kind, scale })));

  it.each(losses)(
    'of %j has a gradient in closed form, in which a missing row has no part',
    async ({ kind, scale }) => {
      for (const [measure, factors] of [
        ['sigma', [1, 1 / 2, 1 / 3]],
        ['weights', [1, Math.SQRT2, Math.sqrt(3)]],
      ] as const) {
        const path = written(
          documentOf([
            constant('far', [0, 2.5, 9, 'NaN']),
            constant('s', [1, 2, 3, 4]),
            p,
            map('m', 'p * (index + 1) + 0*far'),
            b('l', 'least-squares', { prediction: 'm', observed: 'far', loss: { kind, scale }, [measure]: 's' }),
          ]),
        );
        const terms = [1, -0.5, -6].map((r, i) => {
          const factor = factors[i]!;
          return factor * (i + 1) * (slopes[kind] as (u: number, c: number) => number)(factor * r, scale);
        });
        for (const device of ['reference', 'cpu']) {
          const { adjoints } = (await json('differentiate', path, '--of', 'l', '--device', device)) as {
            adjoints: unknown;
          };
          expectClose(adjoints, { p: terms.reduce((sum, term) => sum + term, 0) });
        }
      }
    },
  );

  it.each(losses)('of %j is least where the slopes of its rows balance', async ({ kind, scale }) => {
    const [observed, sigma] = [[0, 0.2, 0.4, 3], 0.5];
    const balance = (at: number): number =>
      observed.reduce((sum, o) => sum + (slopes[kind] as (u: number, c: number) => number)((at - o) / sigma, scale), 0);
    // Between the three that agree and the mean, by bisection.
    let [low, high] = [0, 0.9];
    for (let k = 0; k < 60; k++) {
      const middle = (low + high) / 2;
      if (balance(middle) < 0) low = middle;
      else high = middle;
    }
    const found = await fitJson<Fit>([
      written(
        documentOf(
          [
            constant('o', observed),
            parameter('p', 0.3),
            b('l', 'least-squares', { prediction: 'p', observed: 'o', sigma, loss: { kind, scale } }),
          ],
          { objective: 'l' },
        ),
      ),
    ]);
    expect(found.status).toBe('converged');
    expectClose(found.parameters['p']?.value, low, 1e-7);
  });

  it('leaves out the rows whose observation is missing, whatever they predict', async () => {
    const blocks = [
      constant('y', [1, 'NaN', 4]),
      p,
      map('m', 'if(index == 1, log(p - 2), p * (index + 1)) + 0*x'),
      constant('x', [0, 0, 0]),
      b('l', 'least-squares', { prediction: 'm', observed: 'y' }),
    ];
    expect(await value(blocks, 'l')).toBe(1);
    const path = written(documentOf(blocks));
    for (const device of ['reference', 'cpu'])
      expect(await json('differentiate', path, '--of', 'l', '--device', device)).toEqual({
        value: 1,
        adjoints: { p: 2 * -1 * 3 },
      });
    const { warnings } = (await json('check', path)) as { warnings: string[] };
    expect(warnings.join()).toMatch(/block "l".*1 of 3/);
  });

  it('broadcasts a scalar prediction', async () => {
    expect(await value([y, p, b('l', 'least-squares', { prediction: 'p', observed: 'y' })], 'l')).toBe(0 + 1 + 9);
  });

  it('refuses what it cannot use', async () => {
    const l = (more: PlainBlock, ...blocks: PlainBlock[]) =>
      documentOf([y, p, m, ...blocks, b('l', 'least-squares', { prediction: 'm', observed: 'y', ...more })]);
    expect(await refusal(l({ sigma: 1, weights: 1 }))).toMatch(/"l".*sigma.*weights/);
    expect(await refusal(l({ sigma: 0 }))).toMatch(/"l".*sigma.*0/);
    expect(await refusal(l({ sigma: 's' }, constant('s', [1, -1, 1])))).toMatch(/"l".*-1.*sigma|"l".*sigma.*-1/);
    expect(await refusal(l({ weights: -1 }))).toMatch(/"l".*weights.*-1/);
    expect(await refusal(l({ loss: { kind: 'tukey' } }))).toMatch(/"l".*loss.*huber.*tukey/);
    expect(await refusal(l({ loss: { kind: 'huber', scale: 0 } }))).toMatch(/"l".*scale.*0/);
    expect(await refusal(l({ observed: 'w' }, constant('w', [1, 2])))).toMatch(/"l".*\[3\].*\[2\]/);
  });
});

describe('likelihood', () => {
  const half = 0.5 * Math.log(2 * Math.PI);
  // Written from the densities; lgamma at halves by Γ(½) = √π.
  const cases: [string, PlainBlock, number[], number][] = [
    ['normal', { mean: 1, sigma: 2 }, [0, 3], 2 * (Math.log(2) + half) + 0.5 * (0.25 + 1)],
    ['poisson', { mean: 2.5 }, [0, 3, 5], 3 * 2.5 - 8 * Math.log(2.5) + Math.log(6) + Math.log(120)],
    [
      'binomial',
      { probability: 0.3, trials: 4 },
      [0, 1, 4],
      -(4 * Math.log(0.7)) - Math.log(4 * 0.3 * 0.7 ** 3) - 4 * Math.log(0.3),
    ],
    // Cauchy with scale 2 at 1 and 5: π·2·(1 + z²)
    ['student-t', { mean: 1, scale: 2, degrees: 1 }, [1, 5], Math.log(2 * Math.PI) + Math.log(2 * Math.PI * 5)],
    // ν = 3: density 2/(π√3 (1 + t²/3)²)
    ['student-t', { mean: 0, scale: 1, degrees: 3 }, [2], -Math.log(2 / (Math.PI * Math.sqrt(3) * (1 + 4 / 3) ** 2))],
    // dispersion 1/2: k = 2, p = 1/(1 + mean/2); P(y) = (y + 1) p² (1 − p)^y
    [
      'negative-binomial',
      { mean: 3, dispersion: 0.5 },
      [0, 2, 7],
      [0, 2, 7].reduce((sum, n) => sum - Math.log((n + 1) * 0.4 ** 2 * 0.6 ** n), 0),
    ],
    ['log-normal', { mean: 0.5, sigma: 2 }, [1, Math.E], 2 * (Math.log(2) + half) + 0.5 * (0.0625 + 0.0625) + 0 + 1],
  ];
  it.each(cases)('%s %j', async (family, more, observed, wanted) => {
    const l = b('l', 'likelihood', { family, observed: 'o', ...more });
    expectClose(await value([constant('o', observed), l], 'l'), wanted, 1e-13);
    expectClose(await value([constant('o', [...observed, 'NaN']), l], 'l'), wanted, 1e-13);
    expectClose(await value([constant('o', observed.slice(0, 0)), l], 'l'), 0);
    // The same with parameters in place of numbers.
    const named = Object.fromEntries(Object.keys(more).map((key) => [key, `p_${key}`]));
    const parameters = Object.entries(more).map(([key, number]) => parameter(`p_${key}`, number));
    expectClose(await value([constant('o', observed), ...parameters, { ...l, ...named }], 'l'), wanted, 1e-13);
  });

  it('knows 0·log 0', async () => {
    expectClose(
      await value([constant('o', [0]), b('l', 'likelihood', { family: 'poisson', observed: 'o', mean: 0 })], 'l'),
      0,
    );
    expectClose(
      await value(
        [constant('o', [0, 0]), b('l', 'likelihood', { family: 'binomial', observed: 'o', probability: 0, trials: 3 })],
        'l',
      ),
      0,
    );
    expectClose(
      await value(
        [constant('o', [3]), b('l', 'likelihood', { family: 'binomial', observed: 'o', probability: 1, trials: 3 })],
        'l',
      ),
      0,
    );
    expect(
      await value([constant('o', [1]), b('l', 'likelihood', { family: 'poisson', observed: 'o', mean: 0 })], 'l'),
    ).toBe('Infinity');
  });

  it('has gradients in closed form', async () => {
    const at = async (family: string, observed: number[], parameters: Record<string, number>): Promise<unknown> => {
      const keys = Object.fromEntries(Object.keys(parameters).map((key) => [key, `p_${key}`]));
      const path = written(
        documentOf([
          constant('o', observed),
          ...Object.entries(parameters).map(([key, x]) => parameter(`p_${key}`, x)),
          b('l', 'likelihood', { family, observed: 'o', ...keys }),
        ]),
      );
      const found: unknown[] = [];
      for (const device of ['reference', 'cpu'])
        found.push(
          ((await json('differentiate', path, '--of', 'l', '--device', device)) as { adjoints: unknown }).adjoints,
        );
      expectClose(found[1], found[0], 1e-12);
      return found[0];
    };
    expectClose(await at('normal', [0, 3], { mean: 1, sigma: 2 }), {
      p_mean: (1 - 2) / 4,
      p_sigma: 2 / 2 - (1 + 4) / 8,
    });
    expectClose(await at('poisson', [0, 3], { mean: 2 }), { p_mean: 2 - 3 / 2 });
    // C(n, 1)·C(n, 2) = n·n(n − 1)/2
    expectClose(await at('binomial', [1, 2], { probability: 0.25, trials: 4 }), {
      p_probability: -3 / 0.25 + 5 / 0.75,
      p_trials: -1 / 4 - 1 / 4 - 1 / 3 - 2 * Math.log(0.75),
    });
    // By the degrees: ψ(½) − ψ(1) = −2 log 2
    expectClose(await at('student-t', [3], { mean: 1, scale: 1, degrees: 1 }), {
      p_mean: (-2 * 2) / (1 + 4),
      p_scale: 1 - (2 * 4) / (1 + 4),
      p_degrees: -Math.log(2) + 0.5 + 0.5 * Math.log(5) - 4 / 5,
    });
    expectClose(await at('log-normal', [Math.E], { mean: 0, sigma: 2 }), { p_mean: -1 / 4, p_sigma: 1 / 2 - 1 / 8 });
    // At y = 2 and d = ½, of 2·log d − log(1 + d) + (2 + 1/d)·log(1 + d·mean) − 2·log(d·mean), since Γ(2 + k) = k(k + 1)·Γ(k)
    expectClose(await at('negative-binomial', [2], { mean: 3, dispersion: 0.5 }), {
      p_mean: (4 * 0.5) / 2.5 - 2 / 3,
      p_dispersion: -1 / 1.5 - 4 * Math.log(2.5) + (4 * 3) / 2.5,
    });
  });

  it('takes arguments per row and leaves missing rows out', async () => {
    const blocks = [
      constant('o', [1, 'NaN', 3]),
      constant('mu', [1, 'NaN', 2]),
      constant('s', [1, 1, 2]),
      b('l', 'likelihood', { family: 'normal', observed: 'o', mean: 'mu', sigma: 's' }),
    ];
    expectClose(await value(blocks, 'l'), 2 * half + Math.log(2) + 0.125);
  });

  it('refuses arguments and observations that its family does not have', async () => {
    const l = (family: string, o: unknown[], more: PlainBlock) =>
      documentOf([constant('o', o), b('l', 'likelihood', { family, observed: 'o', ...more })]);
    expect(await refusal(l('normal', [1], { mean: 1 }))).toMatch(/"l".*sigma/);
    expect(await refusal(l('poisson', [1], { mean: 1, sigma: 1 }))).toMatch(/"l".*sigma/);
    expect(await refusal(l('poisson', [1.5], { mean: 1 }))).toMatch(/"l".*1\.5/);
    expect(await refusal(l('poisson', [-1], { mean: 1 }))).toMatch(/"l".*-1/);
    expect(await refusal(l('log-normal', [0], { mean: 1, sigma: 1 }))).toMatch(/"l".*0/);
    expect(await refusal(l('normal', [1], { mean: 1, sigma: -1 }))).toMatch(/"l".*sigma.*-1/);
    expect(await refusal(l('gaussian', [1], { mean: 1, sigma: 1 }))).toMatch(/"l".*normal.*gaussian/);
    expect(await refusal(l('binomial', [5], { probability: 0.5, trials: 4 }))).toMatch(/"l".*5/);
  });
});

describe('a list of objectives', () => {
  const first = [0.2, 0.9, 1.3];
  const second = [2, 2.5, 4, 1.5];
  const sigma = 0.7;
  const blocks = [
    constant('u', first),
    constant('v', second),
    p,
    b('a', 'least-squares', { prediction: 'p', observed: 'u', sigma }),
    b('b', 'least-squares', { prediction: 'p', observed: 'v' }),
    map('penalty', '3 * p^2'),
  ];
  const sum = (values: readonly number[], of: (value: number) => number) =>
    values.reduce((total, value) => total + of(value), 0);

  it('of squares with sigma and without maximises the joint likelihood, and reports the sum', async () => {
    // E = ½ Σ ((p − u)/σ)² + (n/2)·log Σ (p − v)²; its slope by bisection, its curvature in closed form.
    const [n, m] = [first.length, second.length];
    const squares = (at: number) => sum(second, (v) => (at - v) ** 2);
    const slope = (at: number) =>
      sum(first, (u) => (at - u) / sigma ** 2) + (m * sum(second, (v) => at - v)) / squares(at);
    let [low, high] = [0, 4];
    for (let k = 0; k < 60; k++) {
      const middle = (low + high) / 2;
      if (slope(middle) < 0) low = middle;
      else high = middle;
    }
    const curvature =
      n / sigma ** 2 + (m * m) / squares(low) - 2 * m * (sum(second, (v) => low - v) / squares(low)) ** 2;
    const found = await fitJson<Fit>([written(documentOf(blocks, { objective: ['a', 'b'] }))]);
    expect(found.status).toBe('converged');
    expectClose(found.parameters['p']?.value, low, 1e-7);
    expectClose(found.parameters['p']?.standardError, 1 / Math.sqrt(curvature), 1e-6);
    expectClose(found.objective, sum(first, (u) => ((low - u) / sigma) ** 2) + squares(low), 1e-7);
  });

  it('of squares and another scalar is minimised as it is written, without standard errors', async () => {
    const path = written(documentOf(blocks, { objective: ['a', 'penalty'] }));
    const found = await fitJson<Fit>([path]);
    const minimum = sum(first, (u) => u / sigma ** 2) / (first.length / sigma ** 2 + 3);
    expect(found.status).toBe('converged');
    expectClose(found.parameters['p']?.value, minimum, 1e-7);
    expect(found.parameters['p']?.standardError).toBeNull();
    const { warnings } = (await json('check', path)) as { warnings: string[] };
    expect(warnings.join()).toContain('adds "penalty" to squares');
    const refused = await cotangent('uncertainty', path, '--method', 'covariance', '--json');
    expect({ status: refused.status, stdout: refused.stdout }).toEqual({ status: 2, stdout: '' });
    expect(refused.stderr).toContain('adds "penalty" to squares');
  });
});

describe('the posterior of a conjugate prior', () => {
  const half = 0.5 * Math.log(2 * Math.PI);
  const square = (x: number): number => x * x;
  interface Case {
    readonly prior: PlainBlock;
    readonly observed: number[];
    readonly likelihood: PlainBlock;
    /** What the likelihood's parameter is of p. */
    readonly formula?: string;
    /** Where −log of the posterior is least, and its second derivative there. */
    readonly value: number;
    readonly curvature: number;
    readonly objective: (v: number) => number;
    readonly minusLogPrior: (v: number) => number;
  }
  const normal = (observed: readonly number[], sigma: number) => (mean: number) =>
    observed.reduce((sum, y) => sum + 0.5 * square((y - mean) / sigma) + Math.log(sigma) + half, 0);
  // Of u = log p: (2u − 3)/0.25 + (u − 0.3)/4 + 1 = 0, the 1 from the density's 1/p.
  const logMode = (3 / 0.25 + 0.3 / 4 - 1) / (2 / 0.25 + 1 / 4);
  // (q − 3)(1 + q²) + 2q = (q − 1)³ − 2 = 0 for q = (p − 1)/2 of the Cauchy.
  const root = 1 + Math.cbrt(2);
  const cases: Case[] = [
    {
      prior: { family: 'normal', mean: -1, sd: 0.5 },
      observed: [1, 2, 6],
      likelihood: { family: 'normal', mean: 'f', sigma: 2 },
      value: (9 / 4 - 1 / 0.25) / (3 / 4 + 1 / 0.25),
      curvature: 3 / 4 + 1 / 0.25,
      objective: normal([1, 2, 6], 2),
      minusLogPrior: (v) => 0.5 * square((v + 1) / 0.5) + Math.log(0.5) + half,
    },
    {
      prior: { family: 'log-normal', mean: 0.3, sd: 2 },
      observed: [1, 2],
      likelihood: { family: 'normal', mean: 'f', sigma: 0.5 },
      formula: 'log(p)',
      value: Math.exp(logMode),
      curvature: (2 / 0.25 + 1 / 4) / Math.exp(2 * logMode),
      objective: (v) => normal([1, 2], 0.5)(Math.log(v)),
      minusLogPrior: (v) => 0.5 * square((Math.log(v) - 0.3) / 2) + Math.log(2) + half + Math.log(v),
    },
    {
      prior: { family: 'uniform', lower: -1, upper: 7 },
      observed: [1, 2, 6],
      likelihood: { family: 'normal', mean: 'f', sigma: 2 },
      value: 3,
      curvature: 3 / 4,
      objective: normal([1, 2, 6], 2),
      minusLogPrior: () => Math.log(8),
    },
    {
      // Γ(5/2) = 3√π/4
      prior: { family: 'gamma', shape: 2.5, rate: 0.5 },
      observed: [3, 5, 2],
      likelihood: { family: 'poisson', mean: 'f' },
      value: (10 + 1.5) / (3 + 0.5),
      curvature: (10 + 1.5) / square(11.5 / 3.5),
      objective: (v) => 3 * v - 10 * Math.log(v) + Math.log(6 * 120 * 2),
      minusLogPrior: (v) => 0.5 * v - 1.5 * Math.log(v) - 2.5 * Math.log(0.5) + Math.log((3 * Math.sqrt(Math.PI)) / 4),
    },
    {
      // B(3/2, 5/2) = π/16
      prior: { family: 'beta', alpha: 1.5, beta: 2.5 },
      observed: [1, 3],
      likelihood: { family: 'binomial', probability: 'f', trials: 4 },
      value: 0.45,
      curvature: 4.5 / square(0.45) + 5.5 / square(0.55),
      objective: (v) => -2 * Math.log(4) - 4 * Math.log(v) - 4 * Math.log(1 - v),
      minusLogPrior: (v) => -0.5 * Math.log(v) - 1.5 * Math.log(1 - v) + Math.log(Math.PI / 16),
    },
    {
      prior: { family: 'cauchy', location: 1, scale: 2 },
      observed: [7],
      likelihood: { family: 'normal', mean: 'f', sigma: 2 },
      value: 1 + 2 * root,
      curvature: (1 + (2 * (1 - square(root))) / square(1 + square(root))) / 4,
      objective: normal([7], 2),
      minusLogPrior: (v) => Math.log(2 * Math.PI * (1 + square((v - 1) / 2))),
    },
    {
      prior: { family: 'exponential', rate: 2 },
      observed: [3, 5, 2],
      likelihood: { family: 'poisson', mean: 'f' },
      value: 10 / (3 + 2),
      curvature: 10 / 4,
      objective: (v) => 3 * v - 10 * Math.log(v) + Math.log(6 * 120 * 2),
      minusLogPrior: (v) => 2 * v - Math.log(2),
    },
  ];

  it.each(cases)(
    '$prior.family: where it is least, how sharply, and beside it the objective without it',
    async ({ prior, observed, likelihood, formula = 'p', value: wanted, curvature, objective, minusLogPrior }) => {
      const scales = wanted > 0 ? ['linear', 'log'] : ['linear'];
      for (const scale of scales) {
        const found = await fitJson<Fit>([
          written(
            documentOf(
              [
                constant('o', [...observed, 'NaN']),
                parameter('p', 0.6, { prior, scale }),
                map('f', formula),
                b('l', 'likelihood', { observed: 'o', ...likelihood }),
              ],
              { objective: 'l' },
            ),
          ),
        ]);
        expect(found.status).toBe('converged');
        expectClose(found.parameters['p']?.value, wanted, 1e-7);
        expectClose(found.parameters['p']?.standardError, 1 / Math.sqrt(curvature), 1e-6);
        expectClose(found.objective, objective(wanted), 1e-6);
        expectClose(found.posterior, objective(wanted) + minusLogPrior(wanted), 1e-9);
      }
    },
  );

  it('adds up over the elements of an array, least squares of known sigma and a likelihood', async () => {
    const found = await fitJson<Fit>([
      written(
        documentOf(
          [
            parameter('c', [0, 0], { prior: { family: 'normal', mean: 0, sd: 2 } }),
            constant('w', [3, 'NaN']),
            constant('s', [0.5, 2]),
            constant('o', [1, 2]),
            b('squares', 'least-squares', { prediction: 'c', observed: 'w', sigma: 's' }),
            b('density', 'likelihood', { family: 'normal', observed: 'o', mean: 'c', sigma: 1 }),
          ],
          { objective: ['squares', 'density'] },
        ),
      ),
    ]);
    const precisions = [4 + 1 + 1 / 4, 1 + 1 / 4];
    const c = [(4 * 3 + 1) / precisions[0]!, 2 / precisions[1]!] as const;
    expectClose(found.parameters['c']?.value, c, 1e-8);
    expectClose(
      found.parameters['c']?.standardError,
      precisions.map((precision) => 1 / Math.sqrt(precision)),
      1e-7,
    );
    const squares = square((c[0] - 3) / 0.5);
    const density = 0.5 * square(c[0] - 1) + 0.5 * square(c[1] - 2) + 2 * half;
    const prior = 0.5 * (square(c[0] / 2) + square(c[1] / 2)) + 2 * (Math.log(2) + half);
    // The objective is the sum as it is written; in the posterior half of the squares counts, and the sigma of the row observed.
    expectClose(found.objective, squares + density, 1e-8);
    expectClose(found.posterior, 0.5 * squares + Math.log(0.5) + half + density + prior, 1e-9);
  });

  it('of unknown noise has (n/2)·log of the weighted sum, n the rows that are observed and weigh something', async () => {
    const [observed, weights] = [
      [4, 6, 5, 'NaN', 8, 50],
      [1, 2, 0.5, 1, 1, 0],
    ];
    const found = await fitJson<Fit>([
      written(
        documentOf(
          [
            constant('o', observed),
            constant('w', weights),
            parameter('mu', 5, { prior: { family: 'normal', mean: 0, sd: 1 } }),
            b('l', 'least-squares', { prediction: 'mu', observed: 'o', weights: 'w' }),
          ],
          { objective: 'l' },
        ),
      ),
    ]);
    const mu = found.parameters['mu']?.value as number;
    const rows = observed.flatMap((y, i) => (typeof y === 'number' ? [{ y, w: weights[i]! }] : []));
    const sum = (of: (row: { y: number; w: number }) => number): number =>
      rows.reduce((total, row) => total + of(row), 0);
    const squares = sum(({ y, w }) => w * square(y - mu));
    expect(Math.abs((4 * sum(({ y, w }) => w * (mu - y))) / squares + mu)).toBeLessThan(1e-6);
    expectClose(found.objective, squares, 1e-9);
    expectClose(found.posterior, 2 * Math.log(squares) + 0.5 * square(mu) + half, 1e-9);
  });
});
