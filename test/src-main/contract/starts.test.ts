/** What is said of many starts: the count that the fit has, and how likely it is that one has been missed. */
import { expect, it } from 'vitest';
import { convergedSentence, minimaSentence, tiedSentence } from '../../../src-main/contract/starts.ts';

const told = (...basins: readonly ReturnType<typeof basin>[]): string | undefined =>
  minimaSentence({ basins: [...basins] });
const basin = (objective: number, starts: number) => ({
  ...{ objective, starts, parameters: {} },
  ...(objective === 1 && { asLow: true as const }),
});

it('counts those that converged, and no others that ended there', () => {
  const ends = [1.5, 1.5, 2].map((objective, start) => ({ start, objective, status: 'not-converged' as const }));
  expect(convergedSentence({ atBest: 0, ends }, String)).toBe('0 of 3 starts converged to the lowest, 1.5');
  expect(convergedSentence({ atBest: 2, ended: 9, ends }, String)).toBe('2 of 9 starts converged to the lowest, 1.5');
});

it('says which share of starts would find a minimum not yet seen', () => {
  // w·(w + 1)/(n·(n − 1)): 6/90, 2/56, and 2/4032.
  expect(told(basin(1, 7), basin(2, 3))).toBe('2 minima were found; about 6.7 % of further starts would find another');
  expect(told(basin(1, 8))).toBe('1 minimum was found; about 3.6 % of further starts would find another');
  expect(told(basin(1, 64))).toBe('1 minimum was found; under 0.1 % of further starts would find another');
  expect(told(basin(1, 1))).toBeUndefined();
  expect(minimaSentence({})).toBeUndefined();
});

it('says which minima are as low as each other, and which are one by a symmetry', () => {
  expect(told(basin(1, 6), basin(1, 4))).toBe(
    '2 minima were found, 2 of them as low as each other; about 6.7 % of further starts would find another',
  );
  expect(tiedSentence({ basins: [basin(1, 6), basin(1, 4), basin(2, 1)] })).toBe(
    '2 minima are as low as each other, and the data do not choose between them.',
  );
  expect(tiedSentence({ basins: [basin(1, 6), basin(2, 4)] })).toBe('');
  expect(tiedSentence({})).toBe('');
  expect(minimaSentence({ basins: [basin(1, 8)], symmetries: ['A, k ↔ B, l', '±w'] })).toBe(
    '1 minimum was found (the model is the same with A, k ↔ B, l; ±w); about 3.6 % of further starts would find another',
  );
});
