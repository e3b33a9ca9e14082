import type { Block } from '../blocks/block.ts';
import type { Document } from './document.ts';
import { standsFor } from './further-names.ts';

/** The document with a block for each formula among the names that are asked for. */
export function withNamed(document: Document, asked: readonly string[]): Document {
  const taken = new Set(document.blocks.map(({ id }) => id));
  const names = new Map(Object.entries(document.names ?? {}));
  const blocks: Block[] = [];
  for (const name of new Set(asked)) {
    const found = standsFor(document, name);
    if (found === undefined || typeof found === 'string') continue;
    let id = name.replace(/[^A-Za-z0-9_]+/g, '_');
    while (taken.has(id)) id += '_';
    taken.add(id);
    names.set(name, id);
    blocks.push({ id, kind: 'map', ...found });
  }
  if (blocks.length === 0) return document;
  return { ...document, blocks: [...document.blocks, ...blocks], names: Object.fromEntries(names) };
}
