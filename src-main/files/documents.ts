/** Documents on disk: `NAME.cot.json`, and beside it the last fit, `NAME.fit.json`. */
import { constants, readFile, stat } from 'node:fs/promises';
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
import { stampOfBytes } from './stamps.ts';
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
};

export function readFailure(error: unknown): string {
  return readFailures[codeOf(error) ?? ''] ?? String(error);
}

/** Throws `Refused` where there is no readable file or it holds no JSON object. */
export async function readDocument(path: string): Promise<RawDocument> {
  return (await readStamped(path)).document;
}

/** The same, with what tells whether the file has changed since. */
export async function readStamped(path: string): Promise<{ readonly document: RawDocument; readonly stamp: Stamp }> {
  let bytes: Buffer;
  let time: number;
  try {
    bytes = await readFile(path);
    time = (await stat(path)).mtimeMs;
  } catch (error) {
    throw new Refused(`${path} cannot be opened: ${readFailure(error)}.`);
  }
  return { document: parseDocument(bytes.toString('utf8'), path), stamp: stampOfBytes(bytes, time) };
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

const readUnlinked = (path: string): Promise<string> =>
  readFile(path, { encoding: 'utf8', flag: constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) });

/** Both or neither, whole. A fit of before that no longer holds is removed. */
export async function writeDocument(path: string, document: RawDocument, fit: FitReport | null): Promise<void> {
  // What is printed is the JSON as it is, whatever blocks it holds.
  const files: WholeFile[] = [{ path, content: printDocument(document), chosen: true }];
  if (fit) files.push({ path: fitPath(path), content: stringify(fit, 2) + '\n' });
  await writeTogether(files);
  if (!fit) await removeFile(fitPath(path));
}
