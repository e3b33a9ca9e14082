import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDocument } from '../../../../models/format/parse.ts';
import { copyText, pasteCommand, readPasted } from '../../../../src-renderer/state/document/clipboard.ts';
import { applyCommand } from '../../../../src-renderer/state/document/commands.ts';
import type { Draft, Point } from '../../../../src-renderer/state/document/draft.ts';
import { emptyDraft, positionOf, readDraft } from '../../../../src-renderer/state/document/draft.ts';

const decay: Draft = {
  format: 'cotangent/1',
  tables: { obs: { columns: { t: [0, 1], y: [1, 0.6] } }, other: { columns: { z: [1] } } },
  blocks: [
    { id: 't', kind: 'column', table: 'obs', column: 't' },
    { id: 'y', kind: 'column', table: 'obs', column: 'y' },
    { id: 'A', kind: 'parameter', initial: 1 },
    { id: 'k2', kind: 'parameter', initial: 0.1 },
    { id: 'curve', kind: 'map', formula: 'k3 = -k2 * t\nA * exp(k3)' },
    { id: 'loss', kind: 'least-squares', prediction: 'curve', observed: 'y' },
  ],
  objective: 'loss',
  view: { positions: { curve: [40, 60], loss: [240, 60] } },
};
const all = decay.blocks.map((block) => block.id);
const place = (id: string): Point => positionOf(decay, id) ?? [0, 0];

function copied(ids: readonly string[], draft = decay): Draft {
  const pasted = readPasted(copyText(draft, ids, place));
  if (pasted.kind !== 'blocks') throw new Error(pasted.kind);
  return readDraft(pasted.document).draft;
}
const paste = (ids: readonly string[], draft: Draft, at?: Point): Draft =>
  applyCommand(draft, pasteCommand(copied(ids), { draft, at, what: 'Paste' }));
const blockOf = (draft: Draft, id: string) => draft.blocks.find((block) => block.id === id);

describe('blocks as text', () => {
  it('is a document of its own, with the tables of its columns alone', () => {
    const document = copied(['t', 'curve']);
    expect(readDocument(document)).toHaveProperty('document');
    expect(Object.keys(document['tables'] as object)).toEqual(['obs']);
  });

  it('comes into an empty window as it was, the objective too', () => {
    const there = paste(all, emptyDraft);
    expect(there.blocks).toEqual(decay.blocks);
    expect(there['objective']).toBe('loss');
    expect(there['tables']).toEqual({ obs: (decay['tables'] as { obs: object }).obs });
  });

  it('beside the original has new ids, wires among the copies, and those to what was not copied', () => {
    const both = paste(['k2', 'curve', 'loss'], decay);
    expect(both.blocks.slice(6)).toEqual([
      { id: 'k4', kind: 'parameter', initial: 0.1 },
      // k3 is the formula's own name: it would have captured a parameter of that name.
      { id: 'curve2', kind: 'map', formula: 'k3 = -k4 * t\nA * exp(k3)' },
      { id: 'loss2', kind: 'least-squares', prediction: 'curve2', observed: 'y' },
    ]);
    expect(both['objective']).toBe('loss');
    expect(both['tables']).toEqual(decay['tables']);
  });

  it('stands at the cursor, in the same order, and not on an earlier copy', () => {
    const once = paste(['curve', 'loss'], decay, [500, 400]);
    expect([positionOf(once, 'curve2'), positionOf(once, 'loss2')]).toEqual([
      [500, 400],
      [700, 400],
    ]);
    const twice = paste(['curve', 'loss'], once, [500, 400]);
    expect(positionOf(twice, 'curve3')).toEqual([524, 424]);
    expect(positionOf(paste(['curve'], decay), 'curve2')).toEqual([64, 84]);
  });

  it('brings a table under a new name where another has its own', () => {
    const foreign: Draft = { ...emptyDraft, tables: { obs: { columns: { t: [9] } } } };
    const there = paste(['t'], foreign);
    expect(Object.keys(there['tables'] as object)).toEqual(['obs', 'obs2']);
    expect(blockOf(there, 't')).toMatchObject({ table: 'obs2' });
  });

  it('makes documents whose blocks have the form of their kind, whatever is copied and however often', () => {
    fc.assert(
      fc.property(fc.array(fc.subarray(all, { minLength: 1 }), { maxLength: 4 }), (rounds) => {
        const draft = rounds.reduce<Draft>((current, ids) => paste(ids, current), decay);
        expect(readDocument(draft)).toHaveProperty('document');
        expect(draft.blocks.slice(0, 6)).toEqual(decay.blocks);
      }),
    );
  });
});

describe('text from elsewhere', () => {
  it('is a table where it has rows or is JSON of another kind', () => {
    expect(readPasted('a\tb\n1\t2\n').kind).toBe('table');
    expect(readPasted('[{"a":1},{"a":2}]').kind).toBe('table');
    expect(readPasted('{"a":[1,2]}').kind).toBe('table');
  });

  it('is refused in a sentence where it is nothing', () => {
    expect(readPasted('  ')).toMatchObject({ kind: 'fault' });
    expect(readPasted('hello')).toEqual({ kind: 'fault', message: 'One line of text is neither blocks nor a table.' });
    expect(readPasted('{"format": "cotangent/1", "blocks": [')).toMatchObject({
      kind: 'fault',
      message: expect.stringMatching(/^The pasted text begins like blocks and is no JSON: /) as string,
    });
  });
});
