/**
 * A fingerprint of what a document computes: without `view`, whatever the order of its keys and blocks. It takes a
 * document as it was parsed or as JSON that nobody has checked. 53 bits by cyrb53: it tells that a document has changed,
 * and is no defence against forgery.
 */
export function hashDocument(document: object): string {
  const { view: _, ...rest } = document as { view?: unknown; blocks?: unknown };
  return cyrb53(canonical({ ...rest, blocks: sortedBlocks(rest.blocks) }))
    .toString(16)
    .padStart(14, '0');
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

function cyrb53(text: string): number {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return 4294967296 * (2097151 & b) + (a >>> 0);
}
