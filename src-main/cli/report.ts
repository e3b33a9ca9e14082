/** `report`: the model, its data, its stored fit and what studies of it found as one HTML file. */
import type { StudyReport } from '../contract/studies.ts';
import { Refused } from '../refused.ts';
import { reportHtml } from '../export/report.ts';
import { readFit } from '../files/documents.ts';
import { readStudies } from '../files/study-files.ts';
import { asRefused } from '../compute/running/refusals.ts';
import { withModel } from './model.ts';
import type { ModelOptions } from './options.ts';
import { demandOther } from './own-files.ts';
import { printText, type TextOptions } from './output/output-text.ts';
import { readVersion } from './version.ts';

export async function report(path: string, options: ModelOptions & TextOptions): Promise<void> {
  if (options.out !== undefined) await demandOther(options.out, path);
  const fit = await readFit(path);
  const studies = await studiesBeside(path);
  const text = await withModel(path, options, async (model, device) => {
    try {
      const request = { model, fit, studies, parameters: {}, version: readVersion(), date: new Date() };
      return await reportHtml(request, device);
    } catch (error) {
      throw asRefused(error);
    }
  });
  await printText(text, { to: 'html' }, options);
}

/** What cannot be read is told of, and the report goes without it. */
async function studiesBeside(path: string): Promise<readonly StudyReport[]> {
  try {
    return (await readStudies(path))?.studies.map(({ report }) => report) ?? [];
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    process.stderr.write(`cotangent: ${error.message}\n`);
    return [];
  }
}
