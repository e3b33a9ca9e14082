/** Which values that were computed before are still those of the point that is shown: nothing that they are made of has changed. */
import type { ModelPoint } from './evaluation.svelte.ts';
import type { BlockDraft, Draft } from './draft.ts';
import { blockOf, same } from './draft.ts';
import { referencesOf } from './references.ts';
import { sameCells } from './table-edits.ts';
import { blockOfReference } from './wiring.ts';

/** Of references, by how they were computed and how they would be now. Each block is looked at once. */
export function standing(before: ModelPoint, now: ModelPoint): (reference: string) => boolean {
  // What refers to itself through others has no value: it is not standing while it is being looked at.
  const known = new Map<string, boolean>();
  const stands = (reference: string): boolean => {
    const id = blockOfReference(reference);
    const found = known.get(id);
    if (found !== undefined) return found;
    known.set(id, false);
    const [was, is] = [blockOf(before.draft, id), blockOf(now.draft, id)];
    const result = was !== undefined && is !== undefined && sameMaking(was, is) && referencesOf(is).every(stands);
    known.set(id, result);
    return result;
  };
  const sameMaking = (was: BlockDraft, is: BlockDraft): boolean => {
    if (!same(before.parameters[is.id], now.parameters[is.id])) return false;
    if (is.kind === 'parameter') return was.kind === 'parameter';
    return (
      same(was, is) &&
      (is.kind !== 'column' || (before.readings === now.readings && sameColumn(before.draft, now.draft, is)))
    );
  };
  return stands;
}

function sameColumn(a: Draft, b: Draft, { table, column }: BlockDraft): boolean {
  return sameCells(a, b, String(table), String(column));
}
