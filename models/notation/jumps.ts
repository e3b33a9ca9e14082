/**
 * Where a solution jumps, as far as it can be seen: doses and events move states in no time, and a line from the output before
 * one to the output after it would be a slope that nothing has. Intervals in which something may jump are asked more closely
 * until they are narrower than can be drawn; what still changes there is drawn at one instant.
 */

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Between two places at which values are known. */
export interface Interval {
  readonly from: number;
  readonly to: number;
  /** As a share of the whole range: by how much it changes more than beside. */
  readonly change: number;
}

/** As a share of the whole: narrower than a line on any screen or page. */
const narrow = 2e-5;
const parts = 16;
/** Of all series together: more than can be told apart. */
const mostIntervals = 60;
/** Of the whole range of a series: a smaller change is no jump to the eye. */
const leastShare = 0.003;

function rangeOf(values: readonly number[]): number {
  const finite = values.filter(Number.isFinite);
  return (
    finite.reduce((most, y) => Math.max(most, y), -Infinity) - finite.reduce((least, y) => Math.min(least, y), Infinity)
  );
}

/** In which a series, known at `x`, may jump: those wider than can be drawn. `x` ascends. */
export function suspectedIn(x: readonly number[], y: readonly number[]): Interval[] {
  const span = (x.at(-1) ?? 0) - (x[0] ?? 0);
  const range = rangeOf(y);
  const slope = (i: number): number => (y[i + 1]! - y[i]!) / (x[i + 1]! - x[i]!);
  const suspected: Interval[] = [];
  for (let i = 0; i + 1 < x.length; i++) {
    const [from, to] = [x[i]!, x[i + 1]!];
    const width = to - from;
    const beside = [i - 1, i + 1].filter((j) => j >= 0 && j + 1 < x.length).map(slope);
    // What a smooth curve would do here it does in the intervals beside this one, too.
    const change = width * Math.min(...beside.map((other) => Math.abs(slope(i) - other)));
    const usual = width * Math.min(...beside.map(Math.abs));
    if (width > narrow * span && change > leastShare * range && change > usual)
      suspected.push({ from, to, change: change / range });
  }
  return suspected;
}

/** Each once, ascending; of more than `most` those in which most changes. */
export function worstOf(intervals: readonly Interval[], most: number): Interval[] {
  const worst = new Map<number, Interval>();
  for (const interval of intervals)
    if (interval.change > (worst.get(interval.from)?.change ?? 0)) worst.set(interval.from, interval);
  const kept = [...worst.values()].sort((a, b) => b.change - a.change).slice(0, most);
  return kept.sort((a, b) => a.from - b.from);
}

/** The places that tell more of what happens in an interval. */
export const within = ({ from, to }: Interval): number[] =>
  Array.from({ length: parts - 1 }, (_, k) => from + ((to - from) * (k + 1)) / parts);

/** The times that tell more of what may be a jump, beside those at which `series` are known; empty where nothing is left. */
export function closerTimes(x: readonly number[], series: readonly (readonly number[])[]): number[] {
  const suspected = series.flatMap((y) => suspectedIn(x, y));
  return worstOf(suspected, mostIntervals).flatMap(within);
}

/** With what changes within no width to speak of changing at one instant, the later. */
export function withJumps<P extends Place>(points: readonly P[]): P[] {
  const span = (points.at(-1)?.x ?? 0) - (points[0]?.x ?? 0);
  const range = rangeOf(points.map(({ y }) => y));
  return points.map((point, i) => {
    const next = points[i + 1];
    const jumps = next && next.x - point.x <= narrow * span && Math.abs(next.y - point.y) > leastShare * range;
    return jumps ? { ...point, x: next.x } : point;
  });
}
