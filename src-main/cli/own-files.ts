/** What a command reads is not written over by what it makes: a name mistyped would cost a model, or its data. */
import { dirname, resolve } from 'node:path';
import { readDocument, type RawDocument } from '../files/documents.ts';
import { realPath } from '../files/locations.ts';
import { Refused } from '../refused.ts';

/** The files that the tables of a document name. */
export function tableFiles({ tables }: RawDocument): string[] {
  if (typeof tables !== 'object') return [];
  return Object.values(tables ?? {}).flatMap((table) => {
    const file: unknown = Object.hasOwn(Object(table), 'file') ? (table as { file: unknown }).file : undefined;
    return typeof file === 'string' ? [file] : [];
  });
}

export const isSamePlace = (a: string, b: string): boolean => realPath(resolve(a)) === realPath(resolve(b));

/** Throws `Refused` where `out` is the model at `path`, or a table of it. */
export async function demandOther(out: string, path: string): Promise<void> {
  const because = (what: string): Refused => new Refused(`${out} is ${what}: choose another name for what is written.`);
  if (isSamePlace(out, path)) throw because('the model itself');
  const folder = dirname(resolve(path));
  const files = tableFiles(await readDocument(path));
  if (files.some((file) => isSamePlace(out, resolve(folder, file)))) throw because('a table of the model');
}
