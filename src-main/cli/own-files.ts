/** What a command reads is not written over by what it makes: a name mistyped would cost a model, or its data. */
import { resolve } from 'node:path';
import { readDocument } from '../files/documents.ts';
import { documentFolder, isSamePlace } from '../files/locations.ts';
import { filesOf } from '../files/table-files.ts';
import { Refused } from '../refused.ts';

/** Throws `Refused` where `out` is the model at `path`, or a table of it. */
export async function demandOther(out: string, path: string): Promise<void> {
  const because = (what: string): Refused => new Refused(`${out} is ${what}: choose another name for what is written.`);
  if (isSamePlace(out, path)) throw because('the model itself');
  const folder = documentFolder(path);
  const files = filesOf(await readDocument(path));
  if (files.some((file) => isSamePlace(out, resolve(folder, file)))) throw because('a table of the model');
}
