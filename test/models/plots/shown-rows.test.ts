import { expect, it } from 'vitest';
import { shownRows } from '../../../models/plots/shown-rows.ts';

it('shows every row of few', () => {
  expect([...shownRows(Float64Array.of(3, NaN, 1))]).toEqual([0, 1, 2]);
});

it('shows some of many, in their order, and every peak', () => {
  const values = Float64Array.from({ length: 1_000_000 }, (_, i) => (i % 7) + (i < 100 ? NaN : 0));
  values[123_456] = 1e6;
  values[654_321] = -1e6;
  const rows = [...shownRows(values)];
  expect(rows.length).toBeLessThanOrEqual(20_000);
  expect(rows).toEqual([...new Set(rows)].sort((a, b) => a - b));
  for (const row of [0, 123_456, 654_321, 999_999]) expect(rows).toContain(row);
});
