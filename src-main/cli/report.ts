/** `report`: the model, its data and its stored fit as one HTML file. */
import { reportHtml } from '../export/report.ts';
import { readFit } from '../files/documents.ts';
import { asRefused } from '../compute/running/refusals.ts';
import { withModel } from './model.ts';
import type { ModelOptions } from './options.ts';
import { printText, type TextOptions } from './output/output-text.ts';
import { readVersion } from './version.ts';

export async function report(path: string, options: ModelOptions & TextOptions): Promise<void> {
  const fit = await readFit(path);
  const text = await withModel(path, options, async (model, device) => {
    try {
      return await reportHtml({ model, fit, parameters: {}, version: readVersion(), date: new Date() }, device);
    } catch (error) {
      throw asRefused(error);
    }
  });
  await printText(text, { to: 'html' }, options);
}
