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
