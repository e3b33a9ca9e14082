/** A list of objectives in the window: nothing of an imported one is lost. */
import { describe, expect, it } from 'vitest';
import { applyCommand } from '../../../../../src-renderer/state/document/commands.ts';
import type { Draft } from '../../../../../src-renderer/state/document/draft.ts';
import {
  objectiveChoices,
  objectiveShares,
  withObjective,
} from '../../../../../src-renderer/state/document/fields/objectives.ts';

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

describe('shares', () => {
  const scalar = (value: number) => ({ element: 'real' as const, shape: [], values: Float64Array.of(value) });
  const of = (values: Record<string, number>, keys: object = {}, earlier: readonly string[] = []) => {
    const changed: Draft = { ...draft, objective: ['a', 'g.out', 'penalty'], ...keys };
    const given = new Map(Object.entries(values).map(([name, value]) => [name, scalar(value)]));
    const { of, remark } = objectiveShares(changed, objectiveChoices(changed, ['penalty']), given, new Set(earlier));
    return { shares: Object.fromEntries([...of].map(([name, { share }]) => [name, share])), of, remark };
  };

  it('are of the sum of what is ticked, a group with one output under its own name', () => {
    const { shares, of: parts } = of({ a: 6, b: 100, g: 3, penalty: 1 });
    expect(shares).toEqual({ a: 0.6, b: undefined, 'g.out': 0.3, penalty: 0.1 });
    expect(parts.get('b')?.value).toBe(100);
    expect(of({ a: -6, 'g.out': -3, penalty: -1 }).shares['a']).toBe(0.6);
  });

  it('are none where they are no parts of a whole, or not known', () => {
    expect(of({ a: 6, g: -3, penalty: 1 })).toMatchObject({
      shares: { a: undefined },
      remark: expect.stringContaining('below'),
    });
    expect(of({ a: 6, g: 3 }).shares['a']).toBeUndefined();
    expect(of({ a: 6, g: 3, penalty: NaN }).shares['a']).toBeUndefined();
    expect(of({ a: 6, g: 3, penalty: 1 }, {}, ['g']).shares['a']).toBeUndefined();
    expect(of({ a: 6 }, { objective: 'a' }).shares['a']).toBeUndefined();
    const effects = { blocks: [...draft.blocks, { id: 'u', kind: 'random-effect', like: 'y' }] };
    expect(of({ a: 6, g: 3, penalty: 1 }, effects)).toMatchObject({
      shares: { a: undefined },
      remark: expect.stringContaining('random effects'),
    });
    expect(of({ a: 6, g: 3, penalty: 1 }, { ...effects, fit: { marginal: false } }).shares['a']).toBe(0.6);
  });

  it('say what weighs squares, and what a fit makes of squares beside likelihoods', () => {
    const weighed = draft.blocks.map((block) => (block.id === 'a' ? { ...block, weights: 'w' } : block));
    expect(of({ a: 1 }, { blocks: weighed }).of.get('a')?.weight).toBe('weights w');
    expect(of({ a: 6, b: 4 }, { objective: ['a', 'b'] }).remark).toContain('one likelihood');
  });
});
