/**
 * Where trajectories diverged: each is placed at the parameter that says most about it. A parameter whose divergent
 * draws lie to one side of all its draws (the narrow end of a funnel) counts for more than one in which they are anywhere.
 */
import { ascending } from '../../6-fit/algebra/ascending.ts';
import { joined } from '../chains/diagnostics.ts';

/** How far from the middle of all draws each draw lies, by rank: from −1 to 1. */
export function ranksOf(series: readonly Float64Array[]): Float64Array {
  const all = joined(series);
  const ranks = new Float64Array(all.length);
  ascending(all).forEach((draw, rank) => (ranks[draw] = (2 * (rank + 0.5)) / all.length - 1));
  return ranks;
}

/** Mean rank of the draws that are flagged. */
export function shiftOf(ranks: Float64Array, flagged: readonly number[]): number {
  return flagged.reduce((sum, k) => sum + ranks[k]!, 0) / flagged.length;
}

/** Draws, chain after chain, whose trajectories diverged. */
export function flaggedIn(divergent: readonly (readonly boolean[])[]): number[] {
  return divergent.flat().flatMap((flag, k) => (flag ? [k] : []));
}

/** By parameter, how many; their sum is the number of divergences. */
export function divergencesBy(
  allSeries: readonly (readonly Float64Array[])[],
  divergent: readonly (readonly boolean[])[],
): number[] {
  const counts = allSeries.map(() => 0);
  const flagged = flaggedIn(divergent);
  if (flagged.length === 0) return counts;
  const ranks = allSeries.map(ranksOf);
  const shifts = ranks.map((own) => shiftOf(own, flagged));
  for (const k of flagged) {
    let [place, most] = [0, -Infinity];
    ranks.forEach((own, j) => {
      const says = own[k]! * shifts[j]!;
      if (says > most) [place, most] = [j, says];
    });
    counts[place] = counts[place]! + 1;
  }
  return counts;
}
