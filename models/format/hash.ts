/** A fingerprint of what a document computes: without `view`, whatever the order of its keys and blocks. */
import type { Document } from './document.ts';

/** 16 hexadecimal digits. It tells that a document has changed; it is no defence against forgery. */
export function hashDocument(document: Document): string {
  const blocks = [...document.blocks].sort((a, b) => (a.id < b.id ? -1 : 1));
  const { view: _, ...rest } = { ...document, blocks };
  return fnv64(canonical(rest));
}

function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, entry]) => `${JSON.stringify(key)}:${canonical(entry)}`).join(',')}}`;
}

/** FNV-1a over UTF-16 code units, 64 bits. */
function fnv64(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let i = 0; i < text.length; i++) hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(i))) * 0x100000001b3n);
  return hash.toString(16).padStart(16, '0');
}
