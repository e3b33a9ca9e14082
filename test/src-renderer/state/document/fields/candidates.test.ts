/** Models that are kept beside the document's own: they are of its tables, and nothing of either is lost. */
import { describe, expect, it } from 'vitest';
import {
  candidatesOf,
  dropCandidate,
  freshName,
  keepCandidate,
  renameCandidate,
  useCandidate,
} from '../../../../../src-renderer/state/document/fields/candidates.ts';
import { openLog, perform, undo } from '../../../../../src-renderer/state/document/command-log.ts';
import { applyCommand } from '../../../../../src-renderer/state/document/commands.ts';
import type { Draft } from '../../../../../src-renderer/state/document/draft.ts';

const line: Draft = {
  format: 'cotangent/1',
  tables: { obs: { columns: { t: [0, 1], y: [1, 2] } } },
  blocks: [{ id: 'f', kind: 'map', formula: 'a + b*t' }],
  objective: 'loss',
  view: { positions: { f: [1, 2] } },
};
const kept = applyCommand(line, keepCandidate(line, freshName(line)));
const changed: Draft = { ...kept, blocks: [{ id: 'f', kind: 'map', formula: 'a' }], objective: 'other' };

describe('a candidate', () => {
  it('is the model as it was kept, over the tables as they are', () => {
    const later = { ...changed, tables: { obs: { columns: { t: [5], y: [6] } } } };
    const [only] = candidatesOf(later);
    expect(only).toMatchObject({ index: 0, name: 'Model 1' });
    expect(only!.draft.blocks).toEqual(line.blocks);
    expect(only!.draft['objective']).toBe('loss');
    expect(only!.draft['tables']).toBe(later.tables);
  });

  it('changes places with the model, and back again', () => {
    const used = applyCommand(changed, useCandidate(changed, candidatesOf(changed)[0]!));
    expect(used.blocks).toEqual(line.blocks);
    expect(used['objective']).toBe('loss');
    const [other] = candidatesOf(used);
    expect(other!.draft.blocks).toEqual(changed.blocks);
    const back = applyCommand(used, useCandidate(used, other!));
    expect(back.blocks).toEqual(changed.blocks);
    expect(back['objective']).toBe('other');
  });

  it('is renamed to what no other is called, and removed; undo brings it back', () => {
    const two = applyCommand(kept, keepCandidate(kept, freshName(kept)));
    const [first, second] = candidatesOf(two);
    expect(renameCandidate(two, first!, second!.name)).toBeUndefined();
    const named = applyCommand(two, renameCandidate(two, first!, 'a line')!);
    expect(candidatesOf(named).map(({ name }) => name)).toEqual(['a line', 'Model 2']);
    const log = perform(openLog(named), dropCandidate(named, candidatesOf(named)[0]!));
    expect(candidatesOf(log.draft).map(({ name }) => name)).toEqual(['Model 2']);
    expect(undo(log).draft).toEqual(named);
  });

  it('that cannot be read is not shown and stays', () => {
    const odd = { ...line, view: { candidates: [{ name: 1 }, 'x'] } } as Draft;
    expect(candidatesOf(odd)).toEqual([]);
    const more = applyCommand(odd, keepCandidate(odd, 'mine'));
    expect((more['view'] as { candidates: unknown[] }).candidates.slice(0, 2)).toEqual([{ name: 1 }, 'x']);
  });
});
