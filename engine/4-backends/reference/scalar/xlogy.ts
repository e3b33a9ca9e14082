/** x·log(y), and 0 where x = 0 and y is not NaN. */
export function xlogy(x: number, y: number): number {
  return x === 0 && !Number.isNaN(y) ? 0 : x * Math.log(y);
}
