/** What elements were called goes with what was found of them: when it is read, the data may be others. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { cpuDevice } from '../../../engine/index.ts';
import { fitModel } from '../../../src-main/compute/fit/fit.ts';
import { labelsTold } from '../../../src-main/compute/fit/labels.ts';
import { demandModel, load } from '../../../src-main/compute/running/load.ts';

const device = cpuDevice();
afterAll(() => device.close());

const catalogue = join(import.meta.dirname, '../../../models/catalogue');

const read = (file: string) => JSON.parse(readFileSync(join(catalogue, file), 'utf8')) as Record<string, unknown>;
const fits = readdirSync(catalogue).filter((file) => file.endsWith('.fit.json'));

it.each(fits)('%s of the catalogue tells the labels of its data', async (file) => {
  const model = demandModel(await load(read(file.replace('.fit.', '.cot.')), catalogue));
  expect(read(file)['labels']).toEqual(labelsTold(model).labels);
});

it.each([
  ['puromycin', { Vmax: ['treated', 'untreated'], Km: ['treated', 'untreated'] }],
  ['misra1a', undefined],
])('a fit of %s tells labels', async (name, wanted) => {
  const model = demandModel(await load(read(`${name}.cot.json`), catalogue));
  const { labels } = await fitModel(model, device, { parameters: {} });
  expect(labels).toEqual(wanted);
});
