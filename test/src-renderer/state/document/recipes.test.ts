import { describe, expect, it } from 'vitest';
import { blockKindNames } from '../../../../models/blocks/index.ts';
import { blockFrom, fitting, recipes, search } from '../../../../src-renderer/state/document/recipes.ts';

/** Made of blocks that there are, and not by the search. */
const packed = 'group';

it('offers every kind of block', () => {
  const offered = new Set(recipes.map(({ kind }) => kind));
  expect(new Set([...offered, packed])).toEqual(new Set(blockKindNames));
});

describe('the search for a block', () => {
  it('finds uses by their words, titles first', () => {
    expect(search(recipes, 'max').map(({ kind, hint }) => `${kind} ${hint}`)).toEqual([
      'scan running max',
      'histogram max by key',
      'reduce the largest',
    ]);
  });

  it('offers only what takes the wire', () => {
    const wanting = { from: 'output', reference: 'n', element: 'int', rank: 1, shape: '[9]', whole: false } as const;
    expect(fitting(wanting).some(({ port }) => port === 'keys')).toBe(true);
    const real = { ...wanting, element: 'real' } as const;
    expect(fitting(real).some(({ port }) => port === 'keys')).toBe(false);
    // A rounded formula is real until an int is wanted of it.
    expect(fitting({ ...real, whole: true }).some(({ port }) => port === 'keys')).toBe(true);
  });

  it('makes a block that is wired already', () => {
    const sum = recipes.find(({ hint }) => hint === 'the sum')!;
    const wanting = { from: 'output', reference: 'x', element: 'real', rank: 1, shape: '[9]', whole: false } as const;
    expect(blockFrom(sum, 's', wanting)).toEqual({ id: 's', kind: 'reduce', operator: 'add', values: 'x' });
  });

  it('wires kinds whose wires are more than a key', () => {
    const wanting = { from: 'output', reference: 'x', element: 'real', rank: 1, shape: '[9]', whole: false } as const;
    const made = (kind: string) =>
      blockFrom(
        recipes.find((recipe) => recipe.kind === kind)!,
        'b',
        wanting,
      );
    expect(made('map')).toMatchObject({ formula: 'x' });
    expect(made('recurrence')).toMatchObject({ inputs: { u: 'x' } });
    expect(made('filter')).toMatchObject({ values: ['x'], where: 'x > 0' });
    expect(made('ode')).toMatchObject({ times: 'x' });
    expect(made('concatenate')).toMatchObject({ values: ['x'] });
  });
});
