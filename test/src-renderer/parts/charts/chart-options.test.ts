import { expect, it } from 'vitest';
import { hasPlace, placesOn, scaleNames } from '../../../../models/notation/scales.ts';
import { dividedOver, saysAll } from '../../../../src-renderer/parts/charts/chart-options.ts';

it.each(scaleNames)('has an axis that is %s end beyond the values, where there are places', (scale) => {
  // Over 1/x room at the right would reach beyond ∞.
  const values = [0.02, 0.06, 0.22, 1.1];
  const { min = NaN, max = NaN } = dividedOver(values, scale);
  const { to } = placesOn(scale, values);
  expect(max).toBeGreaterThan(1.1);
  expect(min).toBeLessThan(0.02);
  expect(min === 0 || hasPlace(scale, min)).toBe(true);
  expect(to(max) - to(min)).toBeGreaterThan(0);
});

it('divides an axis evenly where nothing has a place on it', () => {
  expect(dividedOver([-1, 0], 'log')).toMatchObject({ division: 'linear' });
});

it('leaves nothing of a dataset to the next: a name at a curve’s end', () => {
  expect(saysAll({ data: [] }, { data: [], names: ['a'] })).toBe(false);
  expect(saysAll({ data: [], names: [] }, { data: [] })).toBe(true);
});
