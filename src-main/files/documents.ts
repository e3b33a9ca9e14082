/** Documents on disk: `NAME.cot.json`, and beside it the last fit, `NAME.fit.json`, and what studies found, `NAME.studies.json`. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import * as v from 'valibot';
import { formatFault } from '../../models/format/parse.ts';
import { printDocument } from '../../models/format/print.ts';
import { JsonError, parseJson } from '../../models/notation/json.ts';
import type { Json } from '../../models/notation/json.ts';
import { fitReport } from '../contract/contract.ts';
import type { Stamp } from '../contract/keeping.ts';
import type { FitReport } from '../contract/contract.ts';
import type { StoredStudies } from '../contract/stored-studies.ts';
import { reviveNumbers, stringify } from '../json.ts';
import { Refused } from '../refused.ts';
import { removeFile, writeTogether, type WholeFile } from './durable.ts';
import { readWhole } from './reading.ts';
import {
  besideOf,
  fitExtension,
  fitPath,
  foreignBeside,
  studiesExtension,
  studiesPath,
  withoutExtension,
} from './side-files.ts';
import { readMet, stampOfBytes, type Met } from './stamps.ts';
import { studiesText } from './study-files.ts';
import { codeOf } from './write-failure.ts';

export const documentExtension = '.cot.json';

export type RawDocument = Record<string, unknown>;

/** Behind the last dot: the second where a system tells files apart by no more than that. */
export const associatedExtensions = ['json', 'cot'] as const;

export function hasDocumentExtension(path: string): boolean {
  return associatedExtensions.some((extension) => path.endsWith(`.${extension}`));
}

export function withExtension(path: string): string {
  return hasDocumentExtension(path) ? path : path + documentExtension;
}

/** `decay.cot.json` → `decay` */
export function documentName(path: string): string {
  return withoutExtension(basename(path));
}

const readFailures: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read',
  EISDIR: 'it is a folder',
  ENAMETOOLONG: 'its name is too long',
  ERR_INVALID_ARG_VALUE: 'its name has a character that no name may have',
  ENOTREG: 'it is no file but a pipe, a device or a socket',
};

export function readFailure(error: unknown): string {
  return readFailures[codeOf(error) ?? ''] ?? String(error);
}

const orUnopened = <T>(path: string, read: Promise<T>): Promise<T> =>
  read.catch((error: unknown) => {
    throw new Refused(`${path} cannot be opened: ${readFailure(error)}.`);
  });

/** Also from a pipe. Throws `Refused` where nothing can be read or it holds no JSON object. */
export async function readDocument(path: string): Promise<RawDocument> {
  return parseDocument(textOf(await orUnopened(path, readFile(path)), path), path);
}

/**
 * Of a file alone, to be edited, with what tells whether it has changed since. Throws `Refused` of other programs' JSON too: a save
 * would write over it.
 */
export async function readStamped(path: string): Promise<{ readonly document: RawDocument; readonly stamp: Stamp }> {
  const { bytes, stamp } = await orUnopened(path, readMet(path));
  const document = parseDocument(textOf(bytes, path), path);
  const fault = formatFault(document);
  if (fault !== undefined) throw new Refused(`${path} is no model of Cotangent: ${fault}.`);
  return { document, stamp };
}

/** Read as if it were, what is no UTF-8 would lose its letters, and the file with the next save. */
function textOf(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refused(`${name} is no JSON: it is not written in UTF-8.`);
  }
}

export function parseDocument(text: string, name: string): RawDocument {
  let parsed: Json;
  try {
    parsed = parseJson(text);
  } catch (error) {
    if (error instanceof JsonError) throw new Refused(`${name} is no JSON: ${error.message}.`);
    throw error;
  }
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed;
  throw new Refused(
    `${name} is no model: wanted a JSON object, got ${Array.isArray(parsed) ? 'an array' : typeof parsed}.`,
  );
}

/** The fit stored beside a document; null where there is none of it that can be read. No link is followed: it may lead anywhere. */
export async function readFit(path: string): Promise<FitReport | null> {
  if (await foreignBeside(path, fitExtension)) return null;
  try {
    const parsed = v.safeParse(fitReport, reviveNumbers(JSON.parse(await readUnlinked(fitPath(path)))));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}

const readUnlinked = async (path: string): Promise<string> =>
  (await readWhole(path, { unlinked: true })).toString('utf8');

/** Why what should be beside a document is not. */
interface NotBeside {
  fit?: Refused;
  studies?: Refused;
}

/** The document is on the disk as `written` says, and not all that should be beside it. */
export class WithoutBeside extends Refused {
  constructor(
    readonly why: Readonly<NotBeside>,
    readonly written: Met,
  ) {
    const { fit, studies } = why;
    const parts = [
      fit && `The document was written, and the fit beside it was not: ${fit.message}`,
      studies && `The document was written, and what studies found beside it was not: ${studies.message}`,
    ];
    super(parts.filter((part) => part !== undefined).join(' '));
  }
}

interface Writing {
  /** Those of before stay where none are given. */
  readonly studies?: StoredStudies | undefined;
  /** Whether a fit of before may be one of this document, and stays where no other is written; none may unless it is said. */
  readonly mayStay?: ((fit: FitReport) => boolean) | undefined;
  /** The document from which this one is made; where that is another, this one has no more permissions. */
  readonly of?: string | undefined;
  /** Called before anything is replaced; rejects where nothing is to be. */
  readonly ready?: () => Promise<void>;
}

/**
 * Document, fit and studies, each whole, and gives what was written. A fit of before that no longer holds is removed, and
 * so are studies of before where there are none any more. Throws `WithoutBeside` where the document could be written and
 * not all beside it, any other `Refused` where it could not.
 */
export async function writeDocument(
  path: string,
  document: RawDocument,
  fit: FitReport | null,
  { studies, ready, mayStay, of }: Writing = {},
): Promise<Met> {
  // What is printed is the JSON as it is, whatever blocks it holds.
  const bytes = Buffer.from(printDocument(document));
  // Of the bytes and not of the file, which another program may have written since.
  const written = { bytes, stamp: stampOfBytes(bytes, Date.now()) };
  const why: NotBeside = {};
  const withoutFit = (failure: Refused): void => void (why.fit = failure);
  const withoutStudies = (failure: Refused): void => void (why.studies = failure);
  const files: WholeFile[] = [{ path, content: bytes, chosen: true, of }];
  const [foreignFit, foreignStudies] = [
    await foreignBeside(path, fitExtension),
    await foreignBeside(path, studiesExtension),
  ];
  const source = existsSync(path) ? path : of;
  if (fit && foreignFit) withoutFit(foreignFit.why);
  else if (fit)
    files.push({
      path: fitPath(path),
      content: stringify({ ...besideOf(path), ...fit }, 2) + '\n',
      ...{ without: withoutFit, of: source },
    });
  if (studies && studies.studies.length > 0)
    if (foreignStudies) withoutStudies(foreignStudies.why);
    else
      files.push({
        path: studiesPath(path),
        content: studiesText(path, written.stamp.hash, studies),
        ...{ without: withoutStudies, of: source },
      });
  await writeTogether(files, ready);
  const before = !fit && !foreignFit && mayStay ? await readFit(path) : null;
  if (!fit && !foreignFit && !(before && mayStay?.(before))) await removeBeside(fitPath(path), withoutFit);
  if (studies?.studies.length === 0 && !foreignStudies) await removeBeside(studiesPath(path), withoutStudies);
  if (why.fit ?? why.studies) throw new WithoutBeside(why, written);
  return written;
}

async function removeBeside(path: string, without: (why: Refused) => void): Promise<void> {
  await removeFile(path).catch((error: unknown) => {
    if (!(error instanceof Refused)) throw error;
    without(error);
  });
}
