/** `export`: the model, its kernels or its values as text. */
import writeFileAtomic from 'write-file-atomic';
import type { ExportTarget } from '../export/names.ts';
import { exportModel } from '../export/targets.ts';
import { Refused } from '../refused.ts';
import { withModel } from './model.ts';
import type { ModelOptions } from './options.ts';
import { printJson } from './output.ts';
import { readVersion } from './version.ts';

interface ExportOptions extends ModelOptions {
  readonly to: ExportTarget;
  readonly out?: string;
}

export async function exportText(path: string, options: ExportOptions): Promise<void> {
  const { to, out } = options;
  const text = await withModel(path, options, (model, device) => exportModel(model, to, readVersion(), device));
  if (out !== undefined) await write(out, text);
  if (options.json) printJson({ to, text });
  else if (out === undefined) process.stdout.write(text);
}

async function write(path: string, text: string): Promise<void> {
  try {
    await writeFileAtomic(path, text);
  } catch (error) {
    throw new Refused(`${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}
