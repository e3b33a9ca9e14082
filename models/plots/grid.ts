/** Where a curve is computed. */

/** A scale for an axis over these values: by powers of ten where they are spread so, as the steps of a dilution are. */
export function scaleOf(values: ArrayLike<number>): 'linear' | 'log' {
  const sorted = Array.from(values).filter(Number.isFinite);
  sorted.sort((a, b) => a - b);
  const [low, high] = [sorted[0] ?? 0, sorted.at(-1) ?? 0];
  const median = sorted[sorted.length >> 1] ?? 0;
  if (!(low > 0) || high < 100 * low) return 'linear';
  const share = Math.log(median / low) / Math.log(high / low);
  return share > 0.3 && share < 0.7 ? 'log' : 'linear';
}

/** `count` points over the finite values, evenly on the scale; with `through`, the values themselves too. Ascending. */
export function gridOver(
  values: ArrayLike<number>,
  count: number,
  { scale, through }: { readonly scale: 'linear' | 'log'; readonly through: boolean },
): Float64Array {
  const finite = Array.from(values).filter(Number.isFinite);
  const [low, high] = finite.reduce(([a, b], x) => [Math.min(a, x), Math.max(b, x)], [Infinity, -Infinity]);
  if (!(high >= low)) return new Float64Array();
  const at = (share: number): number =>
    share === 1 ? high : scale === 'log' ? low * (high / low) ** share : low + (high - low) * share;
  const even = Array.from({ length: high > low ? count : 1 }, (_, i) => at(i / Math.max(count - 1, 1)));
  const all = new Set(through ? [...even, ...finite] : even);
  return Float64Array.from(all).sort();
}
