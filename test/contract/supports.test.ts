/** Parameters that have a support, or bounds that depend on others: what is told of them is of themselves, by every method. */
import { describe, expect, it } from 'vitest';
import { cpuDevice } from '../../engine/index.ts';
import { fitModel } from '../../src-main/compute/fit/fit.ts';
import { demandModel, load } from '../../src-main/compute/running/load.ts';
import { sensitivity } from '../../src-main/compute/study/sensitivity.ts';
import { uncertainty } from '../../src-main/compute/study/uncertainty.ts';
import {
  constant,
  documentOf,
  fitJson,
  json,
  map,
  parameter,
  written,
  type PlainBlock,
} from '../support/command-line.ts';

const device = cpuDevice();
const noContext = { parameters: {} };
const modelOf = async (blocks: PlainBlock[], objective: string | string[]) =>
  demandModel(await load({ format: 'cotangent/1', blocks, objective }, undefined));

/** Counts of classes: −log p of the multinomial, less its constant. */
const counts = [10, 30, 60];
const multinomial: PlainBlock[] = [
  parameter('w', [0.2, 0.3, 0.5], { support: 'simplex' }),
  constant('y', counts),
  map('each', '-y*log(w)'),
  { id: 'l', kind: 'reduce', operator: 'add', values: 'each' },
];

describe('a simplex', () => {
  it('is fitted to the shares, with the errors of the multinomial', async () => {
    const path = written(documentOf(multinomial, { objective: 'l' }));
    const found = await fitJson<{
      parameters: Record<'w', Record<string, number[]>>;
      correlation: { parameters: string[]; matrix: number[][] };
    }>([path, '--json']);
    const { value, standardError } = found.parameters.w;
    counts.forEach((count, i) => {
      const p = count / 100;
      expect(value![i]).toBeCloseTo(p, 9);
      expect(standardError![i]).toBeCloseTo(Math.sqrt((p * (1 - p)) / 100), 9);
    });
    const { parameters, matrix } = found.correlation;
    expect(parameters).toEqual(['w[0]', 'w[1]', 'w[2]']);
    expect(matrix[0]![1]).toBeCloseTo(-Math.sqrt((0.1 * 0.3) / (0.9 * 0.7)), 9);
    // It is itself that is evaluated, set and differentiated.
    const adjoints = (await json('differentiate', path, '--of', 'l')) as { adjoints: { w: number[] } };
    adjoints.adjoints.w.forEach((slope, i) => expect(slope).toBeCloseTo(-counts[i]! / [0.2, 0.3, 0.5][i]!, 9));
  });

  it('is drawn as a flat one, by the Dirichlet distribution of counts + 1', async () => {
    const model = await modelOf(multinomial, 'l');
    const { parameters } = await uncertainty(model, device, { kind: 'uncertainty', method: 'hmc' }, { parameters: {} });
    parameters.forEach(({ name, figures }, i) => {
      expect(name).toBe(`w[${i}]`);
      const p = (counts[i]! + 1) / 103;
      const sd = Math.sqrt((p * (1 - p)) / 104);
      expect(Math.abs(Number(figures['mean']) - p)).toBeLessThan(0.1 * sd);
      expect(Number(figures['standardDeviation']) / sd).toBeGreaterThan(0.9);
      expect(Number(figures['standardDeviation']) / sd).toBeLessThan(1.1);
      expect(figures['rHat']).toBeLessThan(1.01);
      expect(figures['mcseMean']).toBeGreaterThan(0);
      expect(figures['mcseStandardDeviation']).toBeGreaterThan(0);
    });
  });

  it('is drawn from equal shares on, and beside a count of 0, as from anywhere', async () => {
    // Of equal shares some sums of logarithms are not quite 0, and what is left of them says no scale.
    const seen = [7, 3, 0, 2];
    const model = await modelOf(
      [parameter('w', [0.25, 0.25, 0.25, 0.25], { support: 'simplex' }), constant('y', seen), ...multinomial.slice(2)],
      'l',
    );
    const { parameters, diagnostics } = await uncertainty(
      model,
      device,
      { kind: 'uncertainty', method: 'hmc' },
      noContext,
    );
    expect(diagnostics['deepestTrajectories']).toBe(0);
    expect(diagnostics['gradients']).toBeLessThan(60_000);
    parameters.forEach(({ figures }, i) => {
      const p = (seen[i]! + 1) / 16;
      const sd = Math.sqrt((p * (1 - p)) / 17);
      expect(Math.abs(Number(figures['mean']) - p)).toBeLessThan(0.1 * sd);
      expect(figures['rHat']).toBeLessThan(1.01);
    });
  });

  it('has profiles of its shares, at which the deviance is χ²', async () => {
    const model = await modelOf(multinomial, 'l');
    const { parameters } = await uncertainty(
      model,
      device,
      { kind: 'uncertainty', method: 'profile' },
      { parameters: {} },
    );
    const deviance = (p: number, y: number): number =>
      2 * (y * Math.log(y / 100 / p) + (100 - y) * Math.log((1 - y / 100) / (1 - p)));
    parameters.forEach(({ lower, upper }, i) => {
      for (const end of [lower, upper]) expect(deviance(end, counts[i]!)).toBeCloseTo(3.841458820694124, 4);
    });
  });

  it('that is not determined is called by its own name, as what moves with it is', async () => {
    const blocks = [
      parameter('w', [0.2, 0.8], { support: 'simplex' }),
      parameter('a', 1),
      constant('first', 0, 'int'),
      { id: 'w0', kind: 'gather', from: 'w', indices: 'first' },
      constant('x', [1, 2, 3, 4]),
      constant('y', [1.1, 1.9, 3.2, 3.9]),
      map('m', 'a*w0*x'),
      { id: 'l', kind: 'least-squares', prediction: 'm', observed: 'y' },
    ];
    const model = await modelOf(blocks, 'l');
    const request = { kind: 'uncertainty', method: 'covariance' } as const;
    const { parameters, sloppy } = await uncertainty(model, device, request, { parameters: {} });
    expect(parameters.map(({ name, verdict }) => [name, verdict.reason])).toEqual([
      ['w[0]', 'not determined: the data do not determine it'],
      ['w[1]', 'not determined: the data do not determine it'],
      ['a', 'not determined: moves with w'],
    ]);
    expect(sloppy.join()).toMatch(/free number 0 of w \(-?0\.\d\d\), a \(-?0\.\d\d\)/);
  });

  it('tells a share that the data determine though what it is made of they do not, in a fit as in a study', async () => {
    const x = [1, 2, 3, 4];
    const blocks = [
      parameter('w', [0.3, 0.3, 0.4], { support: 'simplex' }),
      constant('first', 0, 'int'),
      { id: 'w0', kind: 'gather', from: 'w', indices: 'first' },
      constant('x', x),
      constant('y', [0.5, 1.1, 1.4, 2.1]),
      map('m', 'w0*x'),
      { id: 'l', kind: 'least-squares', prediction: 'm', observed: 'y', sigma: 0.1 },
    ];
    const model = await modelOf(blocks, 'l');
    const { estimates } = await fitModel(model, device, { parameters: {} });
    const [first, second] = estimates;
    expect(first!.standardError).toBeCloseTo(0.1 / Math.sqrt(x.reduce((sum, each) => sum + each ** 2, 0)), 9);
    expect(first!.verdict.status).toBe('determined');
    expect(second!.standardError).toBeNaN();
    const study = await uncertainty(model, device, { kind: 'uncertainty', method: 'covariance' }, { parameters: {} });
    expect(study.parameters.map(({ verdict }) => verdict)).toEqual(estimates.map(({ verdict }) => verdict));
  });

  it('has no minimum where the likelihood grows without end as a share goes to 0', async () => {
    const flat = multinomial.map((block) => (block['id'] === 'y' ? constant('y', [10, -0.5, 30]) : block));
    const { status, reason } = await fitModel(await modelOf(flat, 'l'), device, { parameters: {} });
    expect(status).toBe('not-converged');
    expect(reason).toContain('grows without end as "w" comes to its edge: a share is 0');
  });

  it('is not varied share by share', async () => {
    const sentence = 'the elements of the parameter "w" depend on one another';
    const request = { kind: 'sensitivity', method: 'sobol', of: 'l' } as const;
    const model = await modelOf(multinomial, 'l');
    await expect(sensitivity(model, device, request, { parameters: {} })).rejects.toThrow(sentence);
  });
});

describe('what is not varied itself', () => {
  const model = (): ReturnType<typeof modelOf> =>
    modelOf(
      [
        parameter('k', [0.8, 2.5], { support: 'ordered' }),
        parameter('a', 5),
        parameter('q', 0.5, { lower: 0, upper: 'a' }),
        constant('which', [0, 0, 0, 0, 1, 1, 1, 1], 'int'),
        { id: 'mean', kind: 'gather', from: 'k', indices: 'which' },
        constant('y', [0.9, 1.13, 0.95, 1.2, 2.1, 1.8, 2.05, 2.2]),
        constant('z', [4.9, 5.2, 5.1]),
        constant('w', [1.2, 0.7, 1.1]),
        { id: 'ofMean', kind: 'least-squares', prediction: 'mean', observed: 'y', sigma: 0.2 },
        { id: 'ofA', kind: 'least-squares', prediction: 'a', observed: 'z', sigma: 0.2 },
        { id: 'ofQ', kind: 'least-squares', prediction: 'q', observed: 'w', sigma: 0.2 },
      ],
      ['ofMean', 'ofA', 'ofQ'],
    );

  it('has the standard errors of replicates, and the deviations of draws', async () => {
    const kinds = { bootstrap: 'standardError', hmc: 'standardDeviation' } as const;
    for (const method of ['bootstrap', 'hmc'] as const) {
      const { parameters } = await uncertainty(await model(), device, { kind: 'uncertainty', method }, noContext);
      expect(parameters.map(({ name }) => name)).toEqual(['k[0]', 'k[1]', 'a', 'q']);
      [4, 4, 3, 3].forEach((rows, i) => {
        const { figures } = parameters[i]!;
        expect(Object.keys(figures).filter((key) => key.startsWith('standard'))).toEqual([kinds[method]]);
        const ratio = Number(figures[kinds[method]]) / (0.2 / Math.sqrt(rows));
        expect(Math.abs(Math.log(ratio))).toBeLessThan(Math.log(1.3));
      });
    }
  });

  it('has its share of divergences, which sum to all of them', async () => {
    // Neal's funnel, whose narrow end is that of a scale between bounds that depend on another.
    const funnel = await modelOf(
      [
        parameter('a', 6, { prior: { family: 'normal', mean: 6, sd: 0.1 } }),
        parameter('v', 0, { lower: -9, upper: 'a' }),
        parameter('x', [-1, 1, 2], { support: 'ordered' }),
        map('each', 'x^2*exp(-v)/2 + v/2'),
        { id: 'l', kind: 'reduce', operator: 'add', values: 'each' },
      ],
      'l',
    );
    const found = await uncertainty(funnel, device, { kind: 'uncertainty', method: 'hmc', samples: 400 }, noContext);
    const counts = new Map(found.parameters.map(({ name, figures }) => [name, Number(figures['divergences'])]));
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    expect(total).toBe(found.diagnostics['divergences']);
    expect(total).toBeGreaterThan(20);
    expect(counts.get('v')).toBeGreaterThan(0.4 * total);
  });
});

describe('an ordered parameter', () => {
  it('has the thresholds of counted classes', async () => {
    const observed = counts.flatMap((count, k) => new Array<number>(count).fill(k));
    const model = await modelOf(
      [
        parameter('c', [-1, 1], { support: 'ordered' }),
        constant('y', observed),
        { id: 'l', kind: 'likelihood', family: 'ordinal', observed: 'y', location: 0, thresholds: 'c' },
      ],
      'l',
    );
    const { status, estimates, objective } = await fitModel(model, device, { parameters: {} });
    expect(status).toBe('converged');
    [0.1, 0.4].forEach((p, k) => {
      expect(estimates[k]!.value).toBeCloseTo(Math.log(p / (1 - p)), 7);
      expect(estimates[k]!.standardError).toBeCloseTo(1 / Math.sqrt(100 * p * (1 - p)), 6);
    });
    expect(objective).toBeCloseTo(-counts.reduce((sum, count) => sum + count * Math.log(count / 100), 0), 9);
  });
});

describe('a correlation', () => {
  const start = (r: number): number[][] => [
    [1, r],
    [r, 1],
  ];
  const first = (from: string, axis: number, at: number) => ({
    ...{ kind: 'slice', values: from, axis, start: at, stop: at + 1 },
  });
  const sum = (id: string, values: string): PlainBlock => ({ id, kind: 'reduce', operator: 'add', values, axis: 0 });
  /** A matrix of two, the correlation in it as a table of one cell, and the sum of what is made of it. */
  const ofCell = (formula: string, from: number): PlainBlock[] => [
    parameter('R', start(from), { support: 'correlation' }),
    { id: 'row', ...first('R', 0, 0) },
    { id: 'cell', ...first('row', 1, 1) },
    map('each', formula),
    sum('inner', 'each'),
    sum('l', 'inner'),
  ];
  /** −log p of n pairs of variance 1 each: ½·n·(log(1 − r²) + (a + c − 2rb)/(1 − r²)), which at a = c = 1 is least at r = b. */
  const pairs = (n: number, b: number, from = 0): PlainBlock[] =>
    ofCell(`${n / 2}*(log(1 - cell^2) + (2 - 2*${b}*cell)/(1 - cell^2))`, from);

  it('is that of the data, with its error', async () => {
    const [n, b] = [50, 0.6];
    const { estimates } = await fitModel(await modelOf(pairs(n, b), 'l'), device, { parameters: {} });
    expect(estimates.map(({ name }) => name)).toEqual(['R[0,0]', 'R[0,1]', 'R[1,0]', 'R[1,1]']);
    expect(estimates[1]!.value).toBeCloseTo(b, 8);
    // Fisher's information of a correlation, the variances known: n(1 + r²)/(1 − r²)²
    expect(estimates[1]!.standardError).toBeCloseTo((1 - b * b) / Math.sqrt(n * (1 + b * b)), 8);
    expect(estimates[0]!.value).toBeCloseTo(1, 12);
    expect(estimates[0]!.standardError).toBeCloseTo(0, 12);
  });

  it.each([0.3, 0.55, 0.6937])('has a diagonal of 1 and nothing else, by profiles too: %d', async (b) => {
    const model = await modelOf(pairs(50, b, 0.1), 'l');
    const { parameters } = await uncertainty(model, device, { kind: 'uncertainty', method: 'profile' }, noContext);
    for (const name of ['R[0,0]', 'R[1,1]'])
      expect(parameters.find((each) => each.name === name)).toMatchObject({
        ...{ value: 1, lower: 1, upper: 1, verdict: { status: 'determined' } },
      });
  });

  describe.each([1, -1])('that the data put at %d', (end) => {
    // Straight rows through 0 whose slope is a correlation, and wants to be 1.1.
    const x = [1, 2, 3];
    const y = [1.2, 2.1, 3.4];
    const line: PlainBlock[] = [
      ...ofCell('cell', 0),
      ...[
        constant('x', x),
        constant(
          'y',
          y.map((value) => end * value),
        ),
        map('f', 'l*x'),
      ],
      { id: 'loss', kind: 'least-squares', prediction: 'f', observed: 'y', sigma: 1 },
    ];

    it('is a minimum at its edge, which names the entry', async () => {
      const { status, reason, estimates } = await fitModel(await modelOf(line, 'loss'), device, { parameters: {} });
      expect(status).toBe('converged');
      expect(reason).toContain('"R[1,0]" is at its edge, 1 or -1');
      expect(estimates.map(({ value }) => value)).toEqual([1, expect.closeTo(end, 12), expect.closeTo(end, 12), 1]);
      expect(estimates.map(({ standardError }) => standardError)).toEqual([0, NaN, NaN, 0]);
    });

    it.each(['profile', 'bootstrap', 'hmc'] as const)('has the interval that the data leave: %s', async (method) => {
      const request = {
        kind: 'uncertainty',
        method,
        seed: 1,
        ...(method === 'bootstrap' && { samples: 200 }),
      } as const;
      const { parameters } = await uncertainty(await modelOf(line, 'loss'), device, request, noContext);
      const [one, entry] = parameters;
      expect(one).toMatchObject({ value: 1, lower: 1, upper: 1, verdict: { status: 'determined' } });
      const ends = [entry!.lower * end, entry!.upper * end].toSorted((a, b) => a - b);
      // By SciPy: Σ(y − rx)² is z² above that of r = 1; quantiles of the density of r between -1 and 1.
      if (method === 'profile') expect(ends).toEqual([expect.closeTo(0.5781410134318979, 6), expect.closeTo(1, 12)]);
      if (method === 'hmc') {
        expect(Math.abs(ends[0]! - 0.4747998993117144)).toBeLessThan(0.04);
        expect(Math.abs(ends[1]! - 0.9938311668015523)).toBeLessThan(0.003);
        expect(Math.abs(Number(entry!.figures['mean']) * end - 0.8233554368220269)).toBeLessThan(0.02);
      }
    });
  });

  it('is the one nearest to a matrix that is none', async () => {
    // Higham 2002, DOI 10.1093/imanum/22.3.329, section 5; the errors are those along the edge R₁₂ = R₀₁, R₀₂ = 2·R₀₁² − 1.
    const blocks = [
      parameter(
        'R',
        [
          [1, 0, 0],
          [0, 1, 0],
          [0, 0, 1],
        ],
        { support: 'correlation' },
      ),
      constant('A', [
        [1, 1, 0],
        [1, 1, 1],
        [0, 1, 1],
      ]),
      { id: 'l', kind: 'least-squares', prediction: 'R', observed: 'A', sigma: 0.1 },
    ];
    const path = written(documentOf(blocks, { objective: 'l' }));
    const { parameters, reason } = await fitJson<{
      reason: string;
      parameters: Record<'R', Record<'value' | 'standardError', number[][]>>;
    }>([path, '--json']);
    expect(reason).toContain('"R[2,1] given R[2,0]" is at its edge, 1 or -1');
    const [near, far] = [expect.closeTo(0.7607, 4), expect.closeTo(0.1573, 4)];
    expect(parameters.R.value).toEqual([
      [1, near, far],
      [near, 1, near],
      [far, near, 1],
    ]);
    expect(parameters.R.standardError[1]![2]).toBeCloseTo(parameters.R.standardError[0]![1]!, 9);
  });

  it('along which the likelihood grows without end has no minimum', async () => {
    // Pairs that are each other: ½·n·(log(1 − r²) + 2/(1 + r)).
    const { status, reason } = await fitModel(await modelOf(pairs(50, 1, 0.1), 'l'), device, { parameters: {} });
    expect(status).toBe('not-converged');
    expect(reason).toContain('grows without end as "R[1,0]" comes to its edge');
  });
});

describe('bounds that are references', () => {
  const normal = (id: string, mean: string, observed: string, sigma: number): PlainBlock => ({
    ...{ id, kind: 'likelihood', family: 'normal', observed, mean, sigma },
  });

  it('of data are numbers', async () => {
    const model = await modelOf(
      [constant('least', 2), constant('y', [1, 1.5]), parameter('m', 3, { lower: 'least' }), normal('l', 'm', 'y', 1)],
      'l',
    );
    const { estimates } = await fitModel(model, device, { parameters: {} });
    expect(estimates[0]).toMatchObject({ value: 2, atBound: 'lower' });
  });

  it.each([{ lower: 'a', upper: 5 }, { lower: 'a' }])(
    'of parameters keep one above the other, in a fit and in draws: %o',
    async (bounds) => {
      const blocks = [
        constant('y', [1, 1.2]),
        constant('z', [1.1, 1.4]),
        parameter('a', 0),
        parameter('b', 2, bounds),
        normal('la', 'a', 'y', 0.5),
        normal('lb', 'b', 'z', 0.5),
      ];
      const model = await modelOf(blocks, ['la', 'lb']);
      const { status, estimates } = await fitModel(model, device, { parameters: {} });
      expect(status).toBe('converged');
      expect(estimates.map(({ value }) => value)).toEqual([expect.closeTo(1.1, 6), expect.closeTo(1.25, 6)]);
      expect(estimates[1]!.standardError).toBeCloseTo(0.5 / Math.sqrt(2), 6);
      const { draws } = await uncertainty(model, device, { kind: 'uncertainty', method: 'hmc' }, { parameters: {} });
      const [a, c] = draws!.map(({ chains }) => chains.flatMap((chain) => [...chain]));
      a!.forEach((x, i) => expect(c![i]!).toBeGreaterThan(x));
      // Two normal variables of sd s, d apart, given their order: the mean of the lower is less by s·φ(δ)/(√2·Φ(δ)), δ = d/(√2·s).
      const [s, d] = [0.5 / Math.sqrt(2), 0.15];
      const delta = d / (Math.SQRT2 * s);
      const phi = Math.exp(-(delta ** 2) / 2) / Math.sqrt(2 * Math.PI);
      const Phi = 0.6179114221889526; // Φ(0.3)
      const mean = a!.reduce((sum, x) => sum + x, 0) / a!.length;
      expect(delta).toBeCloseTo(0.3, 12);
      expect(Math.abs(mean - (1.1 - (s * phi) / (Math.SQRT2 * Phi)))).toBeLessThan(0.03);
    },
  );

  // Straight rows, whose level and slope are wanted at (0.8, 0.7); by SciPy's SLSQP.
  it.each([
    ['a + b ≤ 1', '1 - a', 'upper', 0.2, [0.15129033, 0.84870967], 0.8667483870968],
    ['b ≥ a + 0.2', 'a + 0.2', 'lower', 0.9, [0.57153846, 0.77153846], 0.1065846153846],
    ['b ≥ a² + 0.1, which holds back a little', 'a^2 + 0.1', 'lower', 0.9, [0.78021894, 0.70874159], 0.0028438486935],
  ] as const)('are where a fit ends that they hold back: %s', async (_, formula, side, start, wanted, least) => {
    const x = [0, 1, 2, 3, 4, 5];
    const blocks = [
      parameter('a', 0.3),
      map('rest', formula),
      parameter('b', start, { [side]: 'rest' }),
      constant('x', [...x]),
      constant('y', [0.82, 1.49, 2.22, 2.88, 3.61, 4.33]),
      map('f', 'a + b*x'),
      { id: 'loss', kind: 'least-squares', prediction: 'f', observed: 'y' },
    ];
    const found = await fitModel(await modelOf(blocks, 'loss'), device, { parameters: {} });
    expect(found.status, found.reason).toBe('converged');
    expect(found.reason).toContain('"b" is at its bound');
    expect(found.objective).toBeCloseTo(least, 9);
    found.estimates.forEach(({ value }, j) => expect(value).toBeCloseTo(wanted[j] as number, 5));
    expect(found.estimates[1]?.verdict.reason).toBe('not determined: b is at a bound');
    // On the bound of the first, y - x = a·(1 - x): σ²/Σ(1 - x)².
    if (side === 'upper') {
      const error = Math.sqrt(least / 5 / x.reduce((sum, at) => sum + (1 - at) ** 2, 0));
      expect(found.estimates[0]?.standardError).toBeCloseTo(error, 6);
    }
  });

  it('hold one of three at another: a ≤ b ≤ c, of which the means have b below a', async () => {
    const y = [
      [1, 1.3, 0.9, 1.2],
      [1.1, 0.8, 1.2, 0.9],
      [2, 2.2, 1.9, 2.1],
    ];
    const start = (a: number, b: number, c: number): PlainBlock[] => [
      ...[parameter('a', a), parameter('b', b, { lower: 'a' }), parameter('c', c, { lower: 'b' })],
      ...[0, 1, 2].flatMap((i) => [
        constant(`y${i}`, y[i]!),
        map(`m${i}`, `${'abc'[i]} + 0*one`, { inputs: { one: `y${i}` } }),
        { id: `l${i}`, kind: 'least-squares', prediction: `m${i}`, observed: `y${i}` },
      ]),
    ];
    // Pooled, of twelve rows and two means.
    const s = Math.sqrt(0.27 / 10);
    for (const at of [[0.5, 1.5, 2.5] as const, [1.05, 1.05, 2.05] as const, [0, 0, 0] as const]) {
      const model = demandModel(
        await load(
          { format: 'cotangent/1', blocks: start(at[0], at[1], at[2]), objective: ['l0', 'l1', 'l2'] },
          undefined,
        ),
      );
      const { status, reason, estimates, objective } = await fitModel(model, device, { parameters: {} });
      expect(status, reason).toBe('converged');
      expect(reason).toBe('no step reduces the objective any further; "b" is at its bound');
      expect(objective).toBeCloseTo(0.27, 12);
      estimates.forEach(({ value }, k) => expect(value).toBeCloseTo([1.05, 1.05, 2.05][k]!, 10));
      expect(estimates.map(({ standardError }) => standardError)).toEqual([
        expect.closeTo(s / Math.sqrt(8), 10),
        NaN,
        expect.closeTo(s / 2, 10),
      ]);
    }
  });

  it('are refused where the start lies outside', async () => {
    const blocks = [parameter('a', 3), parameter('b', 2, { lower: 'a' }), constant('y', [1]), normal('l', 'b', 'y', 1)];
    const model = await modelOf(blocks, 'l');
    await expect(fitModel(model, device, { parameters: {} })).rejects.toThrow(/"b".*between 3 and Infinity, got 2/);
  });
});

it('positive is a bound of 0, on a log scale', async () => {
  const blocks = [
    parameter('s', 1, { support: 'positive' }),
    constant('y', [2, 3, 4]),
    { id: 'l', kind: 'likelihood', family: 'poisson', observed: 'y', mean: 's' },
  ];
  const model = await modelOf(blocks, 'l');
  const { estimates } = await fitModel(model, device, { parameters: {} });
  expect(estimates[0]!.value).toBeCloseTo(3, 8);
});
