/**
 * When a search that doubts an end may stop before its own end: where it can tell nothing that is not known. Most searches from
 * elsewhere come to where one has been already, or creep down a valley whose floor is excluded; to follow them to the last digit is
 * most of a profile's time.
 */
import { hasKinks } from '../../6-fit/kinks.ts';
import type { Ending, OptimiserOptions } from '../../6-fit/problem.ts';
import { unitsOf, type Fitted } from './fitted.ts';

/** What is read of a fit. */
type Read = Pick<Fitted, 'problem' | 'all' | 'point' | 'errors'>;

/** A point with its energy, where a search has ended. */
export interface Ended {
  readonly point: Float64Array;
  readonly energy: number;
}

/** In standard errors: so near an end that is lower a search comes there. */
const MERGED = 0.1;
/** Iterations over which the pace is taken. */
const RECENT = 10;
/** In units of τ² above what is excluded: further up a search may be on a plateau, from which it has yet to come down. */
const LOW = 1;

export const isBeside = (units: Float64Array, one: Float64Array, other: Float64Array): boolean =>
  one.every((u, i) => Math.abs(u - other[i]!) <= MERGED * units[i]!);

/** The lowest of each place. Where there may be kinks, minima lie as near each other as they like. */
export function apart(fitted: Read, ends: readonly Ended[]): Ended[] {
  const units = unitsOf(fitted);
  const kept: Ended[] = [];
  for (const end of ends.filter(({ energy }) => Number.isFinite(energy)).toSorted((a, b) => a.energy - b.energy))
    if (hasKinks(fitted) || !kept.some(({ point }) => isBeside(units, end.point, point))) kept.push(end);
  return kept;
}

export interface Doubt {
  /** An energy below this proves the end wrong. */
  readonly enough: number;
  /** Of a rise of the energy: τ². */
  readonly scale: number;
  /** Where searches have ended. */
  readonly ends: readonly Ended[];
}

class Idle extends Error {}

/** A search that ends, not converged, once it can tell nothing of the doubt in the iterations that are left. */
export async function whileOpen(
  fitted: Read,
  { enough, scale, ends }: Doubt,
  whole: (point: Float64Array) => Float64Array,
  patience: number,
  search: (onIteration: NonNullable<OptimiserOptions['onIteration']>) => Promise<Ending>,
): Promise<Ending> {
  const units = unitsOf(fitted);
  const known = hasKinks(fitted) ? [] : ends;
  const history: number[] = [];
  let last: Float64Array | undefined;
  try {
    return await search((iteration, energy, point) => {
      // Another search begins, and its pace with it.
      if (iteration === 0) history.length = 0;
      history.push(energy);
      last = point;
      if (!(energy > enough)) return;
      const here = whole(point);
      const hasMerged = known.some((end) => energy >= end.energy && isBeside(units, here, end.point));
      const before = history.at(-1 - RECENT);
      const pace = before === undefined ? Infinity : (before - energy) / RECENT;
      const isLow = (energy - enough) * scale < LOW;
      const creeps = isLow && energy - patience * pace > enough;
      if (hasMerged || creeps) throw new Idle();
    });
  } catch (error) {
    if (!(error instanceof Idle) || !last) throw error;
    const reason = 'it tells nothing that is not known';
    return { status: 'not-converged', reason, point: last, iterations: history.length - 1, history };
  }
}
