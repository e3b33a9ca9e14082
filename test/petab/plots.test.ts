/** What an imported problem compares is drawn over the time, with the solution between its measurements. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { importPetab } from '../../models/petab/import.ts';
import { createPlotter } from '../../src-main/compute/plots/plots.ts';
import { demandModel, load } from '../../src-main/compute/running/load.ts';
import { openDevice } from './run.ts';

const device = openDevice();
afterAll(() => device.close());

const folder = join(import.meta.dirname, 'cases', 'v1', '0007');

it.each([
  ['', [0, 10, 30]],
  [', counted as their places are', [0, 1, 2]],
])('has a curve through its times%s', async (_, times) => {
  const rows = times.map((time) => `obs_a\tc0\t${time}\t0.2\n`);
  const measured = `observableId\tsimulationConditionId\ttime\tmeasurement\n${rows.join('')}`;
  const read = (name: string): Promise<Uint8Array> =>
    name === '_measurements.tsv' ? Promise.resolve(Buffer.from(measured)) : readFile(join(folder, name));
  const yaml = await readFile(join(folder, '_0007.yaml'), 'utf8');
  const { document } = await importPetab(yaml, read, 'again');
  const plotter = await createPlotter(demandModel(await load(document, undefined)), device);
  const [plot] = await plotter.at({});
  plotter.release();
  const [group] = plot!.groups;
  expect(plot!.x.label).toBe('time');
  expect(plot!.y.label).toBe('obs_a');
  expect(group!.curve!.x.length).toBeGreaterThan(20);
  for (const [i, time] of times.entries())
    expect(group!.curve!.y[group!.curve!.x.indexOf(time)]).toBeCloseTo(group!.points.predicted![i]!, 6);
});
