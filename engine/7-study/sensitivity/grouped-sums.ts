/**
 * Sums over the rows of a sample from which estimates are formed, kept by group: the bootstrap draws groups again, so its
 * cost and the memory do not grow with the sample. Up to 4096 rows (fewer, where a row has more than 512 sums) each is its
 * own group; beyond, rows fall into groups at random. Who stops a study does not wait for the thousand draws: then they are
 * of at most 256 groups, and where even those are too many there are no intervals.
 */
import { isCancelled } from '../../6-fit/problem.ts';
import { randomFrom, sortedQuantile, type Random } from '../../6-fit/ensembles/random.ts';

const mostGroups = 4096;
const fewestGroups = 256;
/** Over all groups. */
const mostSums = 2 ** 21;
const replicates = 1000;
/** Additions that nobody waits for. */
const mostAtOnce = 2 ** 25;

export interface GroupedSums {
  add(row: ArrayLike<number>): void;
  total(): Float64Array;
  /** 95 % percentile intervals of what `statistics` forms of the sums; NaN where it is not defined. */
  intervals(statistics: (sums: Float64Array) => Float64Array, cancel?: Int32Array): [lower: number, upper: number][];
}

/** `width` sums of at most `rows` rows. */
export function groupedSums(width: number, rows: number, seed: number): GroupedSums {
  const most = Math.min(mostGroups, Math.max(fewestGroups, Math.floor(mostSums / width)));
  const groups = Math.min(rows, most);
  const sums = new Float64Array(groups * width);
  const random = randomFrom(seed);
  let added = 0;

  /** Of each statistic all that was drawn; undefined where it was stopped. */
  function drawn(
    statistics: (sums: Float64Array) => Float64Array,
    from: Float64Array,
    used: number,
    isStopped: () => boolean,
  ): number[][] | undefined {
    const found: number[][] = [];
    for (let b = 0; b < replicates; b++) {
      if (isStopped()) return undefined;
      statistics(resampled(from, width, used, random)).forEach((value, k) => (found[k] ??= []).push(value));
    }
    return found;
  }
  return {
    add(row) {
      const at = width * (rows <= most ? added : random.integer(groups));
      for (let k = 0; k < width; k++) sums[at + k] = sums[at + k]! + row[k]!;
      added++;
    },
    total() {
      const total = new Float64Array(width);
      for (let g = 0; g < groups; g++) addGroup(total, sums, g);
      return total;
    },
    intervals(statistics, cancel) {
      const used = rows <= most ? added : groups;
      const found =
        drawn(statistics, sums, used, () => isCancelled(cancel)) ??
        (replicates * width * Math.min(used, fewestGroups) <= mostAtOnce
          ? drawn(statistics, merged(sums, width, used), Math.min(used, fewestGroups), () => false)
          : undefined);
      return (found ?? []).map((values) => {
        const sorted = Float64Array.from(values).sort();
        return [sortedQuantile(sorted, 0.025), sortedQuantile(sorted, 0.975)];
      });
    },
  };
}

/** The groups again, as at most 256. */
function merged(sums: Float64Array, width: number, used: number): Float64Array {
  const found = new Float64Array(Math.min(used, fewestGroups) * width);
  for (let g = 0; g < used; g++) addGroup(found.subarray((g % fewestGroups) * width).subarray(0, width), sums, g);
  return found;
}

function resampled(sums: Float64Array, width: number, groups: number, random: Random): Float64Array {
  const total = new Float64Array(width);
  for (let g = 0; g < groups; g++) addGroup(total, sums, random.integer(groups));
  return total;
}

function addGroup(total: Float64Array, sums: Float64Array, group: number): void {
  const at = group * total.length;
  for (let k = 0; k < total.length; k++) total[k] = total[k]! + sums[at + k]!;
}
