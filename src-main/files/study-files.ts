/** `NAME.studies.json` beside a document: what studies of it found. */
import * as v from 'valibot';
import { fromJson, toJson } from '../contract/codec.ts';
import { text } from '../contract/fields.ts';
import { storedStudies, type HeldStudies, type StoredStudies } from '../contract/stored-studies.ts';
import { Refused } from '../refused.ts';
import { readWhole } from './reading.ts';
import { codeOf } from './write-failure.ts';

export const studiesExtension = '.studies.json';

const format = 'cotangent-studies/1';
const file = v.object({ format: v.literal(format), of: text, ...storedStudies.entries });

/** `of`: the hash of the document beside which they are written. */
export const studiesText = (of: string, studies: StoredStudies): string => toJson({ format, of, ...studies }) + '\n';

/**
 * Null where there are none. Throws `Refused` where there is what cannot be read. No link is followed. `of`: the hash of the
 * document that lies there now.
 */
export async function readStudies(path: string, of?: string): Promise<HeldStudies | null> {
  try {
    const text = (await readWhole(path, { unlinked: true })).toString('utf8');
    const { of: written, documents, studies } = v.parse(file, fromJson(text));
    return { documents, studies, same: written === of };
  } catch (error) {
    // Of a name that no file can have there is none.
    if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(codeOf(error) ?? '')) return null;
    throw new Refused(`What studies found is not shown: ${path} cannot be read.`);
  }
}
