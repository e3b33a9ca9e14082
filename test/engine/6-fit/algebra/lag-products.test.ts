import { expect, it } from 'vitest';
import { lagProduct, lagProducts } from '../../../../engine/6-fit/algebra/lag-products.ts';
import { randomFrom } from '../../../../engine/6-fit/ensembles/random.ts';

const random = randomFrom(5);
const normals = (n: number): Float64Array => Float64Array.from({ length: n }, () => 3 + random.normal());

it.each([
  [1, 1],
  [1, 2],
  [3, 2],
  [8, 4],
  [125, 8],
  [1000, 3],
])('of %d numbers in each of %d series are their sums', (n, count) => {
  const series = Array.from({ length: count }, () => normals(n));
  const sums = Array.from({ length: n }, (_, lag) =>
    series.reduce((sum, x) => sum + x.reduce((own, value, t) => own + value * (x[t + lag] ?? 0), 0), 0),
  );
  const found = lagProducts(series);
  expect(found.length).toBe(n);
  sums.forEach((sum, lag) => {
    expect(Math.abs(found[lag]! - sum)).toBeLessThan(1e-13 * sums[0]!);
    expect(Math.abs(lagProduct(series, lag) - sum)).toBeLessThan(1e-13 * sums[0]!);
  });
});

it('of nothing are nothing', () => expect(lagProducts([])).toEqual(new Float64Array(0)));
