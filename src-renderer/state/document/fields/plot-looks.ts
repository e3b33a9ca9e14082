/** How plots look, as the document's `view` has it, and how one thing of it is changed. What cannot be read is not shown. */
import * as v from 'valibot';
import { plotLook, type PlotLook } from '../../../../models/notation/plot-look.ts';
import type { Command } from '../commands.ts';
import type { Draft, JsonRecord } from '../draft.ts';
import { own, withEntry } from '../draft.ts';

export function lookOf(draft: Draft, of: string): PlotLook {
  const read = v.safeParse(plotLook, own(own(draft['view'], 'plots'), of));
  return read.success ? read.output : {};
}

/** One entry set, by its way: `x`, `scale`. Undefined takes it away, and what is then empty with it. */
export function changeLook(draft: Draft, of: string, way: readonly string[], value: unknown): Command {
  const look = changed(lookOf(draft, of), way, value);
  return { type: 'look', of, look: Object.keys(look).length > 0 ? look : undefined };
}

function changed(record: unknown, [key = '', ...rest]: readonly string[], value: unknown): JsonRecord {
  if (rest.length === 0) return withEntry(record, key, value);
  const inner = changed(own(record, key), rest, value);
  return withEntry(record, key, Object.keys(inner).length > 0 ? inner : undefined);
}
