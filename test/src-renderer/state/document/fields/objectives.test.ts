/** A list of objectives in the window: nothing of an imported one is lost. */
import { describe, expect, it } from 'vitest';
import { applyCommand } from '../../../../../src-renderer/state/document/commands.ts';
import type { Draft } from '../../../../../src-renderer/state/document/draft.ts';
import { objectiveChoices, withObjective } from '../../../../../src-renderer/state/document/fields/objectives.ts';

const draft: Draft = {
  format: 'cotangent/1',
  blocks: [
    { id: 'k', kind: 'parameter', initial: 1 },
    { id: 'a', kind: 'least-squares', prediction: 'k', observed: 'y' },
    { id: 'b', kind: 'likelihood', family: 'normal', mean: 'k', sigma: 1, observed: 'y' },
    { id: 'half', kind: 'map', formula: 'k / 2' },
    { id: 'penalty', kind: 'map', formula: 'half^2' },
    { id: 'idle', kind: 'parameter', initial: 1 },
    { id: 'ratio', kind: 'quantity', formula: 'k / 2' },
    { id: 'g', kind: 'group', inputs: {}, blocks: [], outputs: { out: 'x' } },
  ],
  objective: ['g.out', 'a'],
};

it('offers losses, what is named, and scalars that nothing reads, but no parameter and no quantity', () => {
  expect(objectiveChoices(draft, ['half', 'penalty', 'a', 'b', 'idle', 'ratio'])).toEqual([
    { reference: 'a', counted: true },
    { reference: 'b', counted: false },
    { reference: 'g.out', counted: true },
    { reference: 'penalty', counted: false },
  ]);
});

describe('a tick', () => {
  it('adds and takes away one, and leaves the others in their order', () => {
    expect(withObjective(draft, 'b', true)).toEqual(['g.out', 'a', 'b']);
    expect(withObjective(draft, 'a', true)).toEqual(['g.out', 'a']);
    expect(withObjective(draft, 'a', false)).toBe('g.out');
    expect(withObjective({ ...draft, objective: 'a' }, 'a', false)).toBeUndefined();
    expect(withObjective({ ...draft, objective: undefined }, 'a', true)).toBe('a');
  });
});

describe('a block that is deleted', () => {
  const without = (id: string) => applyCommand(draft, { type: 'remove', ids: [id] })['objective'];
  it('takes its part of the objective along, of a group too', () => {
    expect(without('a')).toBe('g.out');
    expect(without('g')).toBe('a');
    expect(without('b')).toEqual(['g.out', 'a']);
    expect(applyCommand(draft, { type: 'remove', ids: ['a', 'g'] })).not.toHaveProperty('objective');
  });
});
