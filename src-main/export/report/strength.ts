/** One number for a figure that an array has for each of its rows: the root of the mean square of what is finite, with the sign of its mean. */
export function strength(value: number | readonly number[] | undefined): number {
  const finite = (typeof value === 'object' ? value : [value ?? NaN]).filter(Number.isFinite);
  const mean = finite.reduce((sum, x) => sum + x, 0) / finite.length;
  return Math.sign(mean) * Math.sqrt(finite.reduce((sum, x) => sum + x * x, 0) / finite.length);
}
