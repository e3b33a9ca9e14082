/**
 * A visual predictive check: along the abscissa, in bins, the quantiles of what was observed beside those of data sets drawn
 * from the model, of which the middle and an interval are told.
 *
 * Holford (2005); Bergstrand, Hooker, Wallin and Karlsson (2011).
 */
import { sortedQuantile } from '../../6-fit/ensembles/random.ts';

export interface CheckedBin {
  /** Its middle, and where it begins and ends: of the values in it. */
  readonly x: number;
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly quantiles: readonly CheckedQuantile[];
}

export interface CheckedQuantile {
  readonly share: number;
  readonly observed: number;
  /** Of the data sets that were drawn: the median, and the interval of `level`. */
  readonly median: number;
  readonly lower: number;
  readonly upper: number;
}

const SHARES = [0.1, 0.5, 0.9] as const;
const BINS = 10;

/** Rows that are not observed, or stand nowhere, are left out of the data and of what is drawn. */
export function visualCheck(
  x: ArrayLike<number>,
  observed: ArrayLike<number>,
  draws: readonly ArrayLike<number>[],
  level: number,
): CheckedBin[] {
  const seen = Array.from(x, (_, row) => row).filter(
    (row) => Number.isFinite(x[row]) && Number.isFinite(observed[row]),
  );
  return binned(x, seen).map((rows) => {
    const sorted = (of: ArrayLike<number>): Float64Array => Float64Array.from(rows, (row) => of[row]!).sort();
    const data = sorted(observed);
    const others = draws.map(sorted);
    const places = sorted(x);
    return {
      ...{ x: sortedQuantile(places, 0.5), from: places[0]!, to: places.at(-1)!, count: rows.length },
      quantiles: SHARES.map((share) => {
        const drawn = Float64Array.from(others, (other) => sortedQuantile(other, share)).sort();
        const [lower, median, upper] = [(1 - level) / 2, 0.5, (1 + level) / 2].map((p) => sortedQuantile(drawn, p));
        return {
          ...{ share, observed: sortedQuantile(data, share) },
          ...{ median: median!, lower: lower!, upper: upper! },
        };
      }),
    };
  });
}

/** Each place by itself where there are few, else as many rows in each bin as can be; rows at one place stay together. */
function binned(x: ArrayLike<number>, rows: readonly number[]): number[][] {
  const at = (row: number): number => x[row]!;
  const ordered = [...rows].sort((a, b) => at(a) - at(b));
  const places = new Set(ordered.map(at)).size;
  const bins: number[][] = [];
  for (const row of ordered) {
    const last = bins.at(-1);
    const isNew = !last || at(last.at(-1)!) !== at(row);
    const isFull = places <= BINS || (last?.length ?? 0) >= ordered.length / BINS;
    if (isNew && isFull) bins.push([row]);
    else if (last) last.push(row);
    else bins.push([row]);
  }
  // What is left over is no bin of its own: of few rows all quantiles are one.
  const rest = bins.at(-1);
  if (places > BINS && bins.length > 1 && rest && rest.length < ordered.length / BINS / 2)
    bins.splice(-2, 2, [...bins.at(-2)!, ...rest]);
  return bins;
}
