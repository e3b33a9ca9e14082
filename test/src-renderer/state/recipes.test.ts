import { describe, expect, it } from 'vitest';
import { blockFrom, fitting, recipes, search } from '../../../src-renderer/state/recipes.ts';

describe('the search for a block', () => {
  it('finds uses by their words, titles first', () => {
    expect(search(recipes, 'max').map(({ kind, hint }) => `${kind} ${hint}`)).toEqual([
      'scan running max',
      'histogram max by key',
      'reduce the largest',
    ]);
  });

  it('offers only what takes the wire', () => {
    const wanting = { from: 'output', reference: 'n', element: 'int', rank: 1, shape: '[9]' } as const;
    expect(fitting(wanting).some(({ port }) => port === 'keys')).toBe(true);
    expect(fitting({ ...wanting, element: 'real' }).some(({ port }) => port === 'keys')).toBe(false);
  });

  it('makes a block that is wired already', () => {
    const sum = recipes.find(({ hint }) => hint === 'the sum')!;
    const wanting = { from: 'output', reference: 'x', element: 'real', rank: 1, shape: '[9]' } as const;
    expect(blockFrom(sum, 's', wanting)).toEqual({ id: 's', kind: 'reduce', operator: 'add', values: 'x' });
  });
});
