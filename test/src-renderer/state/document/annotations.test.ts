import { expect, it } from 'vitest';
import {
  annotationsOf,
  blocksWithin,
  frameAround,
  withAnnotation,
} from '../../../../src-renderer/state/document/annotations.ts';
import { applyCommand } from '../../../../src-renderer/state/document/commands.ts';
import type { Draft } from '../../../../src-renderer/state/document/draft.ts';

const odd = { shape: 'round' };
const draft: Draft = {
  format: 'cotangent/1',
  blocks: [
    { id: 'k', kind: 'parameter', initial: 1 },
    { id: 'curve', kind: 'map', formula: 'k * t' },
  ],
  view: {
    positions: { k: [0, 0] },
    frames: [odd, { title: 'Rates', at: [0, 0], size: [100, 50], color: 'puce' }],
    notes: [
      { text: 'Checked.', at: [4, 5] },
      { text: 'nowhere', at: [1, 'x'] },
    ],
    probes: [{ block: 'curve', port: 'k', at: [10, 20] }, 7],
  },
};

it('reads what can be drawn, with its place in the list', () => {
  expect(annotationsOf(draft, 'frames')).toEqual([
    { index: 1, entry: { title: 'Rates', at: [0, 0], size: [100, 50], color: 'grey' } },
  ]);
  expect(annotationsOf(draft, 'notes')).toEqual([{ index: 0, entry: { text: 'Checked.', at: [4, 5] } }]);
  expect(annotationsOf(draft, 'probes')).toEqual([{ index: 0, entry: { block: 'curve', port: 'k', at: [10, 20] } }]);
  expect(annotationsOf({ ...draft, view: 3 }, 'notes')).toEqual([]);
});

it('changes one entry and leaves what it cannot read', () => {
  const frames = withAnnotation(draft, 'frames', 1, { title: 'Constants' });
  expect(frames).toEqual([odd, { title: 'Constants', at: [0, 0], size: [100, 50], color: 'puce' }]);
  expect(withAnnotation(draft, 'notes', 0, null)).toHaveLength(1);
  expect(withAnnotation(draft, 'notes', 9, { text: 'new', at: [0, 0] })).toHaveLength(3);
});

it('is one command with the blocks that it moves', () => {
  const frames = withAnnotation(draft, 'frames', 1, { at: [8, 8] });
  const moved = applyCommand(draft, {
    type: 'annotate',
    what: 'Move the frame',
    key: 'frames',
    entries: frames,
    positions: [['k', [8, 8]]],
  });
  expect(moved['view']).toMatchObject({ positions: { k: [8, 8] }, frames });
  const bare = applyCommand(moved, {
    type: 'annotate',
    what: 'Delete the frames',
    key: 'frames',
    entries: [],
    positions: [],
  });
  expect(Object.keys(bare['view'] as object)).not.toContain('frames');
});

it('keeps a probe at its wire when blocks are renamed, and drops it with its block', () => {
  const renamed = applyCommand(draft, { type: 'rename', id: 'curve', to: 'line' });
  expect(annotationsOf(renamed, 'probes')[0]?.entry.block).toBe('line');
  expect(annotationsOf(applyCommand(draft, { type: 'remove', ids: ['curve'] }), 'probes')).toEqual([]);
});

it('holds the blocks that lie wholly in a frame, and goes around those that it is made for', () => {
  const rectangles = new Map([
    ['k', { x: 10, y: 50, width: 40, height: 20 }],
    ['curve', { x: 80, y: 50, width: 60, height: 20 }],
  ]);
  const around = frameAround([rectangles.get('k')!])!;
  expect(blocksWithin({ ...around, title: '', color: 'grey' }, rectangles)).toEqual(['k']);
  expect(frameAround([])).toBeUndefined();
});
