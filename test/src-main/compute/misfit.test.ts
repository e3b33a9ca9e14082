/** Where a fit misses a shape, and where no more is left than rounding, or than the fit had to bring down. */
import { afterAll, expect, it } from 'vitest';
import { cpuDevice } from '../../../engine/index.ts';
import { withMisfits } from '../../../src-main/compute/misfit.ts';
import { demandModel, load } from '../../../src-main/compute/running/load.ts';
import type { FitReport } from '../../../src-main/contract/contract.ts';

const device = cpuDevice();
afterAll(() => device.close());

const t = Array.from({ length: 20 }, (_, i) => i / 2);

/** A line through data that lie on one, off by so much of its slope: residuals change their sign once. */
async function missed(off: number, noise: object): Promise<unknown> {
  const document = {
    format: 'cotangent/1',
    tables: { obs: { columns: { t, y: t.map((x) => 1 + 0.8 * x) } } },
    blocks: [
      ...['t', 'y'].map((column) => ({ id: column, kind: 'column', table: 'obs', column })),
      { id: 'k', kind: 'parameter', initial: 0.8 },
      { id: 'f', kind: 'map', formula: '1 + 0.8 * t + (k - 0.8) * (t - 4.6)' },
      { id: 'loss', kind: 'least-squares', prediction: 'f', observed: 'y', ...noise },
    ],
    objective: 'loss',
  };
  const model = demandModel(await load(document, undefined));
  const estimates = [{ name: 'k', block: 'k', value: 0.8 + off, verdict: {} }];
  const report = { status: 'converged', estimates } as unknown as FitReport;
  return (await withMisfits(model, device, report)).misfits;
}

it.each([
  ['noise that is known', { sigma: 0.5 }, 1e-2, 1e-6],
  ['noise that is not', {}, 1e-4, 1e-13],
  ['weights', { weights: 9 }, 1e-4, 1e-13],
])('is told, but for what is negligible beside %s', async (_, noise, large, small) => {
  expect(await missed(large, noise)).toMatchObject([{ of: 'loss', x: 't' }]);
  expect(await missed(small, noise)).toBeUndefined();
});

it('tells of observations that lie further off than the errors which are given allow, and of no run of one row', async () => {
  const signs = [1, -1, 1, -1, -1, 1, 1, -1, 1, -1, -1, 1, -1, 1, 1, -1, 1, -1, 1, -1];
  const noisy = t.map((x, i) => 1 + 0.8 * x + 0.09 * signs[i]!);
  const reported = async (y: readonly number[], more: object): Promise<FitReport> => {
    const document = {
      format: 'cotangent/1',
      tables: { obs: { columns: { t, y } } },
      blocks: [
        { id: 't', kind: 'column', table: 'obs', column: 't', unit: 'h' },
        { id: 'y', kind: 'column', table: 'obs', column: 'y' },
        { id: 'k', kind: 'parameter', initial: 0.8 },
        { id: 'f', kind: 'map', formula: '1 + k*t' },
        { id: 'loss', kind: 'least-squares', prediction: 'f', observed: 'y', ...more },
      ],
      objective: 'loss',
    };
    const model = demandModel(await load(document, undefined));
    const estimates = [{ name: 'k', block: 'k', value: 0.8, verdict: {} }];
    return withMisfits(model, device, { status: 'converged', estimates } as unknown as FitReport);
  };
  expect(await reported(noisy, { sigma: 0.1 })).not.toHaveProperty('doubt');
  const off = noisy.map((y, i) => (i === 8 ? y + 12 : y));
  const { doubt, misfits } = await reported(off, { sigma: 0.1 });
  expect(doubt).toMatch(
    /^1 of 20 residuals is larger than 6 of the standard errors that are given, at t = 4 h 120.9 of them:/,
  );
  expect(misfits).toBeUndefined();
  // Where errors are not known, or a robust loss expects such rows, none is too far off.
  expect(await reported(off, {})).not.toHaveProperty('doubt');
  expect(await reported(off, { sigma: 0.1, loss: { kind: 'huber', scale: 2 } })).not.toHaveProperty('doubt');
  const alone = noisy.map((y, i) => (i === 15 ? 40 : y + (i < 10 ? 0.2 : -0.2)));
  const [{ ranges = [] } = {}] = (await reported(alone, { sigma: 0.3 })).misfits ?? [];
  expect(ranges.length).toBeGreaterThan(0);
  for (const { from, to } of ranges) expect(to).toBeGreaterThan(from);
});

interface Counted {
  readonly family: 'binomial' | 'poisson';
  readonly args: object;
  readonly formula: string;
  readonly expected: (x: number) => number;
  readonly draw: (u: number, expected: number) => number;
}

const answers: Counted = {
  ...{ family: 'binomial', args: { probability: 'p', trials: 1 }, formula: 'logistic(k*(t - 5))' },
  ...{ expected: (x) => 1 / (1 + Math.exp(5 - x)), draw: (u, p) => Number(u < p) },
};
const few: Counted = {
  ...{ family: 'poisson', args: { mean: 'p' }, formula: 'exp(k*(t - 10)/4)' },
  ...{ expected: (x) => Math.exp((x - 10) / 4), draw: poissonAt },
};
const many: Counted = {
  ...{ family: 'poisson', args: { mean: 'p' }, formula: '5*exp(k*(t - 5)/5)' },
  ...{ expected: (x) => 5 * Math.exp((x - 5) / 5), draw: poissonAt },
};

/** In how many of twelve data sets of 200 rows, drawn about the curve with k = 1, it is missed by the one with this k. */
async function toldOf({ family, args, formula, expected, draw }: Counted, k: number): Promise<number> {
  let state = 12345;
  const uniform = (): number => (state = (state * 16807) % 2147483647) / 2147483647;
  const at = Array.from({ length: 200 }, (_, i) => i / 20);
  let told = 0;
  for (let repeat = 0; repeat < 12; repeat++) {
    const document = {
      format: 'cotangent/1',
      tables: { obs: { columns: { t: at, y: at.map((x) => draw(uniform(), expected(x))) } } },
      blocks: [
        ...['t', 'y'].map((column) => ({ id: column, kind: 'column', table: 'obs', column })),
        { id: 'k', kind: 'parameter', initial: 1 },
        { id: 'p', kind: 'map', formula },
        { id: 'loss', kind: 'likelihood', family, observed: 'y', ...args },
      ],
      objective: 'loss',
    };
    const model = demandModel(await load(document, undefined));
    const estimates = [{ name: 'k', block: 'k', value: k, verdict: {} }];
    const report = { status: 'converged', estimates } as unknown as FitReport;
    if ((await withMisfits(model, device, report)).misfits) told++;
  }
  return told;
}

it.each([
  ['answers', answers],
  ['few counts', few],
  ['counts', many],
])('noise of %s about the curve that they came from is no missed shape', async (_, counted) => {
  expect(await toldOf(counted, 1)).toBeLessThanOrEqual(1);
});

it.each([
  ['answers', answers, 0.2],
  ['counts', many, 0.5],
])('a shape that %s miss is told', async (_, counted, k) => {
  expect(await toldOf(counted, k)).toBeGreaterThanOrEqual(8);
});

/** The quantile of a Poisson distribution. */
function poissonAt(u: number, mean: number): number {
  let [count, term] = [0, Math.exp(-mean)];
  for (let below = term; u > below; below += term) term *= mean / ++count;
  return count;
}
