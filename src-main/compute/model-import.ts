/** Models of other programs as documents that load: an SBML file, a PEtab problem. */
import type { PetabFiles } from '../files/petab.ts';
import { importPetab } from '../../models/petab/import.ts';
import { importSbml, type ImportedModel } from '../../models/sbml/import.ts';
import { SbmlRefusal } from '../../models/sbml/refusal.ts';
import { Refused } from '../refused.ts';
import { demandModel, load } from './running/load.ts';
import { withStiffMethods } from './running/stiff.ts';

/** The first character that says something opens a tag: no table begins so. */
export function isXml(bytes: Uint8Array): boolean {
  return new TextDecoder()
    .decode(bytes.subarray(0, 200))
    .replace(/^\uFEFF/, '')
    .trimStart()
    .startsWith('<');
}

/** `where` names the file in what is said of it. Throws `Refused` for what it says and this program cannot mean. */
export const sbmlModel = (bytes: Uint8Array, where: string): Promise<ImportedModel> =>
  loadable(() => Promise.resolve(importSbml(new TextDecoder().decode(bytes))), where);

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
