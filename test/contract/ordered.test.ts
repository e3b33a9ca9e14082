/**
 * Ascending lists whose neighbours the data want the other way round: the minimum is a tie, as pool-adjacent-violators has it (Barlow
 * et al. 1972), and what is told beside it is that of the constrained problem.
 */
import { describe, expect, it } from 'vitest';
import { cpuDevice } from '../../engine/index.ts';
import { fitModel } from '../../src-main/compute/fit/fit.ts';
import { demandModel, load } from '../../src-main/compute/running/load.ts';
import {
  constant,
  documentOf,
  fitJson,
  parameter,
  quietJson,
  written,
  type PlainBlock,
} from '../support/command-line.ts';

const device = cpuDevice();
const modelOf = async (blocks: readonly PlainBlock[]) =>
  demandModel(await load({ format: 'cotangent/1', blocks, objective: 'l' }, undefined));

/** Means of groups of `size`, ascending. */
function pooled(means: readonly number[]): number[] {
  const runs: { mean: number; count: number }[] = [];
  for (const mean of means) {
    runs.push({ mean, count: 1 });
    for (let i = runs.length - 1; i > 0 && runs[i - 1]!.mean > runs[i]!.mean; i--) {
      const [a, b] = runs.splice(i - 1, 2) as [(typeof runs)[number], (typeof runs)[number]];
      const count = a.count + b.count;
      runs.splice(i - 1, 0, { mean: (a.mean * a.count + b.mean * b.count) / count, count });
    }
  }
  return runs.flatMap(({ mean, count }) => new Array<number>(count).fill(mean));
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;
const squares = (values: readonly number[], about: readonly number[]): number =>
  values.reduce((sum, x, i) => sum + (x - about[i]!) ** 2, 0);

const size = 4;
const y = [1, 1.3, 0.9, 1.2, 1.1, 0.8, 1.2, 0.9, 2, 2.2, 1.9, 2.1];
const means = (values: readonly number[]): number[] =>
  Array.from({ length: values.length / size }, (_, g) => meanOf(values.slice(g * size, (g + 1) * size)));
const groupOf = (count: number): number[] => Array.from({ length: count }, (_, i) => Math.floor(i / size));
const levels = (initial: readonly number[], values: readonly number[] = y, loss: PlainBlock = leastSquares) => [
  ...[constant('y', [...values]), constant('k', groupOf(values.length), 'int')],
  parameter('m', [...initial], { support: 'ordered' }),
  { id: 'mu', kind: 'gather', from: 'm', indices: 'k' },
  loss,
];
const leastSquares: PlainBlock = { id: 'l', kind: 'least-squares', prediction: 'mu', observed: 'y' };

const wanted = pooled(means(y));
const rest = squares(
  y,
  groupOf(y.length).map((g) => wanted[g]!),
);
// Two means are free.
const error = Math.sqrt(rest / 10);
const t10 = 2.2281388519649385;

describe('a fit that ends at a tie', () => {
  it.each([
    ['', [0.5, 1.5, 2.5]],
    ['', [1, 1.1, 2]],
    ['that begins where neighbours nearly are', [0, 1e-13, 2]],
    ['that begins at another tie', [0, 1, 1]],
  ])('is that of pool-adjacent-violators %s %j', async (_, initial) => {
    const { status, reason, objective, estimates } = await fitModel(await modelOf(levels(initial)), device, {
      parameters: {},
    });
    expect(status, reason).toBe('converged');
    expect(reason).toBe('no step reduces the objective any further; m[0] and m[1] are tied');
    expect(objective).toBeCloseTo(rest, 12);
    estimates.forEach(({ value }, k) => expect(value).toBeCloseTo(wanted[k]!, 12));
    expect(estimates[0]!.value).toBe(estimates[1]!.value);
    // Those of two means, of which one is of eight rows.
    const errors = [error / Math.sqrt(8), error / Math.sqrt(8), error / 2];
    estimates.forEach(({ standardError }, k) => expect(standardError).toBeCloseTo(errors[k]!, 10));
    expect(estimates.map(({ verdict }) => verdict.reason)).toEqual([
      'determined, to ±12 %; m[0] and m[1] are tied, and have the error of one',
      'determined, to ±12 %; m[0] and m[1] are tied, and have the error of one',
      'well determined, to ±8.9 %',
    ]);
  });

  it.each(['levenberg-marquardt', 'newton-cg', 'l-bfgs-b', 'adam', 'nelder-mead'])('is by %s', async (method) => {
    const model = await modelOf(levels([0.5, 1.5, 2.5]));
    const { status, reason, estimates } = await fitModel(model, device, { parameters: {}, method });
    expect(status, reason).toBe('converged');
    estimates.forEach(({ value }, k) => expect(value).toBeCloseTo(wanted[k]!, 7));
  });

  it('is of many starts too', async () => {
    const found = await fitModel(await modelOf(levels([0.5, 1.5, 2.5])), device, { parameters: {}, starts: 32 });
    expect(found.starts?.atBest).toBe(32);
  });

  it('ties more than two, in each row by itself', async () => {
    const [first, second] = [
      [3, 2, 1, 5],
      [1, 2, 5, 4],
    ];
    const model = await modelOf([
      constant('y', [first, second]),
      parameter(
        'm',
        [
          [0, 1, 2, 3],
          [0, 1, 2, 3],
        ],
        { support: 'ordered' },
      ),
      { id: 'l', kind: 'least-squares', prediction: 'm', observed: 'y', sigma: 1 },
    ]);
    const { status, reason, estimates } = await fitModel(model, device, { parameters: {} });
    expect(status, reason).toBe('converged');
    expect(reason).toMatch(/; m\[0,0\], m\[0,1\] and m\[0,2\] are tied; m\[1,2\] and m\[1,3\] are tied$/);
    [...pooled(first), ...pooled(second)].forEach((value, k) => expect(estimates[k]!.value).toBeCloseTo(value, 10));
    expect(estimates[1]!.standardError).toBeCloseTo(1 / Math.sqrt(3), 10);
  });

  it('is of noise that is estimated with it, and begins again where it was written', async () => {
    const normal: PlainBlock = { id: 'l', kind: 'likelihood', family: 'normal', observed: 'y', mean: 'mu', sigma: 's' };
    const model = await modelOf([...levels([0.5, 1.5, 2.5], y, normal), parameter('s', 0.5, { support: 'positive' })]);
    const { status, reason, estimates } = await fitModel(model, device, { parameters: {} });
    expect(status, reason).toBe('converged');
    [...wanted, Math.sqrt(rest / y.length)].forEach((value, k) => expect(estimates[k]!.value).toBeCloseTo(value, 7));
    const again = await fitModel(model, device, {
      parameters: {},
      start: { m: estimates.slice(0, 3).map(({ value }) => value) },
    });
    expect(again.status).toBe('converged');
    expect(again.estimates[1]!.value).toBeCloseTo(wanted[1]!, 7);
  });

  it('is of thresholds between which no class was observed', async () => {
    const observed = [10, 0, 60].flatMap((count, k) => new Array<number>(count).fill(k));
    const model = await modelOf([
      parameter('c', [-1, 1], { support: 'ordered' }),
      constant('y', observed),
      { id: 'l', kind: 'likelihood', family: 'ordinal', observed: 'y', location: 0, thresholds: 'c' },
    ]);
    const { status, reason, estimates } = await fitModel(model, device, { parameters: {} });
    expect(status, reason).toBe('converged');
    for (const { value } of estimates) expect(value).toBeCloseTo(Math.log(1 / 6), 7);
  });

  it('is left where the data want them apart', async () => {
    const apart = [1, 1.3, 0.9, 1.2, 1.4, 1.5, 1.2, 1.9];
    const { status, reason, estimates } = await fitModel(await modelOf(levels([1, 1], apart)), device, {
      parameters: {},
    });
    expect(status).toBe('converged');
    expect(reason).not.toContain('tied');
    estimates.forEach(({ value }, k) => expect(value).toBeCloseTo(means(apart)[k]!, 10));
  });
});

describe('about a tie', () => {
  interface Row {
    readonly lower: readonly (number | null)[];
    readonly upper: readonly (number | null)[];
    readonly verdict: readonly { readonly reason: string }[];
  }
  interface Study {
    readonly parameters: { readonly m: Row };
    readonly quantities?: Readonly<Record<string, Row>>;
    readonly diagnostics: Readonly<Record<string, number>>;
  }
  const path = written(
    documentOf([...levels([0.5, 1.5, 2.5]), { id: 'd', kind: 'quantity', formula: 'm*2' }], { objective: 'l' }),
  );

  it('profiles are those of the constrained problem', async () => {
    const { parameters } = await quietJson<Study>(['uncertainty', path, '--method', 'profile']);
    const own = means(y);
    // Held at `x`, the others are pooled, and none passes it.
    const held = (k: number, x: number): number => {
      const below = pooled(own.slice(0, k)).map((mean) => Math.min(mean, x));
      const above = pooled(own.slice(k + 1)).map((mean) => Math.max(mean, x));
      return size * squares([...below, x, ...above], own);
    };
    const least = size * squares(wanted, own);
    const end = (k: number, far: number): number => {
      let [inside, outside] = [wanted[k]!, far];
      for (let i = 0; i < 60; i++) {
        const middle = (inside + outside) / 2;
        if (held(k, middle) - least < error ** 2 * t10 ** 2) inside = middle;
        else outside = middle;
      }
      return inside;
    };
    for (const k of [0, 1, 2]) {
      expect(parameters.m.lower[k]).toBeCloseTo(end(k, -5), 6);
      expect(parameters.m.upper[k]).toBeCloseTo(end(k, 5), 6);
    }
  });

  it('a fit that is read again has the band of one mean', async () => {
    const fit = await fitJson<{ quantities: Record<'d', { standardError: (number | null)[] }> }>([path]);
    fit.quantities.d.standardError.forEach((found, k) =>
      expect(found).toBeCloseTo((2 * error) / (k < 2 ? Math.sqrt(8) : 2), 10),
    );
  });
});

describe('replicates that end at a tie', () => {
  it('count with what is tied', async () => {
    const values = [1, 1.2, 0.8, 1.1, 1.15, 0.9, 1.3, 1];
    const path = written(documentOf(levels([0.5, 1.5], values), { objective: 'l' }));
    const { parameters, diagnostics } = await quietJson<{
      parameters: { m: { lower: number[]; upper: number[] } };
      diagnostics: Record<string, number>;
    }>(['uncertainty', path, '--method', 'bootstrap', '--samples', '20000']);
    expect(diagnostics).toMatchObject({ replicates: 20000, failed: 0 });
    // 400,000 replicates of residuals by NumPy, those of the wrong order pooled (31 %), the first and the distance t₆/z times as
    // far, at least 0. Without what is pooled the first has 0.7998 and 1.1692.
    const { lower, upper } = parameters.m;
    [0.81327, 0.93433].forEach((end, k) => expect(Math.abs(lower[k]! - end)).toBeLessThan(0.005));
    [1.1834, 1.29473].forEach((end, k) => expect(Math.abs(upper[k]! - end)).toBeLessThan(0.005));
  });

  it('are those of an ordinal likelihood whose middle class was not drawn', async () => {
    // Two of 45 rows are of the middle class, which is in (43/45)^45 = 13 % of the replicates not drawn.
    const observed = [20, 2, 23].flatMap((count, k) => new Array<number>(count).fill(k));
    const blocks = [
      parameter('c', [-1, 1], { support: 'ordered' }),
      constant('y', observed),
      { id: 'l', kind: 'likelihood', family: 'ordinal', observed: 'y', location: 0, thresholds: 'c' },
    ];
    const { diagnostics } = await quietJson<{ diagnostics: Record<string, number> }>([
      ...['uncertainty', written(documentOf(blocks, { objective: 'l' })), '--method', 'bootstrap'],
      ...['--resample', 'cases', '--samples', '400'],
    ]);
    expect(diagnostics).toMatchObject({ replicates: 400, failed: 0 });
  });
});
