/** Where a curve is computed. */

/** A scale for an axis over these values: by powers of ten where they are spread so, as the steps of a dilution are. */
export function scaleOf(values: ArrayLike<number>): 'linear' | 'log' {
  const [low, high] = rangeOf(values);
  if (!(low > 0) || high < 100 * low) return 'linear';
  const sorted = Float64Array.from(values).filter(Number.isFinite).sort();
  const median = sorted[sorted.length >> 1] as number;
  const share = Math.log(median / low) / Math.log(high / low);
  return share > 0.3 && share < 0.7 ? 'log' : 'linear';
}

/** `count` points over the finite values, evenly on the scale; with `through`, the values themselves too. Ascending. */
export function gridOver(
  values: ArrayLike<number>,
  count: number,
  { scale, through }: { readonly scale: 'linear' | 'log'; readonly through: boolean },
): Float64Array {
  const [low, high] = rangeOf(values);
  if (!(high >= low)) return new Float64Array();
  const at = (share: number): number =>
    share === 1 ? high : scale === 'log' ? low * (high / low) ** share : low + (high - low) * share;
  const even = Array.from({ length: high > low ? count : 1 }, (_, i) => at(i / Math.max(count - 1, 1)));
  const all = new Set(through ? [...even, ...Array.from(values).filter(Number.isFinite)] : even);
  return Float64Array.from(all).sort();
}

/** The least and the largest finite value; ∞ and −∞ of none. */
function rangeOf(values: ArrayLike<number>): readonly [low: number, high: number] {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (!Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}
