/** The search on the canvas: what is typed may be a use, a name that is there, or a formula. */
import { describe, expect, it } from 'vitest';
import { searchOffers } from '../../../../src-renderer/state/canvas/search-offers.ts';
import type { Draft } from '../../../../src-renderer/state/document/draft.ts';

const draft: Draft = {
  format: 'cotangent/1',
  tables: { data: { columns: { t: [1, 2], Signal: [3, 4], 'dose (mg)': [5, 6] } } },
  blocks: [
    { id: 'Signal', kind: 'column', table: 'data', column: 'Signal' },
    { id: 't', kind: 'column', table: 'data', column: 't' },
    { id: 'h', kind: 'parameter', initial: 1 },
    { id: 'decay_rate', kind: 'parameter', initial: 1 },
    { id: 'sum', kind: 'map', formula: 'h * t' },
  ],
};
const output = { from: 'output', reference: 'h', element: 'real', rank: 0, shape: '', whole: false } as const;

const found = (query: string, wanting: Parameters<typeof searchOffers>[1] = undefined) =>
  searchOffers(draft, wanting, query).offers.map((offer) =>
    offer.type === 'go' ? `go ${offer.block.id}` : `${offer.recipe.kind} ${offer.recipe.hint}`,
  );

describe('the search on the canvas', () => {
  it('finds columns and parameters by their names, to go to or to use', () => {
    expect(found('Signal')).toEqual(['go Signal', 'map with the formula Signal', 'quantity with the formula Signal']);
    expect(found('h').slice(0, 2)).toEqual(['go h', 'map with the formula h']);
    expect(found('decay')).toEqual(['go decay_rate']);
    expect(found('rate')).toContain('go decay_rate');
  });

  it('finds columns that no block shows yet', () => {
    expect(found('dose')).toEqual(['column dose (mg) of data']);
  });

  it.each(['2*h', 'log(h)', 'h + 1', '-t/h'])('takes a formula: %s', (formula) => {
    expect(found(formula)).toEqual([`map with the formula ${formula}`, `quantity with the formula ${formula}`]);
    expect(searchOffers(draft, undefined, formula).offers[0]).toMatchObject({ id: 'f', recipe: { make: { formula } } });
  });

  it('finds what is said in two words, however they are joined', () => {
    expect(found('half-life')[0]).toBe('quantity a number with an interval');
    expect(found('half life')).toEqual(['quantity a number with an interval']);
    expect(found('running-sum')[0]).toBe('scan running sum');
  });

  it('offers uses before other names, and what is called just so first of all', () => {
    expect(found('sum').slice(0, 2)).toEqual(['go sum', 'map with the formula sum']);
    expect(found('su')[0]).toBe('reduce the sum');
    expect(found('su')).toContain('go sum');
  });

  it('offers no names of blocks before anything is typed', () => {
    expect(found('').some((offer) => offer.startsWith('go'))).toBe(false);
  });

  it('takes a formula from an output that reads it', () => {
    expect(found('2*h', output)).toEqual(['map with the formula 2*h', 'quantity with the formula 2*h']);
    expect(found('2*h', { ...output, rank: 1, shape: '[9]' })).toEqual(['map with the formula 2*h']);
    expect(found('2*t', output)).toEqual([]);
  });
});
