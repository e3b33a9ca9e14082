/**
 * Every document of the catalogue ships with its fit, so that the app opens on a finished one. A stored fit agrees with a
 * fresh one; `UPDATE_FITS=1 npx vitest run test/models/catalogue/stored-fits.test.ts` writes them anew.
 */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cpuDevice } from '../../../engine/5-runtime/cpu/cpu-device.ts';
import { catalogue } from '../../../models/catalogue/index.ts';
import { parseDocument } from '../../../models/format/parse.ts';
import { loadModel } from '../../../models/load/model.ts';
import { nodeFiles } from '../../../models/tables/node-files.ts';
import { fitModel } from '../../../src-main/compute/fit/fit.ts';
import { withMisfits } from '../../../src-main/compute/misfit.ts';
import type { FitReport } from '../../../src-main/contract/contract.ts';
import { readDocument, readFit, writeDocument } from '../../../src-main/files/documents.ts';

const folder = join(import.meta.dirname, '../../../models/catalogue');

async function freshFit(name: string): Promise<FitReport> {
  const document = await readDocument(join(folder, `${name}.cot.json`));
  const parsed = parseDocument(JSON.stringify(document));
  if ('problems' in parsed) throw new Error(parsed.problems[0]?.message);
  const { model } = await loadModel(parsed.document, nodeFiles(folder));
  if (!model) throw new Error(`${name} is no model`);
  const device = cpuDevice();
  try {
    return await withMisfits(model, device, await fitModel(model, device, { parameters: {} }));
  } finally {
    device.close();
  }
}

describe.each(catalogue)('$name', ({ name }) => {
  it('is stored with its fit', async () => {
    const path = join(folder, `${name}.cot.json`);
    const fresh = await freshFit(name);
    if (process.env['UPDATE_FITS'] === '1') await writeDocument(path, await readDocument(path), fresh);
    const stored = await readFit(path);
    expect(stored?.status).toBe('converged');
    expect(stored?.meaning).toBe(fresh.meaning);
    expect(stored?.estimates.map((estimate) => estimate.name)).toEqual(
      fresh.estimates.map((estimate) => estimate.name),
    );
    expect(stored?.doubt).toBe(fresh.doubt);
    // What is missed is said on the first page, too.
    const missed = ({ misfits = [] }: FitReport) => misfits.map(({ of, ranges }) => ({ of, ranges }));
    expect(missed(stored!)).toEqual(missed(fresh));
    expect(stored?.estimates.map(({ verdict }) => verdict)).toEqual(fresh.estimates.map(({ verdict }) => verdict));
    stored?.estimates.forEach(({ value, standardError }, i) => {
      const estimate = fresh.estimates[i];
      const error = estimate?.standardError ?? NaN;
      expect(Math.abs(value - (estimate?.value ?? NaN))).toBeLessThan(1e-4 * error);
      expect(Math.abs(standardError - error)).toBeLessThan(1e-4 * error);
    });
  });
});
