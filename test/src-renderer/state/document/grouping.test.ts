import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDocument } from '../../../../models/format/parse.ts';
import { applyCommand } from '../../../../src-renderer/state/document/commands.ts';
import type { Draft, JsonRecord } from '../../../../src-renderer/state/document/draft.ts';
import { positionOf, readDraft } from '../../../../src-renderer/state/document/draft.ts';
import { packable, whyNotPacked } from '../../../../src-renderer/state/document/grouping.ts';
import { referencesOf } from '../../../../src-renderer/state/document/references.ts';

const catalogue = join(import.meta.dirname, '../../../../models/catalogue');
const examples = readdirSync(catalogue)
  .filter((name) => name.endsWith('.cot.json'))
  .map((name) => readDraft(JSON.parse(readFileSync(join(catalogue, name), 'utf8')) as JsonRecord).draft);

const curve: Draft = {
  format: 'cotangent/1',
  blocks: [
    { id: 't', kind: 'column', table: 'obs', column: 't' },
    { id: 'k', kind: 'parameter', initial: 0.1 },
    { id: 'both', kind: 'map', outputs: { up: 'exp(k * t)', down: 'exp(-k * t)' } },
    { id: 'total', kind: 'map', formula: 'u + d + k', inputs: { u: 'both.up', d: 'both.down' } },
    { id: 'twice', kind: 'map', formula: '2 * total + d', inputs: { d: 'both.down' } },
    { id: 'run', kind: 'scan', operator: 'add', values: 'total' },
  ],
  view: { positions: { both: [100, 40], total: [300, 60], twice: [500, 0] } },
};

const pack = (draft: Draft, ids: readonly string[]): Draft =>
  applyCommand(draft, { type: 'pack', ids, id: 'g', at: [90, 30], positions: [] });
const unpack = (draft: Draft): Draft => applyCommand(draft, { type: 'unpack', id: 'g', positions: [] });
const blockOf = (draft: Draft, id: string) => draft.blocks.find((block) => block.id === id);
const byId = (draft: Draft) => new Map(draft.blocks.map((block) => [block.id, block]));

describe('packing', () => {
  it('makes inputs of what comes from outside and outputs of what is taken there', () => {
    const packed = pack(curve, ['both', 'total']);
    expect(packed.blocks.map((block) => block.id)).toEqual(['t', 'k', 'g', 'twice', 'run']);
    expect(blockOf(packed, 'g')).toMatchObject({
      inputs: { k: 'k', t: 't' },
      blocks: [curve.blocks[2], curve.blocks[3]],
      outputs: { total: 'total', both_down: 'both.down' },
    });
    expect(blockOf(packed, 'twice')).toMatchObject({
      formula: '2 * total + d',
      inputs: { total: 'g.total', d: 'g.both_down' },
    });
    expect(blockOf(packed, 'run')).toMatchObject({ values: 'g.total' });
  });

  it('gives an output of a block outside a port of its own', () => {
    expect(blockOf(pack(curve, ['total']), 'g')).toMatchObject({
      inputs: { both_up: 'both.up', both_down: 'both.down', k: 'k' },
      blocks: [{ id: 'total', inputs: { u: 'both_up', d: 'both_down' } }],
    });
  });

  it('keeps the places of the blocks inside, from the place of the group', () => {
    const packed = pack(curve, ['both', 'total']);
    expect(positionOf(packed, 'g')).toEqual([90, 30]);
    expect(positionOf(packed, 'g/both')).toEqual([10, 10]);
    expect(positionOf(packed, 'both')).toBeUndefined();
    const moved = applyCommand(packed, { type: 'move', positions: [['g', [190, 30]]] });
    expect(positionOf(unpack(moved), 'both')).toEqual([200, 40]);
    expect(positionOf(applyCommand(packed, { type: 'rename', id: 'g', to: 'h' }), 'h/both')).toEqual([10, 10]);
    const gone = applyCommand(packed, { type: 'remove', ids: ['g'] });
    expect(positionOf(gone, 'g/both')).toBeUndefined();
  });

  it('leaves what a fit changes on the canvas, and says why nothing is left to pack', () => {
    expect(packable(curve, ['t', 'k', 'both'])).toEqual(['both']);
    expect(whyNotPacked(curve, ['t', 'k'])).toContain('parameters');
  });

  it('refuses where a formula outside could not name an output of the group', () => {
    const step: Draft = {
      ...curve,
      blocks: [...curve.blocks, { id: 'walk', kind: 'recurrence', state: { x: { initial: 0, next: 'x + total' } } }],
    };
    expect(whyNotPacked(step, ['both', 'total'])).toContain('The formulas of walk name total');
    expect(pack(step, ['both', 'total'])).toBe(step);
    const alone = pack(step, ['total', 'twice', 'both']);
    expect(blockOf(alone, 'walk')).toMatchObject({ state: { x: { next: 'x + g' } } });
  });

  it('gives valid documents of which unpacking makes the blocks that there were', () => {
    const subset = fc
      .constantFrom(...examples)
      .chain((draft) => fc.tuple(fc.constant(draft), fc.subarray(draft.blocks.map((block) => block.id))));
    fc.assert(
      fc.property(subset, ([draft, ids]) => {
        const packed = pack(draft, ids);
        if (whyNotPacked(draft, ids) !== undefined) {
          expect(packed).toBe(draft);
          return;
        }
        const read = readDocument(packed);
        expect(read).not.toHaveProperty('problems');
        // No wire leads past the group into its inside.
        const inside = new Set(packable(draft, ids));
        expect(packed.blocks.flatMap(referencesOf).some((reference) => inside.has(reference.split('.')[0]!))).toBe(
          false,
        );
        expect(byId(unpack(packed))).toEqual(byId(draft));
      }),
    );
  });
});

describe('unpacking', () => {
  it('gives blocks whose names are taken outside new ones, and lets their wires follow', () => {
    const draft: Draft = {
      format: 'cotangent/1',
      blocks: [
        { id: 'rate', kind: 'parameter', initial: 1 },
        { id: 'x', kind: 'constant', value: 2 },
        {
          id: 'g',
          kind: 'group',
          inputs: { k: 'rate' },
          blocks: [
            { id: 'x', kind: 'map', formula: 'k + 1' },
            { id: 'y', kind: 'map', formula: 'x * k' },
          ],
          outputs: { y: 'y' },
        },
        { id: 'end', kind: 'map', formula: 'y + x', inputs: { y: 'g.y' } },
      ],
    };
    const open = unpack(draft);
    expect(open.blocks.map((block) => block.id)).toEqual(['rate', 'x', 'x2', 'y', 'end']);
    expect(blockOf(open, 'x2')).toMatchObject({ formula: 'k + 1', inputs: { k: 'rate' } });
    expect(blockOf(open, 'y')).toMatchObject({ inputs: { x: 'x2', k: 'rate' } });
    expect(blockOf(open, 'end')).toEqual({ id: 'end', kind: 'map', formula: 'y + x' });
  });
});
