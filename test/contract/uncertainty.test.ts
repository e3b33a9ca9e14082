/** The contract on `uncertainty`: what is printed, against closed forms. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  constant,
  cotangent,
  documentOf,
  map,
  parameter,
  quietJson,
  written,
  type PlainBlock,
} from '../support/command-line.ts';
import { runProcess } from '../support/process.ts';

interface Parameter {
  readonly value: number;
  readonly lower: number | string | null;
  readonly upper: number | string | null;
  readonly verdict: { readonly status: string; readonly reason: string };
}
interface Study {
  readonly method: string;
  readonly level: number;
  readonly parameters: Record<string, Parameter>;
  readonly bands?: Record<string, { value: number[]; lower: number[] }>;
  readonly diagnostics: Record<string, unknown>;
  readonly warnings: readonly string[];
  readonly loo?: Record<string, number>;
  readonly predictive?: Record<string, Record<string, number>>;
}

const studyJson = (args: readonly string[], status = 0): Promise<Study> => quietJson(['uncertainty', ...args], status);

const loss = (more: PlainBlock = {}): PlainBlock => ({
  id: 'l',
  kind: 'least-squares',
  prediction: 'm',
  observed: 'y',
  ...more,
});
const xs = [0, 1, 2, 3, 4];
const ys = [1.1, 2.9, 5.2, 6.8, 9.1];
const lineOf = (more: PlainBlock = {}, k: PlainBlock = {}, formula = 'a + k*x'): string =>
  written(
    documentOf(
      [constant('x', xs), constant('y', ys), parameter('a', 0), parameter('k', 1, k), map('m', formula), loss(more)],
      { objective: 'l' },
    ),
  );
const slope = 1.99;
const ssr = 0.107;
/** Quantiles 0.975 and 0.9 of Student's t with 3 degrees of freedom. */
const [t975, t90] = [3.182446305284263, 1.6377443536962102];

describe('uncertainty of a straight line', () => {
  it('by covariance and by profile is the t interval, at any level', async () => {
    const error = Math.sqrt(ssr / 3 / 10);
    for (const method of ['covariance', 'profile'])
      for (const [level, t] of [
        ['0.95', t975],
        ['0.8', t90],
      ] as const) {
        const found = await studyJson([lineOf(), '--method', method, '--level', level]);
        expect({ method: found.method, level: found.level }).toEqual({ method, level: Number(level) });
        expect(Object.keys(found.parameters)).toEqual(['a', 'k']);
        const { value, lower, upper, verdict } = found.parameters['k']!;
        expect(value).toBeCloseTo(slope, 8);
        expect(lower).toBeCloseTo(slope - t * error, 6);
        expect(upper).toBeCloseTo(slope + t * error, 6);
        expect(verdict.status).toBe('determined');
        expect(verdict.reason).toMatch(/determined, to ±/);
      }
  });

  it('with known sigma is by z, by chains too', async () => {
    const error = 0.3 / Math.sqrt(10);
    for (const [method, digits] of [
      ['profile', 6],
      ['hmc', 1],
    ] as const) {
      const { parameters } = await studyJson([lineOf({ sigma: 0.3 }), '--method', method]);
      expect(parameters['k']?.lower).toBeCloseTo(slope - 1.959963984540054 * error, digits);
      expect(parameters['k']?.upper).toBeCloseTo(slope + 1.959963984540054 * error, digits);
    }
  });

  it('by the bootstrap and by chains comes out the same for the same seed', async () => {
    for (const method of ['bootstrap', 'hmc']) {
      const run = (seed: string) => studyJson([lineOf(), '--method', method, '--samples', '100', '--seed', seed]);
      const once = await run('1');
      expect((await run('1')).parameters).toEqual(once.parameters);
      expect((await run('2')).parameters).not.toEqual(once.parameters);
      expect(once.parameters['k']?.lower).toBeLessThan(slope);
      expect(once.parameters['k']?.upper).toBeGreaterThan(slope);
    }
  });

  it('by chains says by parameter how they mixed, and writes its draws', async () => {
    const element = (id: string, index: number): PlainBlock[] => [
      { id: `at_${id}`, kind: 'constant', value: [index], type: 'int' },
      { id, kind: 'gather', from: 'p', indices: `at_${id}` },
    ];
    const both = [...element('a', 0), ...element('k', 1)];
    const path = written(
      documentOf([constant('x', xs), constant('y', ys), parameter('p', [0, 1]), ...both, map('m', 'a + k*x'), loss()], {
        objective: 'l',
      }),
    );
    const file = join(dirname(path), 'draws.csv');
    const args = ['--method', 'hmc', '--samples', '500', '--chains', '3', '--draws', file];
    const { diagnostics, parameters } = await studyJson([path, ...args]);
    for (const key of ['rHat', 'essBulk', 'essTail', 'divergences']) {
      expect(Object.keys(diagnostics[key] as object)).toEqual(['p']);
      expect((diagnostics[key] as { p: number[] }).p).toHaveLength(2);
    }
    expect(diagnostics).toMatchObject({ chains: 3, draws: 500, divergences: { p: [0, 0] } });
    const [header, ...rows] = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(header).toBe('chain,draw,p[0],p[1],divergent');
    expect(rows).toHaveLength(1500);
    const slopes = rows.map((row) => Number(row.split(',')[3]));
    const [mean] = (parameters['p'] as unknown as { mean: number[] }).mean.slice(1);
    expect(slopes.reduce((sum, value) => sum + value, 0) / 1500).toBeCloseTo(mean!, 10);
    expect(rows.at(-1)?.split(',').slice(0, 2)).toEqual(['3', '500']);
  });

  it('by chains tells how single observations are predicted by all others', async () => {
    const y = [1.2, 0.3, -0.4, 2.2, 1.7, 0.9, -1.1, 0.6, 1.4, 0.1, 3.4, 0.8];
    const others = y.map((_, i) => y.filter((_, k) => k !== i));
    const meanOf = (x: readonly number[]): number => x.reduce((sum, value) => sum + value, 0) / x.length;
    const density = (z: number): number => -0.5 * z * z - 0.5 * Math.log(2 * Math.PI);
    // A flat prior on the mean: y_i is normal about the mean of the others.
    const known = y.map((value, i) => {
      const spread = Math.sqrt(1 + 1 / (y.length - 1));
      return density((value - meanOf(others[i]!)) / spread) - Math.log(spread);
    });
    const blocks = [constant('y', y), parameter('mu', 0), map('m', 'mu + 0*y')];
    const term = { id: 'l', kind: 'likelihood', family: 'normal', observed: 'y', mean: 'm', sigma: 1 };
    const path = written(documentOf([...blocks, term], { objective: 'l' }));
    const { loo, predictive } = await studyJson([path, '--method', 'hmc']);
    const exact = known.reduce((sum, value) => sum + value, 0);
    expect(Math.abs(loo!['elpdLoo']! - exact)).toBeLessThan(0.1);
    expect(Math.abs(loo!['elpdWaic']! - exact)).toBeLessThan(0.2);
    expect(loo).toMatchObject({ observations: 12, paretoKAbove: 0 });
    for (const share of Object.values(predictive?.['l'] ?? {})) expect(share > 0.01 && share < 0.99).toBe(true);
    expect(Object.keys(predictive?.['l'] ?? {})).toEqual(['mean', 'standardDeviation', 'minimum', 'maximum']);

    // With sigma unknown and p ∝ 1/σ it is Student's t with 10 degrees of freedom: Γ(11/2)/Γ(5)/√(10π)·(1 + t²/10)^(−11/2).
    const constantOfT = Math.log(52.34277778455352 / 24) - 0.5 * Math.log(10 * Math.PI);
    const unknown = y.map((value, i) => {
      const rest = others[i]!;
      const centre = meanOf(rest);
      const scale = Math.sqrt((rest.reduce((sum, x) => sum + (x - centre) ** 2, 0) / 10) * (1 + 1 / 11));
      return constantOfT - 5.5 * Math.log1p(((value - centre) / scale) ** 2 / 10) - Math.log(scale);
    });
    const squares = written(documentOf([...blocks, loss()], { objective: 'l' }));
    const estimated = await studyJson([squares, '--method', 'hmc']);
    const exactly = unknown.reduce((sum, value) => sum + value, 0);
    expect(Math.abs(estimated.loo!['elpdLoo']! - exactly)).toBeLessThan(0.2);
  });

  it('by chains draws data of squares again, by block, and leaves out what was not observed', async () => {
    const y = [1.2, 0.3, -0.4, 2.2, 1.7, 0.9, -1.1, 0.6, 1.4, 0.1, 7, 0.8];
    const term = (id: string): PlainBlock => ({ ...loss({ prediction: `m${id}`, observed: `y${id}` }), id: `l${id}` });
    const blocks = [
      ...[constant('y1', [...y, 'NaN']), constant('x', [...y.keys(), 30]), parameter('mu', 0), map('m1', 'mu + 0*x')],
      ...[constant('y2', [...y.map((value, i) => 6 - value + i), 5]), parameter('a', 6), parameter('k', 1)],
      map('m2', 'a + k*x'),
    ];
    const path = written(documentOf([...blocks, term('1'), term('2')], { objective: ['l1', 'l2'] }));
    const { loo, predictive } = await studyJson([path, '--method', 'hmc']);
    expect(loo).toMatchObject({ observations: 25 });
    // By 400,000 draws of the closed form (NumPy): σ² = SSR/χ²(25 − 3), means and lines normal about their estimates.
    const known = {
      1: { mean: 0.499, standardDeviation: 0.924, minimum: 0.077, maximum: 0.358 },
      2: { mean: 0.501, standardDeviation: 0.272, minimum: 0.453, maximum: 0.328 },
    };
    for (const [id, shares] of Object.entries(known))
      Object.entries(shares).forEach(([name, share]) =>
        expect(Math.abs(predictive![`l${id}`]![name]! - share), `${id} ${name}`).toBeLessThan(0.09),
      );
  });

  it('by chains that do not meet ends with status 3', async () => {
    const path = written(
      documentOf([parameter('x', 1), map('two', '-log(exp(-(x-8)^2/2) + exp(-(x+8)^2/2))')], { objective: 'two' }),
    );
    const { warnings } = await studyJson([path, '--method', 'hmc', '--samples', '300'], 3);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/several modes/);
  });

  it('without a mode is of the draws, with status 0', async () => {
    const beta = { prior: { family: 'beta', alpha: 0.5, beta: 0.5 } };
    const path = written(documentOf([parameter('x', 0.3, beta), map('nothing', '0*x')], { objective: 'nothing' }));
    const { parameters } = await studyJson([path, '--method', 'hmc']);
    expect(Math.abs(parameters['x']!.value - 0.5)).toBeLessThan(0.1);
    expect(parameters['x']?.lower).toBeLessThan(0.01);
    expect(parameters['x']?.upper).toBeGreaterThan(0.99);
  });

  it('has bands for outputs', async () => {
    const { bands } = await studyJson([lineOf(), '--method', 'covariance', '--band', 'm']);
    // At the mean of x the band is s/√n wide.
    const half = t975 * Math.sqrt(ssr / 3 / 5);
    expect(bands!['m']!.value[2]! - bands!['m']!.lower[2]!).toBeCloseTo(half, 6);
  });
});

it.each([
  [{ scale: 'log' }, 'covariance', true],
  [{ lower: 0 }, 'covariance', true],
  [{}, 'covariance', false],
  [{ lower: -1 }, 'covariance', false],
  [{ scale: 'log' }, 'profile', false],
])('a weak parameter of %j is sent from %s to its profile: %s', async (k, method, sent) => {
  const path = lineOf({}, k, 'k + a*x');
  const { parameters } = await studyJson([path, '--method', method, '--level', '0.99']);
  expect(parameters['k']?.verdict.status).toBe('weak');
  expect(parameters['k']?.verdict.reason.includes('; symmetric by its making')).toBe(sent);
});

describe('a parameter that the data do not determine', () => {
  it('gets its verdict, and its status is 0', async () => {
    const path = lineOf({}, {}, 'a*k*x + 1');
    const covariance = await studyJson([path, '--method', 'covariance']);
    expect(covariance.parameters['a']).toMatchObject({ lower: null, upper: null });
    expect(covariance.parameters['a']?.verdict).toEqual({ status: 'none', reason: 'not determined: moves with k' });
    const profile = await studyJson([path, '--method', 'profile']);
    expect(profile.parameters['k']).toMatchObject({ lower: '-Infinity', upper: 'Infinity' });
    expect(profile.parameters['k']?.verdict.status).toBe('none');
  });

  it('at its bound is one-sided', async () => {
    const { parameters } = await studyJson([lineOf({}, { upper: 1.5 }), '--method', 'profile']);
    expect(parameters['k']?.verdict.status).toBe('one-sided');
    expect(parameters['k']?.upper).toBe(1.5);
  });

  it('that is fixed is known, and arrays have arrays', async () => {
    const path = written(
      documentOf(
        [
          constant('x', xs),
          constant('y', ys),
          parameter('c', [0, 1]),
          parameter('d', 2, { fixed: true }),
          { id: 'g', kind: 'gather', from: 'c', indices: 'z' },
          constant('z', [0, 1, 0, 1, 0], 'int'),
          map('m', 'g + d*x'),
          loss(),
        ],
        { objective: 'l' },
      ),
    );
    const { parameters } = await studyJson([path, '--method', 'covariance']);
    const array = parameters['c'] as unknown as { value: number[]; lower: number[]; verdict: { status: string }[] };
    expect([array.value.length, array.lower.length, array.verdict.length]).toEqual([2, 2, 2]);
    expect(parameters['d']).toMatchObject({ value: 2, lower: 2, upper: 2, verdict: { status: 'determined' } });
  });
});

describe('likelihoods and priors', () => {
  it('of a Poisson mean: profile by χ², chains by the gamma posterior', async () => {
    const path = written(
      documentOf(
        [
          constant('y', [3, 5, 4, 6, 2]),
          parameter('mu', 3, { lower: 0 }),
          { id: 'l', kind: 'likelihood', family: 'poisson', observed: 'y', mean: 'mu' },
        ],
        { objective: 'l' },
      ),
    );
    const rise = (mu: number): number => 2 * (5 * mu - 20 * Math.log(mu) - (20 - 20 * Math.log(4)));
    const { parameters } = await studyJson([path, '--method', 'profile']);
    expect(rise(parameters['mu']?.lower as number)).toBeCloseTo(1.959963984540054 ** 2, 6);
    expect(rise(parameters['mu']?.upper as number)).toBeCloseTo(1.959963984540054 ** 2, 6);
    // Γ(21, rate 5): quantiles 2.600 and 6.178.
    const chains = await studyJson([path, '--method', 'hmc']);
    expect(Math.abs((chains.parameters['mu']?.lower as number) - 2.6)).toBeLessThan(0.15);
    expect(Math.abs((chains.parameters['mu']?.upper as number) - 6.178)).toBeLessThan(0.25);
  });
});

describe('what cannot be studied', () => {
  it('is chains of a method that has none, or draws for which there is no folder: status 2 before anything is run', async () => {
    for (const [args, message] of [
      [['--method', 'profile', '--chains', '2'], /--chains is of hmc/],
      [['--method', 'hmc', '--draws', '/nowhere/at/all.csv'], /no folder \/nowhere\/at/],
    ] as const) {
      const { status, stderr } = await cotangent('uncertainty', lineOf(), ...args, '--json');
      expect(status).toBe(2);
      expect(stderr).toMatch(message);
    }
  });
  it('is a fit that fails: status 3, its result printed', async () => {
    const path = lineOf({}, {}, 'log(a - 10) + k*x');
    const found = await studyJson([path, '--method', 'profile'], 3);
    expect(found.parameters['k']).toMatchObject({ value: 1, lower: null, upper: null, verdict: { status: 'none' } });
  });
  it('is a level that is none, or a model without objective: status 2', async () => {
    for (const [args, message] of [
      [[lineOf(), '--method', 'profile', '--level', '95'], /between 0 and 1/],
      [[written(documentOf([parameter('a', 1)])), '--method', 'profile'], /no objective/],
    ] as const) {
      const { status, stdout, stderr } = await cotangent('uncertainty', ...args, '--json');
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toMatch(message);
    }
  });
  it('a posterior without a norm, along which chains run away together, ends with status 3', async () => {
    // Flat in k, and the likelihood has a limit above 0 as k grows.
    const path = written(
      documentOf(
        [
          constant('x', [0, 0.5, 1, 1.7, 2, 3.1]),
          constant('y', [1.916, 1.62, 0.972, 0.728, 0.774, 0.251]),
          ...['A', 'k'].map((id, i) => parameter(id, [2, 0.5][i]!, { scale: 'log' })),
          map('f', 'A*exp(-k*x)'),
          { id: 'loss', kind: 'least-squares', prediction: 'f', observed: 'y' },
        ],
        { objective: 'loss' },
      ),
    );
    const study = await quietJson<Study>(['uncertainty', path, '--method', 'hmc', '--samples', '500'], 3);
    expect(study.diagnostics).toMatchObject({ runaways: 1 });
    expect(study.warnings.join('\n')).toMatch(/k moves away without end.*may not be proper/);
  });

  it('stopped by the user prints the fit and what was found, with status 130', async () => {
    const outcome = await runProcess(['uncertainty', lineOf(), '--method', 'hmc', '--samples', '3000000', '--json'], {
      interruptAfter: 3000,
    });
    expect(outcome.status).toBe(130);
    expect((JSON.parse(outcome.stdout) as Study).parameters['k']?.value).toBeCloseTo(slope, 8);
  });
});

const metExactly = 'the data are met exactly, and tell nothing of their noise';

it('a profile of data that are met exactly has an end of what they see alone', async () => {
  // Two rows at one place tell a + k, and neither of the two.
  const sum = { id: 's', kind: 'quantity', formula: 'a + k' };
  const blocks = [constant('x', [1, 1]), constant('y', [2, 2]), parameter('a', 0.5), parameter('k', 1)];
  const path = written(documentOf([...blocks, map('m', 'a + k*x'), loss(), sum], { objective: 'l' }));
  const found = await studyJson([path, '--method', 'profile']);
  for (const [id, other] of [
    ['a', 'k'],
    ['k', 'a'],
  ] as const) {
    const { lower, upper, verdict } = found.parameters[id]!;
    expect([lower, upper]).toEqual([null, null]);
    expect(verdict).toEqual({ status: 'none', reason: `not determined: moves with ${other}` });
  }
  expect((found as unknown as { quantities: Record<string, unknown> }).quantities['s']).toMatchObject({
    verdict: { status: 'none', reason: `not determined: ${metExactly}` },
  });
});

it.each([
  ['two equal rows', [1, 1], [2, 2], metExactly],
  ['rows on a line', [1, 2, 3, 4], [0.37, 0.74, 1.11, 1.48], metExactly],
  ['one row', [1], [2], 'there are no more observations than parameters'],
] as const)('%s tell no noise, and so determine nothing, by whatever method', async (_, x, y, why) => {
  const twice = { id: 'd', kind: 'quantity', formula: '2*k' };
  const blocks = [constant('x', [...x]), constant('y', [...y]), parameter('k', 1), map('m', 'k*x'), loss(), twice];
  const path = written(documentOf(blocks, { objective: 'l' }));
  for (const method of [['covariance'], ['covariance', '--sandwich'], ['profile']]) {
    const found = (await studyJson([path, '--method', ...method])) as unknown as {
      readonly parameters: Record<string, unknown>;
      readonly quantities: Record<string, unknown>;
    };
    for (const known of [found.parameters['k'], found.quantities['d']])
      expect(known, method.join(' ')).toMatchObject({
        ...(x.length === 1 && { lower: null, upper: null }),
        verdict: { status: 'none', reason: `not determined: ${why}` },
      });
  }
});

it('rows that are met exactly have the errors of a sigma that is given', async () => {
  const x = [1, 2, 3, 4];
  const given = { ...loss(), sigma: 0.1 };
  const blocks = [
    constant('x', x),
    constant(
      'y',
      x.map((t) => 2 * t),
    ),
    parameter('k', 1),
    map('m', 'k*x'),
    given,
  ];
  const path = written(documentOf(blocks, { objective: 'l' }));
  const { lower, upper } = (await studyJson([path, '--method', 'profile'])).parameters['k']!;
  // ±1.96·0.1/√Σx².
  expect(upper).toBeCloseTo(2 + 0.195996398 / Math.sqrt(30), 6);
  expect(lower).toBeCloseTo(2 - 0.195996398 / Math.sqrt(30), 6);
});
