/**
 * What is kept of the ends of many starts, as they come: the best whole, of the lowest where they are, of the others how
 * many they were. So neither memory nor what there is to do at the end, when somebody may wait for it, grows with them.
 */
import type { Ending, FitStatus } from './problem.ts';

/** Where one of the starts ended. */
export interface StartEnding extends Ending {
  readonly start: number;
}

export interface KeptEnd extends Pick<StartEnding, 'start' | 'point'> {
  readonly energy: number;
  readonly status: FitStatus;
}

/** A minimum, and how many of the starts converged to it. */
export interface Basin {
  readonly energy: number;
  readonly starts: number;
  /** Where the first of them ended. */
  readonly point: Float64Array;
}

/** Ends of one energy to rounding: of one minimum, or of several that are as low (basins.ts). */
export interface Level {
  readonly energy: number;
  /** Points that differ, and how many of the starts converged to each. */
  readonly ends: readonly Omit<Basin, 'energy'>[];
}

/** Levels that are kept, the lowest, and points of each. */
const MOST_LEVELS = 256;
const MOST_POINTS = 32;
/** Lowest ends that are kept: more than a plot has room for. */
export const MOST_ENDS = 4096;
/** Ends this close, relative to the lowest, are at the lowest. */
const SAME = 1e-6;
/** Of the lowest, what rounding may make of a minimum. */
const AS_LOW = 1e-9;
/** Of how many starts it is looked at where they began. */
const MOST_BEGUN = 1000;
/** Of what starts began at, a difference that is rounding: where equations are solved exactly, what is left is. */
const ROUNDING = 1e-14;
/** Points whose coordinates differ by less than this share of themselves are one. */
const SAME_POINT = 1e-5;

export interface EndedStarts {
  add(ending: StartEnding): void;
  /**
   * What the best has come to since. Where it is no minimum after all, neither are others that came there: what is said of the
   * fit and of its starts is one verdict.
   */
  lastWord(ending: StartEnding): void;
  readonly count: number;
  /** Of all that have ended. */
  readonly iterations: number;
  readonly best: StartEnding | undefined;
  /** Whether one of them was stopped by the user. */
  readonly stopped: boolean;
  /** The lowest, in their order; those without a value last. */
  lowest(): readonly KeptEnd[];
  /** How many converged to the lowest, to six digits of the energy. */
  atBest(): number;
  /** What they converged to, lowest first. */
  levels(): readonly Level[];
}

export function endedStarts(): EndedStarts {
  let converged: number[] = [];
  let kept: KeptEnd[] = [];
  let best: StartEnding | undefined;
  let first: StartEnding | undefined;
  let count = 0;
  let iterations = 0;
  let stopped = false;
  let levels: Level[] = [];
  const begun: number[] = [];

  const near = (energy: number): number => SAME * Math.abs(energy) + ROUNDING * (begun[(begun.length - 1) >> 1] ?? 0);

  /** Starts that ended within rounding of the same energy are at one level. */
  function join(energy: number, point: Float64Array): void {
    const at = levels.findIndex((level) => Math.abs(level.energy - energy) <= near(energy));
    const known = levels[at];
    if (known) levels[at] = { ...known, ends: withPoint(known.ends, point) };
    else
      levels = [...levels, { energy, ends: [{ starts: 1, point }] }]
        .sort((a, b) => a.energy - b.energy)
        .slice(0, MOST_LEVELS);
  }

  /** Which were taken apart while little was known of where starts begin. */
  function joined(lower: readonly Level[], level: Level): Level[] {
    const last = lower.at(-1);
    if (!last || !(level.energy - last.energy <= near(last.energy))) return [...lower, level];
    const ends = level.ends.reduce((all, { point, starts }) => withPoint(all, point, starts), last.ends);
    return [...lower.slice(0, -1), { ...last, ends }];
  }

  /** In order: the one in the middle is the scale, so that neither a start without a value sets it, nor one far off, nor one at the end. */
  function began({ history: [energy = NaN] }: StartEnding): void {
    const size = Math.abs(energy);
    if (!Number.isFinite(size) || begun.length === MOST_BEGUN) return;
    const at = begun.findIndex((known) => known > size);
    begun.splice(at < 0 ? begun.length : at, 0, size);
  }

  /** Every few thousand ends, so that there are never many to be put in order. */
  function order(): void {
    kept.sort((a, b) => (isLower(a, b) ? -1 : isLower(b, a) ? 1 : a.start - b.start));
    kept = kept.slice(0, MOST_ENDS);
  }

  return {
    get count() {
      return count;
    },
    get iterations() {
      return iterations;
    },
    get best() {
      // Of several that are as low the fit's own start has the word: what it was given is the nearest to what is meant.
      if (!best || first?.status !== 'converged' || best.status !== 'converged') return best;
      const [own, lowest] = [energyOf(first), energyOf(best)];
      return own - lowest <= AS_LOW * Math.abs(lowest) ? first : best;
    },
    get stopped() {
      return stopped;
    },
    add(ending) {
      const { start, point, status } = ending;
      const end = { start, point, status, energy: energyOf(ending) };
      count++;
      iterations += ending.iterations;
      began(ending);
      stopped ||= status === 'cancelled';
      if (!first || start < first.start) first = ending;
      if (status === 'converged') {
        converged.push(end.energy);
        join(end.energy, point);
      }
      const champion = best && { status: best.status, energy: energyOf(best) };
      if (!champion || isLower(end, champion) || (!isLower(champion, end) && start < (best?.start ?? 0))) best = ending;
      kept.push(end);
      if (kept.length === 2 * MOST_ENDS) order();
    },
    lastWord(ending) {
      const said = kept.find(({ start }) => start === ending.start);
      const [before, after] = [said?.energy ?? energyOf(best!), energyOf(ending)];
      const [was, is] = [best?.status === 'converged', ending.status === 'converged'];
      const isThere = (energy: number): boolean => Math.abs(energy - before) <= near(before);
      best = ending;
      if (first?.start === ending.start) first = ending;
      if (was && !is) {
        converged = converged.filter((energy) => !isThere(energy));
        levels = levels.filter(({ energy }) => !isThere(energy));
      }
      if (!was && is) {
        converged.push(after);
        join(after, ending.point);
      }
      kept = kept.map((end) => {
        if (end.start === ending.start) return { ...end, point: ending.point, status: ending.status, energy: after };
        return was && !is && end.status === 'converged' && isThere(end.energy)
          ? { ...end, status: ending.status }
          : end;
      });
    },
    lowest() {
      order();
      return kept;
    },
    levels: () => levels.reduce(joined, []),
    atBest() {
      const lowest = best ? energyOf(best) : NaN;
      return converged.reduce((found, energy) => found + Number(Math.abs(energy - lowest) <= near(lowest)), 0);
    },
  };
}

/** Counted at the point that it is, or where there are too many at the nearest. */
function withPoint(ends: Level['ends'], point: Float64Array, starts = 1): Level['ends'] {
  const gaps = ends.map((end) => Math.max(...end.point.map((u, j) => gapOf(u, point[j]!))));
  const nearest = gaps.indexOf(Math.min(...gaps));
  if (ends.length < MOST_POINTS && !(gaps[nearest]! <= SAME_POINT)) return [...ends, { starts, point }];
  return ends.map((end, i) => (i === nearest ? { ...end, starts: end.starts + starts } : end));
}

const gapOf = (a: number, b: number): number => (a === b ? 0 : Math.abs(a - b) / Math.max(Math.abs(a), Math.abs(b)));

const energyOf = ({ history }: Ending): number => history.at(-1) ?? NaN;

/** A failed start and a NaN are worse than anything. */
function isLower(a: Pick<KeptEnd, 'status' | 'energy'>, b: Pick<KeptEnd, 'status' | 'energy'>): boolean {
  if ((a.status === 'failed') !== (b.status === 'failed')) return b.status === 'failed';
  return a.energy < b.energy || (Number.isNaN(b.energy) && !Number.isNaN(a.energy));
}
