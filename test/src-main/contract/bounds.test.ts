/** A bound above 1 on an index that never is says nothing, and is told so. */
import { expect, it } from 'vitest';
import { saidOfBounds } from '../../../src-main/contract/bounds.ts';

const rows = (...bounds: number[]) =>
  bounds.map((bound, i) => ({ name: 'abc'[i]!, block: 'abc'[i]!, figures: { dgsm: 1, bound } }));

it.each([
  [[0.4, 1], ''],
  [[37.6, 0.2], 'Of a the bound on ST is above 1, which says nothing, since no index is: take Sobol’ indices.'],
  [[37.6, 2], 'Every bound on ST is above 1, which says nothing, since no index is: take Sobol’ indices.'],
  [[NaN], ''],
])('%j', (bounds, sentence) => {
  expect(saidOfBounds({ method: 'dgsm', indices: rows(...bounds) })).toBe(sentence);
  expect(saidOfBounds({ method: 'sobol', indices: rows(...bounds) })).toBe('');
});

it('a jump breaks them', () => {
  const jumps = ['f'];
  expect(saidOfBounds({ method: 'dgsm', indices: rows(0.1), jumps })).toMatch(/^Conditions or roundings in “f” depend/);
  expect(saidOfBounds({ method: 'dgsm', indices: rows(0.1), jumps: [] })).toBe('');
  expect(saidOfBounds({ method: 'sobol', indices: rows(0.1), jumps })).toBe('');
});

it('a jump is no part of an active subspace', () => {
  expect(saidOfBounds({ method: 'active-subspace', indices: [], jumps: ['f'] })).toBe(
    'Conditions or roundings in “f” depend on parameters: where the output jumps there no gradient sees it, and a score may be too small: take Sobol’ indices.',
  );
});
