/** `export`: the model, its kernels or its values as text. */
import type { ExportTarget } from '../contract/export-targets.ts';
import { exportModel } from '../export/targets.ts';
import { withModel } from './model.ts';
import type { ModelOptions } from './options.ts';
import { printText, type TextOptions } from './output/output-text.ts';
import { readVersion } from './version.ts';

export async function exportText(
  path: string,
  options: ModelOptions & TextOptions & { to: ExportTarget },
): Promise<void> {
  const { to } = options;
  const text = await withModel(path, options, (model, device) => exportModel(model, to, readVersion(), device));
  await printText(text, { to }, options);
}
