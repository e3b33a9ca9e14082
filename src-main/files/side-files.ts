/**
 * The files beside a document, and whose they are. A file of the user's own may have such a name, and of `c.cot.json`, `c.json` and
 * `c.cot` in one folder it is the same one: what is not this document's is neither shown, nor replaced, nor removed.
 */
import { statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Refused } from '../refused.ts';
import { readBeginning } from './reading.ts';
import { codeOf } from './write-failure.ts';

export const fitExtension = '.fit.json';
export const studiesExtension = '.studies.json';

export const studiesFormat = 'cotangent-studies/1';

/** Behind the last dots of a document's name. */
export const withoutExtension = (path: string): string => path.replace(/\.cot$|(\.cot)?\.json$/, '');

export const fitPath = (path: string): string => withoutExtension(path) + fitExtension;
export const studiesPath = (path: string): string => withoutExtension(path) + studiesExtension;

const text = String.raw`"(?:[^"\\]|\\.)*"`;
/** How each begins; those of before say nothing of the document beside which they lie. */
const beginnings = {
  [fitExtension]: new RegExp(
    String.raw`^\s*\{\s*(?:"beside":\s*(?<beside>${text}),\s*)?"status":\s*${text},\s*"reason":\s*${text}`,
  ),
  [studiesExtension]: new RegExp(
    String.raw`^\s*\{\s*"format":\s*"${studiesFormat}"(?:,\s*"beside":\s*(?<beside>${text}))?`,
  ),
} as const;
export type SideExtension = keyof typeof beginnings;

/** What is written first into the one of a document. */
export const besideOf = (document: string): { readonly beside: string } => ({ beside: basename(document) });

/** Longer than a name and a sentence are. */
const beginningBytes = 65_536;

const absentCodes = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'];
/** A link is replaced itself, and what is no file stays: the writer says so. */
const writersCodes = ['ELOOP', 'EISDIR', 'ENOTREG'];

/** What is not the document's own. */
export interface Foreign {
  /** Whether it is known whose it is. */
  readonly of: 'another document' | 'somebody';
  readonly why: Refused;
}

/** What lies beside a document under such a name and is not its own; undefined where it is, or nothing is there. */
export async function foreignBeside(document: string, extension: SideExtension): Promise<Foreign | undefined> {
  const path = withoutExtension(document) + extension;
  const because = (why: string, of: Foreign['of'] = 'somebody'): Foreign => ({
    of,
    why: new Refused(`${path} cannot be written, because ${why}: rename it, or choose another name for the document.`),
  });
  let beginning: string;
  try {
    beginning = (await readBeginning(path, beginningBytes)).toString('utf8');
  } catch (error) {
    const code = codeOf(error) ?? '';
    if ([...absentCodes, ...writersCodes].includes(code)) return undefined;
    return because('nobody can read whose it is');
  }
  // In what a fault of a disk has left empty there is nothing to lose.
  if (beginning.trim() === '') return undefined;
  const found = beginnings[extension].exec(beginning);
  if (!found) return because('something else has its name');
  const beside = found.groups?.['beside'];
  const other = beside === undefined ? undefined : (JSON.parse(beside) as string);
  return other !== undefined && isAnothers(other, document, path, extension)
    ? because(`it is of ${other}, which has the same name but for its extension`, 'another document')
    : undefined;
}

/** Documents are renamed and copied with what lies beside them: it is another's only where that one is there and has it too. */
function isAnothers(other: string, document: string, path: string, extension: SideExtension): boolean {
  if (other === basename(document) || other !== basename(other)) return false;
  const there = join(dirname(resolve(document)), other);
  return withoutExtension(there) + extension === resolve(path) && isThere(there) && !isSameFile(there, document);
}

const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** Where capitals make no other name, and through links. */
function isSameFile(a: string, b: string): boolean {
  const [one, two] = [a, b].map((path) => statSync(path, { throwIfNoEntry: false }));
  return one !== undefined && two !== undefined && one.dev === two.dev && one.ino === two.ino;
}
