import { hashText } from '../../engine/index.ts';

/**
 * A fingerprint of what a document says: without `view`, whatever the order of its keys and blocks. It takes a document
 * as it was parsed or as JSON that nobody has checked. What a model means is another (`models/lower/meaning.ts`).
 */
export function hashDocument(document: object): string {
  const { view: _, ...rest } = document as { view?: unknown; blocks?: unknown };
  return hashText(canonical({ ...rest, blocks: sortedBlocks(rest.blocks) }));
}

function sortedBlocks(blocks: unknown): unknown {
  if (!Array.isArray(blocks)) return blocks;
  const idOf = (block: unknown): string => String((block as { id?: unknown } | null)?.id);
  return (blocks as unknown[]).toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
}

function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, entry]) => `${JSON.stringify(key)}:${canonical(entry)}`).join(',')}}`;
}
