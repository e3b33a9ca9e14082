/** `export`: the model, its kernels or its values as text. */
import type { ExportTarget } from '../contract/export-targets.ts';
import { exportModel } from '../export/targets.ts';
import { unsaidInSbml } from '../export/unsaid.ts';
import { withModel } from './model.ts';
import type { ModelOptions } from './options.ts';
import { demandOther } from './own-files.ts';
import { printWarnings } from './output/output.ts';
import { printText, type TextOptions } from './output/output-text.ts';
import { readVersion } from './version.ts';

export async function exportText(
  path: string,
  options: ModelOptions & TextOptions & { to: ExportTarget },
): Promise<void> {
  const { to, out } = options;
  if (out !== undefined) await demandOther(out, path);
  const { text, unsaid } = await withModel(path, options, async (model, device) => ({
    text: await exportModel(model, to, readVersion(), device),
    unsaid: to === 'sbml' ? unsaidInSbml(model) : [],
  }));
  printWarnings(unsaid);
  await printText(text, { to }, options);
}
