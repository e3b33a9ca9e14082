/**
 * A fault in one block is none of what does not depend on it: the largest part of a document that is right, for a window in
 * which the rest goes on. Commands refuse the whole.
 */
import { hasErrors } from '../../models/notation/problem.ts';
import type { Model } from '../../models/load/model.ts';
import type { Loaded } from './running/load.ts';

type Json = Readonly<Record<string, unknown>>;

/** Never left out: without them there is no document. */
const kept: readonly string[] = ['format', 'blocks', 'tables'];
const wholeKeys = ['objective', 'fit'];

export interface SoundPart {
  readonly model: Model;
  readonly loaded: Loaded;
  /** Whether the objective and how it is fitted are of it; of a document that has none, whether there is anything. */
  readonly isWhole: boolean;
}

/**
 * What was loaded without the blocks, tables and keys at fault, and without all that needs these; undefined where nothing is left.
 * `again` loads a part: what needs a block that was left out is at fault there, and goes next.
 */
export async function soundPart(
  document: Json,
  loaded: Loaded,
  again: (part: Json) => Promise<Loaded>,
): Promise<SoundPart | undefined> {
  let part: Json | undefined = document;
  let found = loaded;
  while (!found.model) {
    part = withoutFaults(part, found);
    if (!part) return undefined;
    found = await again(part);
  }
  return { model: found.model, loaded: found, isWhole: wholeKeys.every((key) => part[key] === document[key]) };
}

/** Undefined where nothing can be left out, or nothing stays. */
function withoutFaults(document: Json, { document: read, problems, blocks, tables }: Loaded): Json | undefined {
  const errors = problems.filter((problem) => hasErrors([problem]));
  const keys = new Set(errors.flatMap(({ block, port }) => (block === undefined && port ? [port.split('.')[0]!] : [])));
  const entries = Object.entries(document).filter(([key]) => kept.includes(key) || !keys.has(key));
  const rest: Record<string, unknown> = Object.fromEntries(entries);
  let leftOut = Object.keys(document).length - entries.length;
  // What is known of blocks and tables is known of a document alone.
  if (read) {
    const faulty = new Set(errors.flatMap(({ block }) => (block === undefined ? [] : [topOf(block)])));
    for (const { id, kind, outputs } of blocks) if (outputs.length === 0 && kind !== 'group') faulty.add(topOf(id));
    const all = listOf(document['blocks']);
    const sound = all.filter((block) => typeof block?.['id'] === 'string' && !faulty.has(block['id']));
    const named = Object.entries((document['tables'] ?? {}) as Json);
    const readable = named.filter(([name]) => tables.has(name));
    if (sound.length === 0) return undefined;
    leftOut += all.length - sound.length + named.length - readable.length;
    rest['blocks'] = sound;
    if (Object.hasOwn(document, 'tables')) rest['tables'] = Object.fromEntries(readable);
  }
  return leftOut > 0 ? rest : undefined;
}

/** Of a block inside groups the outermost: it is had whole, or not at all. */
const topOf = (id: string): string => id.split('/')[0]!;

const listOf = (blocks: unknown): readonly (Json | null)[] =>
  Array.isArray(blocks) ? (blocks as readonly (Json | null)[]) : [];
