/** `import`: a file of another program, by what is in it, as a document. */
import { basename, dirname } from 'node:path';
import { nodeFiles } from '../../../models/tables/node-files.ts';
import type { ImportedModel } from '../../../models/sbml/import.ts';
import { isXml, petabModel, sbmlModel } from '../../compute/model-import.ts';
import { readFile } from 'node:fs/promises';
import { readFailure } from '../../files/documents.ts';
import { writeWhole } from '../../files/durable.ts';
import { printDocument } from '../../../models/format/print.ts';
import { Refused } from '../../refused.ts';
import { isSamePlace } from '../../files/locations.ts';
import { petabAt } from '../../files/petab.ts';
import { importTable, type TableOptions } from './import-table.ts';
import { printJson, printWarnings } from '../output/output.ts';

interface ImportOptions extends TableOptions {
  readonly out?: string;
  readonly json: boolean;
}

export async function importFile(path: string, options: ImportOptions): Promise<void> {
  if (options.out !== undefined && isSamePlace(options.out, path))
    throw new Refused(`${options.out} is what is imported: choose another name for the document.`);
  const problem = await petabAt(path);
  if (problem) return await importModel('petab', path, () => petabModel(problem, basename(path), path), options);
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new Refused(`${path} cannot be opened: ${readFailure(error)}.`);
  });
  if (isXml(bytes)) await importModel('sbml', path, () => sbmlModel(bytes, path, nodeFiles(dirname(path))), options);
  else await importTable(path, bytes, options);
}

async function importModel(
  kind: 'sbml' | 'petab',
  path: string,
  read: () => Promise<ImportedModel>,
  { out, json, roles, shape, parameters }: ImportOptions,
): Promise<void> {
  if (roles !== undefined || shape !== undefined || parameters !== undefined)
    throw new Refused(`${path} is a model: --roles, --shape and --parameters are for tables`);
  const { document, warnings } = await read();
  if (out !== undefined) await writeWhole(out, printDocument(document), { chosen: true });
  if (json) printJson({ kind, document, warnings });
  else {
    printWarnings(warnings);
    if (out === undefined) printJson(document);
  }
}
