/** `NAME.studies.json` beside a document: what studies of it found. */
import { statSync } from 'node:fs';
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

/** By what the file is known again; undefined where there is none, or none to be had. */
export function studiesMark(document: string): string | undefined {
  try {
    const { ino, size, mtimeMs } = statSync(studiesPath(document));
    return `${ino} ${size} ${mtimeMs}`;
  } catch {
    return undefined;
  }
}

/**
 * Of each kind and method the later run of `own`, which is to be written, and of `others`, which another window has written since.
 * `beside`: the document beside which those lie, where it is another than the one that is written.
 */
export function laterOfBoth(
  own: StoredStudies,
  others: HeldStudies,
  beside: StoredStudies['documents'][number] | undefined,
): StoredStudies {
  type Stored = StoredStudies['studies'][number];
  const isLater = (a: Stored, b: Stored): boolean =>
    a.report.kind === b.report.kind &&
    a.report.method === b.report.method &&
    a.report.finishedAt >= b.report.finishedAt;
  const mine = own.studies.filter((study) => !others.studies.some((other) => isLater(other, study)));
  const theirs = others.studies.filter((study) => !mine.some((other) => isLater(other, study)));
  const documents = [...own.documents, ...others.documents];
  // Without a number it is of the document that lies there, where that is still the one.
  const placeOf = ({ document }: Stored): number | null | undefined => {
    if (typeof document === 'number') return own.documents.length + document;
    if (document === null || !others.same) return null;
    return beside && documents.push(beside) - 1;
  };
  const placed = theirs.map((study): Stored => {
    const { report, parameters } = study;
    const document = placeOf(study);
    return { report, parameters, ...(document !== undefined && { document }) };
  });
  return { documents, studies: [...mine, ...placed] };
}

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
