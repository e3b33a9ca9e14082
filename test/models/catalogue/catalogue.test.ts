import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { referenceDevice } from '../../../engine/5-runtime/reference-device.ts';
import { catalogue } from '../../../models/catalogue/index.ts';
import { parseDocument } from '../../../models/format/parse.ts';
import { printDocument } from '../../../models/format/print.ts';
import { applyOverrides } from '../../../models/format/override.ts';
import type { Document } from '../../../models/format/document.ts';
import { loadModel } from '../../../models/load/model.ts';
import { fitModel } from '../../../src-main/compute/fit/fit.ts';
import { nodeFiles } from '../../../models/tables/node-files.ts';
import { nistProblems } from '../../support/fits/nist.ts';

const folder = join(import.meta.dirname, '../../../models/catalogue');

async function documentOf(name: string): Promise<Document> {
  const result = parseDocument(await readFile(join(folder, `${name}.cot.json`), 'utf8'));
  if ('problems' in result) throw new Error(result.problems.map((problem) => problem.message).join('\n'));
  return result.document;
}

/** Effects that are integrated out, and a recurrence that is fitted from afar: the interpreter would take minutes for them. */
const long = ['theophylline-population', 'sleep-study', 'epileptic-seizures', 'lynx-cycle'];

async function fitted(document: Document) {
  const { model, problems } = await loadModel(document, nodeFiles(folder));
  expect(problems).toEqual([]);
  if (!model) throw new Error('no model');
  return fitModel(model, referenceDevice(), { parameters: {} });
}

it('lists the documents in the folder', async () => {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.cot.json'));
  expect(catalogue.map(({ name }) => `${name}.cot.json`).sort()).toEqual(files.sort());
});

describe.each(catalogue)('$name', ({ name, title }) => {
  it('has its title, a note and no places, which the window finds for its own shape, and is printed as it stands', async () => {
    const document = await documentOf(name);
    expect(document.name).toBe(title);
    expect(document.note).toBeTruthy();
    expect(document.view?.positions).toBeUndefined();
    expect(printDocument(document)).toBe(await readFile(join(folder, `${name}.cot.json`), 'utf8'));
  });

  // stored-fits.test.ts fits them all on the CPU.
  it.skipIf(long.includes(name))(
    'converges',
    async () => {
      expect((await fitted(await documentOf(name))).status).toBe('converged');
      // Differential equations take the interpreter its time.
    },
    180_000,
  );
});

describe.each(nistProblems)(
  '$name against NIST',
  ({ name, start1, start2, certified, standardDeviations, residualSumOfSquares }) => {
    it.each([
      ['start 1', start1],
      ['start 2', start2],
    ])('from %s', async (_, start) => {
      const overrides = start.map((value, i) => ({ id: `b${i + 1}`, value }));
      const result = await fitted(applyOverrides(await documentOf(name), overrides).document);
      expect(Math.abs(result.objective / residualSumOfSquares - 1)).toBeLessThan(1e-8);
      for (const [i, { value, standardError }] of result.estimates.entries()) {
        expect(Math.abs(value / certified[i]! - 1)).toBeLessThan(1e-6);
        expect(Math.abs(standardError / standardDeviations[i]! - 1)).toBeLessThan(1e-5);
      }
    });

    it('starts at start 1', async () => {
      const initial = (await documentOf(name)).blocks.flatMap((block) =>
        block.kind === 'parameter' ? [block.initial] : [],
      );
      expect(initial).toEqual(start1);
    });
  },
);
