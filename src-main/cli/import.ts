/** `import`: a file of another program, by what is in it, as a document. */
import { importSbml } from '../../models/sbml/import.ts';
import { SbmlRefusal } from '../../models/sbml/refusal.ts';
import { readFile } from 'node:fs/promises';
import { demandModel, load } from '../compute/load.ts';
import { readFailure } from '../files/documents.ts';
import { writeWhole } from '../files/durable.ts';
import { printDocument } from '../../models/format/print.ts';
import { Refused } from '../refused.ts';
import { printJson, printWarnings } from './output/output.ts';

interface ImportOptions {
  readonly out?: string;
  readonly json: boolean;
}

export async function importFile(path: string, { out, json }: ImportOptions): Promise<void> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Refused(`${path} cannot be opened: ${readFailure(error)}.`);
  });
  const { document, warnings } = await sbmlDocument(text, path);
  if (out !== undefined) await writeWhole(out, printDocument(document), { chosen: true });
  if (json) printJson({ kind: 'sbml', document, warnings });
  else {
    printWarnings(warnings);
    if (out === undefined) printJson(document);
  }
}

/** Throws `Refused` for what the file says and this program cannot mean; what is written loads. */
async function sbmlDocument(text: string, path: string): Promise<ReturnType<typeof importSbml>> {
  try {
    const imported = importSbml(text);
    demandModel(await load(imported.document, undefined));
    return imported;
  } catch (error) {
    if (!(error instanceof SbmlRefusal || error instanceof Refused)) throw error;
    throw new Refused(`${path} is not imported: ${error.message}`);
  }
}
