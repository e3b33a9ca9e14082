/** What elements were called goes with what was found of them: when it is read, the data may be others. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { cpuDevice } from '../../../engine/index.ts';
import { fitModel } from '../../../src-main/compute/fit/fit.ts';
import { demandModel, load } from '../../../src-main/compute/running/load.ts';

const device = cpuDevice();
afterAll(() => device.close());

const catalogue = join(import.meta.dirname, '../../../models/catalogue');

it.each([
  ['puromycin', { Vmax: ['treated', 'untreated'], Km: ['treated', 'untreated'] }],
  ['misra1a', undefined],
])('a fit of %s tells labels', async (name, wanted) => {
  const document = JSON.parse(readFileSync(join(catalogue, `${name}.cot.json`), 'utf8')) as Record<string, unknown>;
  const { labels } = await fitModel(demandModel(await load(document, catalogue)), device, { parameters: {} });
  expect(labels).toEqual(wanted);
});
