/** `NAME.studies.json` beside a document: what studies of it found. */
import * as v from 'valibot';
import { fromJson, toJson } from '../contract/codec.ts';
import { text } from '../contract/fields.ts';
import { storedStudies, type HeldStudies, type StoredStudies } from '../contract/stored-studies.ts';
import { Refused } from '../refused.ts';
import { readWhole } from './reading.ts';
import { besideOf, foreignBeside, studiesExtension, studiesFormat, studiesPath } from './side-files.ts';
import { codeOf } from './write-failure.ts';

const format = studiesFormat;
const file = v.object({ format: v.literal(format), of: text, ...storedStudies.entries });

/** `of`: the hash of the document beside which they are written. */
export const studiesText = (document: string, of: string, studies: StoredStudies): string =>
  toJson({ format, ...besideOf(document), of, ...studies }) + '\n';

/**
 * Of what lies beside a document; null where there are none of it. Throws `Refused` where there is what cannot be read. No link is
 * followed. `of`: the hash of the document that lies there now.
 */
export async function readStudies(document: string, of?: string): Promise<HeldStudies | null> {
  if ((await foreignBeside(document, studiesExtension))?.of === 'another document') return null;
  const path = studiesPath(document);
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
