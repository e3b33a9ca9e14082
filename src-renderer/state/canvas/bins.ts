/** Samples as counts in bins of one width, and as points to be drawn. */
export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

const most = 40;
const fewest = 5;

/**
 * The width is 2·IQR·n^(−1/3) (Freedman & Diaconis 1981, DOI 10.1007/BF01025868), within 5 to 40 bins; samples that are
 * not finite are left out, and equal ones are one bin.
 */
export function binned(samples: ArrayLike<number>): Bin[] {
  const sorted = Float64Array.from(samples)
    .filter((x) => Number.isFinite(x))
    .sort();
  const [low, high] = [sorted[0], sorted.at(-1)];
  if (low === undefined || high === undefined) return [];
  if (low === high) return [{ from: low, to: high, count: sorted.length }];
  const quartile = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]!;
  const width = (2 * (quartile(0.75) - quartile(0.25))) / Math.cbrt(sorted.length);
  const wanted = width > 0 ? Math.ceil((high - low) / width) : most;
  const length = Math.min(most, Math.max(fewest, wanted));
  const counts = new Array<number>(length).fill(0);
  for (const x of sorted) counts[Math.min(length - 1, Math.floor(((x - low) / (high - low)) * length))]!++;
  const end = (i: number) => low + ((high - low) * i) / length;
  return counts.map((count, i) => ({ from: end(i), to: end(i + 1), count }));
}

/** At most so many of a long series, evenly spaced. */
export function thinned<T>(series: ArrayLike<T>, count: number): { readonly at: number; readonly value: T }[] {
  const stride = Math.max(1, Math.ceil(series.length / count));
  return Array.from({ length: Math.ceil(series.length / stride) }, (_, i) => ({
    at: i * stride,
    value: series[i * stride]!,
  }));
}
