import { expect, it } from 'vitest';
import { openLog, perform, undo } from '../../../../../src-renderer/state/document/command-log.ts';
import { applyCommand, isCommand } from '../../../../../src-renderer/state/document/commands.ts';
import { changedBetween, sameButStart, type Draft } from '../../../../../src-renderer/state/document/draft.ts';
import { changeLook, lookOf } from '../../../../../src-renderer/state/document/fields/plot-looks.ts';

const draft: Draft = {
  format: 'cotangent/1',
  blocks: [
    { id: 'curve', kind: 'map', formula: 'a' },
    { id: 'loss', kind: 'least-squares', prediction: 'curve', observed: 'y' },
  ],
  view: { positions: { loss: [0, 0] } },
};
const logarithmic = applyCommand(draft, changeLook(draft, 'loss', ['x', 'scale'], 'log'));

it('is changed one thing at a time, undone, and leaves nothing behind', () => {
  expect(lookOf(logarithmic, 'loss')).toEqual({ x: { scale: 'log' } });
  const titled = applyCommand(logarithmic, changeLook(logarithmic, 'loss', ['title'], 'Decay'));
  expect(lookOf(titled, 'loss')).toEqual({ x: { scale: 'log' }, title: 'Decay' });
  const plain = applyCommand(logarithmic, changeLook(logarithmic, 'loss', ['x', 'scale'], undefined));
  expect(plain).toEqual(draft);
  const command = changeLook(draft, '__proto__', ['title'], 'Odd');
  expect(isCommand(command)).toBe(true);
  const log = perform(openLog(draft), command, null, 0);
  expect(lookOf(log.draft, '__proto__')).toEqual({ title: 'Odd' });
  expect(undo(log).draft).toEqual(draft);
});

it('is drawn anew, and makes no fit stale', () => {
  expect(sameButStart(draft, logarithmic)).toBe(false);
  expect(changedBetween(draft, logarithmic)).toEqual([]);
});

it('goes with its block', () => {
  const renamed = applyCommand(logarithmic, { type: 'rename', id: 'loss', to: 'misfit' });
  expect(lookOf(renamed, 'misfit')).toEqual({ x: { scale: 'log' } });
  expect(lookOf(renamed, 'loss')).toEqual({});
  const removed = applyCommand(logarithmic, { type: 'remove', ids: ['loss'] });
  expect(removed['view']).toEqual({ positions: {} });
});

it('is as plots are where it cannot be read', () => {
  expect(lookOf({ ...draft, view: { plots: { loss: { size: 'large' } } } }, 'loss')).toEqual({});
});
