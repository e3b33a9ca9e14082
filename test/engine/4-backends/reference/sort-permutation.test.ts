import { expect, test } from 'vitest';
import { runText } from '../../../support/run-text.ts';

test('the stable ascending order along the last axis', () => {
  const body = '%1: int[2, 4] = sort-permutation %0 yield order = %1';
  expect(runText('%0 k: int[2, 4]', body, { k: [3, 1, 3, -2, 0, 0, -2147483648, 2147483647] })).toEqual({
    order: [
      [3, 1, 0, 2],
      [2, 0, 1, 3],
    ],
  });
});

test('keys below a bound, and no keys', () => {
  const body = '%1: int[n] = sort-permutation %0 bound [3] yield order = %1';
  expect(runText('%0 k: int[n]', body, { k: [2, 0, 2, 1] }, { n: 4 })).toEqual({ order: [1, 3, 0, 2] });
  expect(runText('%0 k: int[n]', body, { k: [] }, { n: 0 })).toEqual({ order: [] });
});
