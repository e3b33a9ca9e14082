/** `import`: a file of another program, by what is in it, as a document. */
import { basename } from 'node:path';
import { importPetab } from '../../../models/petab/import.ts';
import { withStiffMethods } from '../../compute/running/stiff.ts';
import { importSbml, type ImportedModel } from '../../../models/sbml/import.ts';
import { SbmlRefusal } from '../../../models/sbml/refusal.ts';
import { readFile } from 'node:fs/promises';
import { demandModel, load } from '../../compute/running/load.ts';
import { readFailure } from '../../files/documents.ts';
import { writeWhole } from '../../files/durable.ts';
import { printDocument } from '../../../models/format/print.ts';
import { Refused } from '../../refused.ts';
import { petabAt, type PetabFiles } from '../../files/petab.ts';
import { importTable, type TableOptions } from './import-table.ts';
import { printJson, printWarnings } from '../output/output.ts';

interface ImportOptions extends TableOptions {
  readonly out?: string;
  readonly json: boolean;
}

export async function importFile(path: string, options: ImportOptions): Promise<void> {
  const problem = await petabAt(path);
  if (problem) return await importModel('petab', path, () => petabDocument(path, problem), options);
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new Refused(`${path} cannot be opened: ${readFailure(error)}.`);
  });
  if (isXml(bytes))
    await importModel('sbml', path, () => Promise.resolve(importSbml(new TextDecoder().decode(bytes))), options);
  else await importTable(path, bytes, options);
}

/** The first character that says something opens a tag: no table begins so. */
function isXml(bytes: Uint8Array): boolean {
  return new TextDecoder()
    .decode(bytes.subarray(0, 200))
    .replace(/^\uFEFF/, '')
    .trimStart()
    .startsWith('<');
}

async function importModel(
  kind: 'sbml' | 'petab',
  path: string,
  read: () => Promise<ImportedModel>,
  { out, json, roles, shape, parameters }: ImportOptions,
): Promise<void> {
  if (roles !== undefined || shape !== undefined || parameters !== undefined)
    throw new Refused(`${path} is a model: --roles, --shape and --parameters are for tables`);
  const { document, warnings } = await loadable(read, path);
  if (out !== undefined) await writeWhole(out, printDocument(document), { chosen: true });
  if (json) printJson({ kind, document, warnings });
  else {
    printWarnings(warnings);
    if (out === undefined) printJson(document);
  }
}

/** Throws `Refused` for what the file says and this program cannot mean; what is written loads. */
async function loadable(read: () => Promise<ImportedModel>, path: string): Promise<ImportedModel> {
  try {
    const imported = await read();
    demandModel(await load(imported.document, undefined));
    return imported;
  } catch (error) {
    if (!(error instanceof SbmlRefusal || error instanceof Refused)) throw error;
    throw new Refused(`${path} is not imported: ${error.message}`);
  }
}

const petabDocument = async (path: string, { yaml, readFile }: PetabFiles): Promise<ImportedModel> =>
  withStiffMethods(await importPetab(yaml, readFile, basename(path).replace(/\.(ya?ml|zip)$/i, '')));
