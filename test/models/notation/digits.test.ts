import { expect, it } from 'vitest';
import { digitsApart } from '../../../models/notation/digits.ts';

it.each([
  [[1234.115, 1234.143], 7],
  [[2450000, 2450010, 2450010], 7],
  [[0, 2450000, 2450010], 7],
  [[0.3, 7], 4],
  [[1, 1 + 1e-13], 4],
  [[-Infinity, 3], 4],
  [[NaN], 4],
  [[], 4],
])('%j want %i digits', (values, digits) => {
  expect(digitsApart(values, 4)).toBe(digits);
});
