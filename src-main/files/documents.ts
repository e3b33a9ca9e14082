/** Documents on disk: `NAME.cot.json`, and beside it the last fit, `NAME.fit.json`. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import * as v from 'valibot';
import { printDocument } from '../../models/format/print.ts';
import { JsonError, parseJson } from '../../models/notation/json.ts';
import type { Json } from '../../models/notation/json.ts';
import { fitReport } from '../contract/contract.ts';
import type { Stamp } from '../contract/keeping.ts';
import type { FitReport } from '../contract/contract.ts';
import { reviveNumbers, stringify } from '../json.ts';
import { Refused } from '../refused.ts';
import { removeFile, writeTogether, type WholeFile } from './durable.ts';
import { readWhole } from './reading.ts';
import { readMet, stampOfBytes, type Met } from './stamps.ts';
import { codeOf } from './write-failure.ts';

export const documentExtension = '.cot.json';
export const fitExtension = '.fit.json';

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
  return basename(path).replace(/\.cot$|(\.cot)?\.json$/, '');
}

export function fitPath(path: string): string {
  return path.replace(/\.cot$|(\.cot)?\.json$/, '') + fitExtension;
}

const readFailures: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read',
  EISDIR: 'it is a folder',
  ENAMETOOLONG: 'its name is too long',
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
  return parseDocument(await orUnopened(path, readFile(path, 'utf8')), path);
}

/** Of a file alone, with what tells whether it has changed since. */
export async function readStamped(path: string): Promise<{ readonly document: RawDocument; readonly stamp: Stamp }> {
  const { bytes, stamp } = await orUnopened(path, readMet(path));
  return { document: parseDocument(new TextDecoder().decode(bytes), path), stamp };
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

/** The fit stored beside a document; null where there is none that can be read. No link is followed: it may lead anywhere. */
export async function readFit(path: string): Promise<FitReport | null> {
  try {
    const parsed = v.safeParse(fitReport, reviveNumbers(JSON.parse(await readUnlinked(fitPath(path)))));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}

const readUnlinked = async (path: string): Promise<string> =>
  (await readWhole(path, { unlinked: true })).toString('utf8');

/** The document is on the disk as `written` says, and what should be beside it is not. */
export class WithoutFit extends Refused {
  constructor(
    readonly why: Refused,
    readonly written: Met,
  ) {
    super(`The document was written, and the fit beside it was not: ${why.message}`);
  }
}

/**
 * Document and fit, each whole, and gives what was written. A fit of before that no longer holds is removed. Throws
 * `WithoutFit` where the document alone could be written, any other `Refused` where it could not. `ready` is called before
 * anything is replaced, and rejects where nothing is to be.
 */
export async function writeDocument(
  path: string,
  document: RawDocument,
  fit: FitReport | null,
  ready?: () => Promise<void>,
): Promise<Met> {
  // What is printed is the JSON as it is, whatever blocks it holds.
  const bytes = Buffer.from(printDocument(document));
  let why: Refused | undefined;
  const without = (failure: Refused): void => void (why = failure);
  const files: WholeFile[] = [{ path, content: bytes, chosen: true }];
  if (fit) files.push({ path: fitPath(path), content: stringify(fit, 2) + '\n', without });
  await writeTogether(files, ready);
  // Of the bytes and not of the file, which another program may have written since.
  const written = { bytes, stamp: stampOfBytes(bytes, Date.now()) };
  if (!fit)
    await removeFile(fitPath(path)).catch((error: unknown) => {
      if (!(error instanceof Refused)) throw error;
      without(error);
    });
  if (why) throw new WithoutFit(why, written);
  return written;
}
