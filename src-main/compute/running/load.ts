/** From a document as JSON to a model with its data, for every command and request. */
import { totalmem } from 'node:os';
import type { Document } from '../../../models/format/document.ts';
import { applyOverrides, type Override } from '../../../models/format/override.ts';
import { withNamed } from '../../../models/format/with-named.ts';
import { readLeniently, type LenientResult } from '../../../models/format/parse.ts';
import { hasErrors } from '../../../models/notation/problem.ts';
import { defaultAvailableBytes } from '../../../models/load/memory.ts';
import { loadModel, type LoadResult, type Model } from '../../../models/load/model.ts';
import { nodeFiles } from '../../../models/tables/node-files.ts';
import type { ReadFile } from '../../../models/tables/read-tables.ts';
import { refusedFor } from './refusals.ts';

export interface Loaded extends LoadResult {
  /** Undefined where the JSON is no document at all. */
  readonly document: Document | undefined;
}

const noFiles: ReadFile = () =>
  Promise.reject(new Error('a document that has not been saved has no folder to read files from'));

/**
 * `folder` is where its tables' files are; undefined for a document that was never saved. A fault of the document is a
 * problem of the result and not thrown. `asked`: outputs that are wanted, which may be further names that stand for formulas.
 */
export async function load(
  json: unknown,
  folder: string | undefined,
  overrides: readonly Override[] = [],
  asked: readonly string[] = [],
): Promise<Loaded> {
  const read = readLeniently(json);
  if (!read.document)
    return { document: undefined, model: undefined, problems: read.problems, blocks: [], tables: new Map() };
  const { document, problems } = applyOverrides(read.document, overrides);
  return loadDocument(withNamed(document, asked), folder, {
    broken: read.broken,
    problems: [...read.problems, ...problems],
  });
}

/** As `load`, of a document that has been read: `broken` and `problems` are what reading it has found. */
export async function loadDocument(
  document: Document,
  folder: string | undefined,
  { broken, problems }: Pick<LenientResult, 'broken' | 'problems'> = { broken: new Set(), problems: [] },
): Promise<Loaded> {
  const files = folder === undefined ? noFiles : nodeFiles(folder);
  const availableBytes = Math.min(defaultAvailableBytes, totalmem());
  const result = await loadModel(document, files, { broken, availableBytes });
  const all = [...problems, ...result.problems];
  return { ...result, document, problems: all, model: hasErrors(all) ? undefined : result.model };
}

/** The model; throws `Refused` with everything that is wrong where there is none. */
export function demandModel({ model, problems }: Loaded): Model {
  if (model) return model;
  throw refusedFor(problems);
}
