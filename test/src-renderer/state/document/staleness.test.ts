/** Which results still belong to the document, by what the engine says that it means. */
import { describe, expect, it } from 'vitest';
import type { CheckReport } from '../../../../src-main/contract/contract.ts';
import { spoken } from '../../../../src-main/contract/element-labels.ts';
import type { Draft } from '../../../../src-renderer/state/document/draft.ts';
import { reachIn } from '../../../../src-renderer/state/document/point.ts';
import { changedSince, labelledBy, readBy, type About } from '../../../../src-renderer/state/document/staleness.ts';

const draft: Draft = {
  format: 'cotangent/1',
  blocks: [
    { id: 'k', kind: 'parameter', initial: 1 },
    { id: 'f', kind: 'map', formula: 'k * x' },
  ],
  objective: 'l',
};
const renamed: Draft = { ...draft, blocks: [draft.blocks[0]!, { ...draft.blocks[1]!, id: 'g' }] };
const moved: Draft = { ...draft, blocks: [{ ...draft.blocks[0]!, initial: 2 }, draft.blocks[1]!] };
const means = (objective: string, outputs: Record<string, string> = {}): CheckReport['meaning'] => ({
  objective,
  outputs,
  quantities: {},
});
const fit: About = { draft, of: ['objective'], meaning: 'A' };

describe('a fit', () => {
  it('stands while the model means the same, however it is written', () => {
    expect(changedSince(fit, renamed, { draft: renamed, meaning: means('A') })).toEqual([]);
    expect(changedSince(fit, renamed, { draft: renamed, meaning: means('B') })).toEqual(['g', 'f']);
  });

  it('stands until an edit has been checked, but for parameters, which count at once', () => {
    expect(changedSince(fit, renamed, { draft, meaning: means('A') })).toEqual([]);
    expect(changedSince(fit, moved, { draft, meaning: means('A') })).toEqual(['k']);
  });

  it('goes by what is written while the document has errors', () => {
    expect(changedSince(fit, renamed, { draft: renamed, meaning: undefined })).toEqual(['g', 'f']);
    expect(changedSince(fit, draft, { draft, meaning: undefined })).toEqual([]);
  });

  it('is never ended by what is said of a block or of the model', () => {
    const [k, f] = draft.blocks as [Draft['blocks'][0], Draft['blocks'][0]];
    const said: Draft = {
      ...draft,
      note: 'N',
      blocks: [
        { ...k, note: 'N', unit: 'm' },
        { ...f, label: 'L' },
      ],
    };
    expect(changedSince(fit, said, { draft: said, meaning: undefined })).toEqual([]);
    expect(changedSince(fit, said, { draft, meaning: means('A') })).toEqual([]);
    const more: Draft = {
      ...said,
      blocks: [
        { ...k, note: 'N' },
        { ...f, formula: 'k' },
      ],
    };
    expect(changedSince(fit, more, { draft: more, meaning: means('B') })).toEqual(['f']);
    // A block may have the name of a word.
    const note: Draft = { ...draft, blocks: [...draft.blocks, { id: 'note', kind: 'map', formula: '1' }] };
    expect(changedSince(fit, note, { draft: note, meaning: means('B') })).toEqual(['note']);
  });

  it('ends with the data of a file, which the document only names', () => {
    expect(changedSince(fit, draft, { draft, meaning: means('B') })).toEqual(['the data']);
  });

  it('is not of the data before a change that was taken back is checked again', () => {
    expect(changedSince(fit, draft, { draft: renamed, meaning: means('B') })).toEqual([]);
  });

  it('that was stored is of the document that means the same', () => {
    const stored = { ...fit, draft: null };
    expect(changedSince(stored, draft, { draft, meaning: means('A') })).toEqual([]);
    expect(changedSince(stored, draft, { draft, meaning: means('B') })).toEqual(['the document']);
  });
});

it('is read by the bounds that it was found with, and by those of no other document', () => {
  const bounded = (lower: number): Draft => ({
    format: 'cotangent/1',
    blocks: [{ id: 'k', kind: 'parameter', initial: 1, lower }],
  });
  const [then, now] = [bounded(0), bounded(300)];
  const reach = (of: Draft | null, changed: readonly string[]) =>
    reachIn(readBy(of, now, changed), { name: 'k', block: 'k' });
  expect(reach(then, ['k'])).toEqual([0, Infinity]);
  expect(reach(then, [])).toEqual([300, Infinity]);
  expect(reach(null, ['the document'])).toEqual([-Infinity, Infinity]);
});

it('calls elements as they were called when it was found, once it is stale', () => {
  const now = new Map([['k', ['untreated', 'treated']]]);
  const found = { labels: { k: ['treated', 'untreated'] } };
  expect(spoken('k[0]', labelledBy(found, now, []))).toBe('k[untreated]');
  expect(spoken('k[0]', labelledBy(found, now, ['tables']))).toBe('k[treated]');
  expect(spoken('k[0]', labelledBy({}, now, ['tables']))).toBe('k[0]');
  // Until the document has been checked nothing is known of what it has now.
  expect(spoken('k[0]', labelledBy(found, new Map(), []))).toBe('k[treated]');
});

describe('a study', () => {
  it('is of the outputs that it took', () => {
    const study: About = { draft, of: ['objective', 'f'], meaning: 'A F' };
    expect(changedSince(study, renamed, { draft: renamed, meaning: means('A', { f: 'F' }) })).toEqual([]);
    expect(changedSince(study, renamed, { draft: renamed, meaning: means('A', { f: 'G' }) })).not.toEqual([]);
    expect(changedSince(study, renamed, { draft: renamed, meaning: means('A', { g: 'F' }) })).not.toEqual([]);
  });

  it('of a block that is called objective is of that', () => {
    const study: About = { draft, of: ['objective'], meaning: 'O' };
    expect(changedSince(study, renamed, { draft: renamed, meaning: means('A', { objective: 'O' }) })).toEqual([]);
  });
});
