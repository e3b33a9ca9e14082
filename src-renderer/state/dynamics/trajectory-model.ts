/**
 * The solution between its outputs: the document cut down to what an ode block is made of, asked at more times. So its
 * curve is the solver's own and no line between outputs.
 */
import type { BlockDraft, Draft } from '../document/draft.ts';
import { freshId, isRecord, numberFrom, own } from '../document/draft.ts';
import { blockOfReference } from '../document/wiring.ts';
import { referencesOf } from '../document/references.ts';

/** Every block that `id` is made of, and itself. */
function madeOf(draft: Draft, id: string): BlockDraft[] {
  const blocks = new Map(draft.blocks.map((block) => [block.id, block]));
  const found = new Set<string>();
  const visit = (name: string): void => {
    const block = blocks.get(name);
    if (!block || found.has(name)) return;
    found.add(name);
    for (const reference of referencesOf(block)) visit(blockOfReference(reference));
  };
  visit(id);
  return draft.blocks.filter((block) => found.has(block.id));
}

/** With this block alone as its end, solved at `times`. */
export function trajectoryDraft(draft: Draft, id: string, times: readonly number[]): Draft {
  const ids = new Set(draft.blocks.map((block) => block.id));
  const name = freshId(ids, 'trajectory_times');
  const solved = draft.blocks.map((block) => (block.id === id ? { ...block, times: name } : block));
  const at: BlockDraft = { id: name, kind: 'constant', value: times };
  const tables = isRecord(draft['tables']) ? { tables: draft['tables'] } : {};
  return { format: draft.format, ...tables, blocks: madeOf({ ...draft, blocks: [...solved, at] }, id) };
}

const points = 240;
/** So near before a jump, as a share of the whole, that the eye takes it for the jump. */
const before = 1e-6;

/** From the first to the last, the outputs among them; both sides of what jumps at a known time. */
export function trajectoryTimes(
  outputs: ArrayLike<number>,
  from: number | undefined,
  jumps: readonly number[],
): number[] {
  const given = Array.from(outputs).filter(Number.isFinite);
  if (given.length === 0) return [];
  const first = from ?? Math.min(...given);
  const last = given.reduce((most, time) => Math.max(most, time), -Infinity);
  const span = last - first;
  const even = Array.from({ length: points + 1 }, (_, i) => first + (span * i) / points);
  const sides = jumps.flatMap((time) => [time - span * before, time]).filter((time) => time > first && time < last);
  return [...new Set([...even, ...(given.length > 1000 ? [] : given.filter((time) => time >= first)), ...sides])].sort(
    (a, b) => a - b,
  );
}

/** When doses come, as far as it is known: numbers, and values of blocks. */
export function jumpsOf(block: BlockDraft, valuesOf: (reference: string) => ArrayLike<number> | undefined): number[] {
  const events = Array.isArray(block['events']) ? (block['events'] as unknown[]) : [];
  return events.flatMap((event) => {
    const times = own(event, 'times');
    const number = numberFrom(times);
    if (number !== undefined) return [number];
    return typeof times === 'string' ? Array.from(valuesOf(times) ?? []).slice(0, 200) : [];
  });
}

export interface Measured {
  readonly state: string;
  readonly observed: string;
}

/** Columns that a loss compares with a state as it is. */
export function measuredStates(draft: Draft, block: BlockDraft, states: readonly string[]): Measured[] {
  return draft.blocks.flatMap((loss) => {
    const observed = loss['observed'];
    const predicted = loss['prediction'] ?? loss['mean'];
    if (typeof observed !== 'string' || typeof predicted !== 'string' || blockOfReference(predicted) !== block.id)
      return [];
    const output = predicted.slice(block.id.length + 1) || states[0];
    return output !== undefined && states.includes(output) ? [{ state: output, observed }] : [];
  });
}
