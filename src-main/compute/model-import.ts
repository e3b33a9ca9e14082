/** Models of other programs as documents that load: an SBML file, a PEtab problem. */
import type { PetabFiles } from '../files/petab.ts';
import { importPetab } from '../../models/petab/import.ts';
import { importSbml, type ImportedModel } from '../../models/sbml/import.ts';
import { sourcesOf } from '../../models/sbml/read.ts';
import { decodeText } from '../../models/tables/csv.ts';
import { pathFault } from '../../models/tables/path.ts';
import type { ReadFile } from '../../models/tables/read-tables.ts';
import { SbmlRefusal } from '../../models/sbml/refusal.ts';
import { Refused } from '../refused.ts';
import { demandModel, load } from './running/load.ts';
import { withStiffMethods } from './running/stiff.ts';

/** The first character that says something opens a tag: no table begins so, but a page of the web that shows one. */
export function isXml(bytes: Uint8Array): boolean {
  return /^\uFEFF?\s*<(?!!doctype\s+html|html\b)[\p{L}_?!]/iu.test(decodeText(bytes.subarray(0, 200)));
}

/**
 * `where` names the file in what is said of it; `readFile` reads those beside it that it names. Throws `Refused` for what it
 * says and this program cannot mean.
 */
export const sbmlModel = (bytes: Uint8Array, where: string, readFile?: ReadFile): Promise<ImportedModel> =>
  loadable(async () => {
    const text = decodeText(bytes);
    return importSbml(text, readFile && (await othersOf(text, readFile)));
  }, where);

/** The files that an SBML file names, and those that they name; one that cannot be read is left out, and missed where it is used. */
async function othersOf(text: string, readFile: ReadFile): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const pending = sourcesOf(text);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (found.has(next) || pathFault(next) !== undefined) continue;
    const other = await readFile(next).then(decodeText, () => undefined);
    if (other === undefined) continue;
    found.set(next, other);
    pending.push(...sourcesOf(other));
  }
  return found;
}

export const petabModel = ({ yaml, readFile }: PetabFiles, name: string, where: string): Promise<ImportedModel> =>
  loadable(async () => withStiffMethods(await importPetab(yaml, readFile, name.replace(/\.(ya?ml|zip)$/i, ''))), where);

async function loadable(read: () => Promise<ImportedModel>, where: string): Promise<ImportedModel> {
  try {
    const imported = await read();
    demandModel(await load(imported.document, undefined));
    return imported;
  } catch (error) {
    if (!(error instanceof SbmlRefusal || error instanceof Refused)) throw error;
    throw new Refused(`${where} is not imported: ${error.message}`);
  }
}
