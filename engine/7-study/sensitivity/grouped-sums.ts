/**
 * Sums over the rows of a sample from which estimates are formed, kept by group: the bootstrap draws groups again, so its
 * cost and the memory do not grow with the sample. Up to 4096 rows (fewer, where a row has more than 512 sums) each is its
 * own group; beyond, rows fall into groups at random.
 */
import { randomFrom, sortedQuantile, type Random } from '../../6-fit/ensembles/random.ts';

const mostGroups = 4096;
const fewestGroups = 256;
/** Over all groups. */
const mostSums = 2 ** 21;
const replicates = 1000;

export interface GroupedSums {
  add(row: ArrayLike<number>): void;
  total(): Float64Array;
  /** Percentile intervals of what `statistics` forms of the sums; NaN where it is not defined. */
  intervals(statistics: (sums: Float64Array) => Float64Array, level?: number): [lower: number, upper: number][];
}

/** `width` sums of at most `rows` rows. */
export function groupedSums(width: number, rows: number, seed: number): GroupedSums {
  const most = Math.min(mostGroups, Math.max(fewestGroups, Math.floor(mostSums / width)));
  const groups = Math.min(rows, most);
  const sums = new Float64Array(groups * width);
  const random = randomFrom(seed);
  let added = 0;
  return {
    add(row) {
      const at = width * (rows <= most ? added : random.integer(groups));
      for (let k = 0; k < width; k++) sums[at + k] = (sums[at + k] as number) + (row[k] as number);
      added++;
    },
    total() {
      const total = new Float64Array(width);
      for (let g = 0; g < groups; g++) addGroup(total, sums, g);
      return total;
    },
    intervals(statistics, level = 0.95) {
      const used = Math.min(added, groups);
      const found: number[][] = [];
      for (let b = 0; b < replicates; b++)
        statistics(resampled(sums, width, used, random)).forEach((value, k) => (found[k] ??= []).push(value));
      return found.map((values) => {
        const sorted = Float64Array.from(values).sort();
        return [sortedQuantile(sorted, (1 - level) / 2), sortedQuantile(sorted, (1 + level) / 2)];
      });
    },
  };
}

function resampled(sums: Float64Array, width: number, groups: number, random: Random): Float64Array {
  const total = new Float64Array(width);
  for (let g = 0; g < groups; g++) addGroup(total, sums, random.integer(groups));
  return total;
}

function addGroup(total: Float64Array, sums: Float64Array, group: number): void {
  const at = group * total.length;
  for (let k = 0; k < total.length; k++) total[k] = (total[k] as number) + (sums[at + k] as number);
}
