/** Where a curve is computed. */
import { hasPlace, placesOn, type ScaleName } from '../notation/scales.ts';

/** A scale for an axis over these values: by powers of ten where they are spread so, as the steps of a dilution are. */
export function scaleOf(values: ArrayLike<number>): 'linear' | 'log' {
  const [low, high] = rangeOf(values);
  if (!(low > 0) || high < 100 * low) return 'linear';
  // The median lies where as many are below it, which is counted and not sorted.
  let [count, short, within] = [0, 0, 0];
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (!Number.isFinite(value)) continue;
    const share = Math.log(value / low) / Math.log(high / low);
    count++;
    if (share <= 0.3) short++;
    if (share < 0.7) within++;
  }
  const middle = count >> 1;
  return short <= middle && within > middle ? 'log' : 'linear';
}

/** `count` points over the finite values, evenly on the scale; with `through`, the values themselves too. Ascending. */
export function gridOver(
  values: ArrayLike<number>,
  count: number,
  { scale, through }: { readonly scale: ScaleName; readonly through: boolean },
): Float64Array {
  const [low, high] = rangeOf(Float64Array.from(values).filter((value) => hasPlace(scale, value)));
  if (!(high >= low)) return new Float64Array();
  const { to, from } = placesOn(scale, Array.from(values));
  const [first, last] = [to(low), to(high)];
  const at = (share: number): number => (share === 0 ? low : share === 1 ? high : from(first + (last - first) * share));
  const even = Array.from({ length: high > low ? count : 1 }, (_, i) => at(i / Math.max(count - 1, 1)));
  const all = new Set(through ? [...even, ...Array.from(values).filter(Number.isFinite)] : even);
  return Float64Array.from(all).sort();
}

/** The least and the largest finite value; ∞ and −∞ of none. */
function rangeOf(values: ArrayLike<number>): readonly [low: number, high: number] {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (!Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}
