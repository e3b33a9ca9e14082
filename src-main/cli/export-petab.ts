/** `export --to petab`, or `petab-1` for version 1: a problem is several files, in a folder, beside a YAML file of a name, or in an archive. */
import { basename, dirname, join } from 'node:path';
import { zipSync, strToU8 } from 'fflate';
import { exportPetab } from '../export/petab.ts';
import { unsaidInSbml } from '../export/unsaid.ts';
import { makeFolder, writeTogether, writeWhole } from '../files/durable.ts';
import { Refused } from '../refused.ts';
import { withModel } from './model.ts';
import type { ModelOptions } from './options.ts';
import { printJson, printWarnings } from './output/output.ts';
import type { TextOptions } from './output/output-text.ts';

export async function exportProblem(
  path: string,
  to: 'petab' | 'petab-1',
  options: ModelOptions & TextOptions,
): Promise<void> {
  const { out, json } = options;
  if (out === undefined && !json)
    throw new Refused('a PEtab problem is several files: say with --out the folder, the .yaml or the .zip to write');
  const { files, unsaid } = await withModel(path, options, async (model, device) => ({
    files: await exportPetab(model, device, to === 'petab' ? 2 : 1),
    unsaid: unsaidInSbml(model),
  }));
  printWarnings(unsaid);
  if (out !== undefined) await write(files, out);
  if (json) printJson({ to, files: Object.fromEntries(files) });
}

async function write(files: ReadonlyMap<string, string>, out: string): Promise<void> {
  if (/\.zip$/i.test(out)) {
    const contents = Object.fromEntries([...files].map(([name, text]) => [name, strToU8(text)]));
    await writeWhole(out, zipSync(contents), { chosen: true });
    return;
  }
  const isYaml = /\.ya?ml$/i.test(out);
  const folder = isYaml ? dirname(out) : out;
  await makeFolder(folder);
  await writeTogether(
    [...files].map(([name, content]) => ({
      path: join(folder, isYaml && name === 'problem.yaml' ? basename(out) : name),
      content,
    })),
  );
}
