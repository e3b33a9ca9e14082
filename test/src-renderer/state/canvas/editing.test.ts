/** What is done to a selection on the canvas, and how it is taken back. */
import { describe, expect, it } from 'vitest';
import { CanvasState } from '../../../../src-renderer/state/canvas/canvas.svelte.ts';
import { createEditing } from '../../../../src-renderer/state/canvas/editing.ts';
import { blockOf, type BlockDraft, type Draft } from '../../../../src-renderer/state/document/draft.ts';
import { openSession } from '../../../../src-renderer/state/document/session.ts';
import { Studio } from '../../../../src-renderer/state/studio.svelte.ts';
import { playedEngine } from '../../../support/played-engine.ts';

const blocks: readonly BlockDraft[] = [
  { id: 'k', kind: 'parameter', initial: 1 },
  { id: 'twice', kind: 'map', formula: '2*k' },
  { id: 'more', kind: 'map', formula: 'twice + 1' },
];
const positions = { k: [0, 0], twice: [200, 40], more: [400, 90] } as const;

function editingOf(draft: Draft = { format: 'cotangent/1', blocks, view: { positions } }) {
  const engine = playedEngine({ 'model.read': () => ({ problems: [] }) });
  const studio = new Studio(engine.client, openSession(draft), { kind: 'unsaved' });
  const canvas = new CanvasState(studio);
  const sentences: string[] = [];
  const tables: string[] = [];
  const editing = createEditing({
    ...{ studio, canvas, pointer: () => undefined, seen: () => ({ x: 0, y: 0, width: 4000, height: 4000 }) },
    refuse: (sentence) => sentences.push(sentence),
    pasteTable: (text) => tables.push(text),
  });
  const measure = (): void =>
    canvas.measured(
      new Map(
        studio.draft.blocks.map(({ id }) => {
          const [x, y] = canvas.positionOf(id);
          return [id, { x, y, width: 100, height: 40 }];
        }),
      ),
    );
  measure();
  const places = () => Object.fromEntries(studio.draft.blocks.map(({ id }) => [id, canvas.positionOf(id)]));
  return { studio, canvas, editing, sentences, tables, measure, places };
}

it('puts blocks from elsewhere near a place, where there is room, and selects them', () => {
  const { studio, editing, places } = editingOf();
  const fragment = { format: 'cotangent/1', blocks: [{ id: 'k', kind: 'column' }], view: { positions: { k: [0, 0] } } };
  editing.insert(fragment, [10, 10]);
  expect(studio.selection).toEqual(['k2']);
  const [x = NaN, y = NaN] = places()['k2'] ?? [];
  expect(x >= 100 || y >= 40).toBe(true);
  expect(Math.hypot(x, y)).toBeLessThan(400);
  expect(studio.undoText).not.toMatch(/Paste/);
});

it('puts what comes without a place behind what it reads, one behind the other', () => {
  const { studio, canvas, places } = editingOf();
  const fresh = [
    { id: 'third', kind: 'map', formula: 'more / 3' },
    { id: 'ninth', kind: 'map', formula: 'third / 3' },
  ];
  studio.perform({ type: 'add', blocks: fresh, positions: [] });
  canvas.placeNew();
  const { more, third, ninth } = places();
  expect(third![0]).toBeGreaterThan(more![0] + 100);
  expect(ninth![0]).toBeGreaterThan(third![0] + 100);
});

describe('what moves', () => {
  it('goes by arrow keys, a run of which is one step back', () => {
    const { studio, editing, places } = editingOf();
    studio.select(['twice', 'more']);
    editing.nudge([4, 0]);
    editing.nudge([4, 0]);
    expect(places()).toEqual({ k: [0, 0], twice: [208, 40], more: [408, 90] });
    studio.undo();
    expect(places()).toEqual({ k: [0, 0], twice: [200, 40], more: [400, 90] });
  });

  it('is put down where it was let go, and nothing is done where it was lifted only', () => {
    const { studio, editing, places } = editingOf();
    editing.drop([['more', [400, 90]]]);
    expect(studio.undoText).toBeUndefined();
    editing.drop([
      ['k', [10, 10]],
      ['more', [410, 100]],
    ]);
    expect(places()).toEqual({ k: [10, 10], twice: [200, 40], more: [410, 100] });
  });

  it('holds the others of a model that was laid out automatically where they are', () => {
    const { studio, canvas, editing } = editingOf({ format: 'cotangent/1', blocks });
    canvas.automatic = new Map(Object.entries(positions));
    editing.drop([['twice', [200, -300]]]);
    canvas.automatic = new Map();
    // The parameter stands on the block that uses it, and comes with it.
    expect(studio.draft.blocks.map(({ id }) => canvas.positionOf(id))).toEqual([
      [209, -274],
      [200, -300],
      [400, 90],
    ]);
    expect(studio.draft['view']).toEqual({ positions: { twice: [200, -300], more: [400, 90] } });
  });

  it('is no chip, which stands where its block does', () => {
    const { studio, canvas, editing } = editingOf({ format: 'cotangent/1', blocks });
    canvas.automatic = new Map(Object.entries(positions));
    studio.select(['k']);
    editing.nudge([4, 0]);
    editing.drop([['k', [0, 0]]]);
    expect(studio.undoText).toBeUndefined();
  });

  it('is aligned as what is selected, no more', () => {
    const { studio, editing, places } = editingOf();
    studio.select(['twice', 'more']);
    editing.align('top');
    expect(places()).toEqual({ k: [0, 0], twice: [200, 40], more: [400, 40] });
  });
});

describe('a group', () => {
  it('takes the place of what it is made of, and gives it back', () => {
    const { studio, editing, places } = editingOf();
    studio.select(['twice', 'more']);
    editing.pack();
    expect(studio.draft.blocks.map(({ id }) => id)).toEqual(['k', 'group']);
    expect(studio.selection).toEqual(['group']);
    // Between 200 and 500, 40 and 130, less half of what a group takes.
    expect(places()['group']).toEqual([276, 47]);
    editing.unpack();
    expect([...studio.selection].sort()).toEqual(['more', 'twice']);
    expect(blockOf(studio.draft, 'more')).toMatchObject({ formula: 'twice + 1' });
  });

  it('covers nothing that stands among what it is made of', () => {
    const { studio, editing, places } = editingOf({
      format: 'cotangent/1',
      blocks: [...blocks, { id: 'y', kind: 'constant', value: [1, 2] }],
      view: { positions: { ...positions, y: [290, 60] } },
    });
    studio.select(['twice', 'more']);
    editing.pack();
    const [[x, y] = [NaN, NaN], [left, top] = [NaN, NaN]] = [places()['group'], places()['y']];
    expect(Math.abs(x - left) >= 148 || Math.abs(y - top) >= 64).toBe(true);
  });

  it('is not made of nothing, and says why', () => {
    const { studio, editing, sentences } = editingOf();
    studio.select([]);
    editing.pack();
    expect(studio.undoText).toBeUndefined();
    expect(sentences).toHaveLength(1);
  });
});

describe('the clipboard', () => {
  it('carries what is selected, which comes back under other names, wired among itself', async () => {
    const { studio, editing } = editingOf();
    studio.select(['twice', 'more']);
    editing.paste(editing.copied());
    await new Promise((resolve) => setImmediate(resolve));
    const [twice, more] = studio.selection.map((id) => blockOf(studio.draft, id)!);
    expect(studio.draft.blocks).toHaveLength(5);
    expect(twice).toMatchObject({ formula: '2*k' });
    expect(JSON.stringify(more)).toContain(twice!.id);
    studio.undo();
    expect(studio.draft.blocks).toHaveLength(3);
  });

  it('is empty where nothing is selected', () => {
    const { studio, editing } = editingOf();
    studio.select([]);
    expect(editing.copied()).toBe('');
  });

  it('hands tables to the import, and refuses what is neither in a sentence', () => {
    const { editing, sentences, tables, studio } = editingOf();
    editing.paste('x\ty\n1\t2\n3\t4\n');
    expect(tables).toEqual(['x\ty\n1\t2\n3\t4\n']);
    editing.paste('neither of both');
    expect(sentences).toHaveLength(1);
    expect(studio.undoText).toBeUndefined();
  });

  it('is left alone by a duplicate', () => {
    const { studio, editing } = editingOf();
    studio.select(['k']);
    editing.duplicate();
    expect(studio.draft.blocks).toHaveLength(4);
    expect(studio.selection).not.toEqual(['k']);
  });
});
