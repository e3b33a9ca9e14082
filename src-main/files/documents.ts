/** Documents on disk: `NAME.cot.json`, and beside it the last fit, `NAME.fit.json`. Writes are atomic. */
import { readFile, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import * as v from 'valibot';
import writeFileAtomic from 'write-file-atomic';
import { printDocument } from '../../models/format/print.ts';
import { JsonError, parseJson } from '../../models/format/json.ts';
import type { Json } from '../../models/format/json.ts';
import { fitReport } from '../contract.ts';
import type { FitReport } from '../contract.ts';
import { reviveNumbers, stringify } from '../json.ts';
import { Refused } from '../refused.ts';

export const documentExtension = '.cot.json';

export type RawDocument = Record<string, unknown>;

export function withExtension(path: string): string {
  return path.endsWith('.json') ? path : path + documentExtension;
}

/** `decay.cot.json` → `decay` */
export function documentName(path: string): string {
  return basename(path).replace(/(\.cot)?\.json$/, '');
}

function fitPath(path: string): string {
  return path.replace(/(\.cot)?\.json$/, '') + '.fit.json';
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

const readFailures: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read',
  EISDIR: 'it is a folder',
};

/** Throws `Refused` where there is no readable file or it holds no JSON object. */
export async function readDocument(path: string): Promise<RawDocument> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const code = codeOf(error) ?? '';
    throw new Refused(`${path} cannot be opened: ${readFailures[code] ?? String(error)}.`);
  }
  return parseDocument(text, path);
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

/** The fit stored beside a document; null where there is none that can be read. */
export async function readFit(path: string): Promise<FitReport | null> {
  try {
    const parsed = v.safeParse(fitReport, reviveNumbers(JSON.parse(await readFile(fitPath(path), 'utf8'))));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}

/** Either the old file is there or the new one, at every moment: written beside it, flushed, and renamed over it. */
export async function writeDocument(path: string, document: RawDocument, fit: FitReport | null): Promise<void> {
  try {
    // What is printed is the JSON as it is, whatever blocks it holds.
    await writeFileAtomic(path, printDocument(document));
    if (fit) await writeFileAtomic(fitPath(path), stringify(fit, 2) + '\n');
    else await rm(fitPath(path), { force: true });
  } catch (error) {
    throw new Refused(`${path} cannot be written: ${error instanceof Error ? error.message : String(error)}.`);
  }
}
