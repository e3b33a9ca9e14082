/** What a list of numbers is like: for a probe, which has room for one line and two small plots. */
export interface Statistics {
  readonly count: number;
  /** Over what is finite; NaN where nothing is. */
  readonly least: number;
  readonly mean: number;
  readonly greatest: number;
  readonly missing: number;
  readonly infinite: number;
}

export function statisticsOf(values: ArrayLike<number>): Statistics {
  let [least, greatest, sum, missing, infinite] = [Infinity, -Infinity, 0, 0, 0];
  for (let i = 0; i < values.length; i++) {
    const x = values[i]!;
    if (Number.isNaN(x)) missing++;
    else if (!Number.isFinite(x)) infinite++;
    else {
      least = Math.min(least, x);
      greatest = Math.max(greatest, x);
      sum += x;
    }
  }
  const finite = values.length - missing - infinite;
  return {
    count: values.length,
    least: finite > 0 ? least : NaN,
    mean: finite > 0 ? sum / finite : NaN,
    greatest: finite > 0 ? greatest : NaN,
    missing,
    infinite,
  };
}

/** How many of the finite values fall into each of `bins` equal parts of their range; all into one where they agree. */
export function binsOf(values: ArrayLike<number>, bins: number): readonly number[] {
  const { least, greatest } = statisticsOf(values);
  if (!(greatest > least)) return Number.isNaN(least) ? [] : [values.length];
  const counts = Array.from({ length: bins }, () => 0);
  for (let i = 0; i < values.length; i++) {
    const x = values[i]!;
    if (!Number.isFinite(x)) continue;
    // Halved, so that a range beyond the largest number does not overflow.
    const share = (x / 2 - least / 2) / (greatest / 2 - least / 2);
    counts[Math.min(bins - 1, Math.floor(share * bins))]!++;
  }
  return counts;
}

/** The row-major place `index` in an array of this shape: `[3]`, `[2, 1]`; a scalar has none. */
export function placeText(shape: readonly number[], index: number): string {
  const places: number[] = [];
  let rest = index;
  for (const size of [...shape].reverse()) {
    places.unshift(rest % size);
    rest = Math.floor(rest / size);
  }
  return shape.length === 0 ? '' : `[${places.join(', ')}]`;
}
