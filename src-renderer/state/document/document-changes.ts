/** How two versions of a document differ, block by block and key by key. */
import type { Draft, JsonRecord } from './draft.ts';
import { own, same } from './draft.ts';

export interface KeyChange {
  readonly key: string;
  /** As JSON; undefined where that version lacks the key. */
  readonly before?: string;
  readonly after?: string;
}

export interface Change {
  /** A block's id, or a key of the document itself, as `name` or `tables`. */
  readonly name: string;
  readonly kind: 'added' | 'removed' | 'changed';
  readonly keys: readonly KeyChange[];
}

function text(record: JsonRecord, key: string): string | undefined {
  const value = own(record, key);
  return value === undefined ? undefined : JSON.stringify(value);
}

function keyChange(key: string, before: JsonRecord, after: JsonRecord): KeyChange {
  const [was, is] = [text(before, key), text(after, key)];
  return { key, ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) };
}

function keysOf(before: JsonRecord, after: JsonRecord): KeyChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => !same(own(before, key), own(after, key)))
    .map((key) => keyChange(key, before, after));
}

/** `view` says where things stand: that it differs is one change, whatever moved. */
export function changesBetween(before: Draft, after: Draft): Change[] {
  const whole: Change[] = keysOf(before, after)
    .filter(({ key }) => key !== 'blocks')
    .map((change) =>
      change.key === 'view'
        ? { name: 'view', kind: 'changed', keys: [] }
        : { name: change.key, kind: 'changed', keys: [change] },
    );
  const old = new Map(before.blocks.map((block) => [block.id, block]));
  const fresh = new Set(after.blocks.map((block) => block.id));
  const present = after.blocks.flatMap((block): Change[] => {
    const was = old.get(block.id);
    if (!was) return [{ name: block.id, kind: 'added', keys: [] }];
    const keys = same(was, block) ? [] : keysOf(was, block);
    return keys.length > 0 ? [{ name: block.id, kind: 'changed', keys }] : [];
  });
  const gone = before.blocks
    .filter((block) => !fresh.has(block.id))
    .map((block): Change => ({ name: block.id, kind: 'removed', keys: [] }));
  return [...whole, ...present, ...gone];
}
