/** Curves that jump where nobody could tell beforehand, asked more closely until what jumps is steeper than can be drawn. */
import type { Model } from '../../../models/load/model.ts';
import { suspectedIn, within, worstOf, type Interval } from '../../../models/notation/jumps.ts';
import { hasPlace, placesOn } from '../../../models/notation/scales.ts';
import type { Drawing } from '../../../models/plots/drawing.ts';
import type { Plot } from '../../contract/plots.ts';

/** From an interval of 24 to less than a line is wide. */
export const mostRounds = 3;
/** That are asked for in a round, of all groups together. */
const pointsInAll = 20_000;
/** Of one curve: more jumps are not told apart. */
const mostIntervals = 200;

export interface Closer {
  readonly drawings: readonly Drawing[];
  /** By the model of a curve: of its grid what was there from the start, and what has a jump beside it. */
  readonly kept: ReadonlyMap<Model, readonly number[]>;
}

/** With more places where something may jump, as `plots` of the drawings tell; undefined where nothing is left to be asked. */
export function closerThan({ drawings, kept }: Closer, plots: readonly (readonly Plot[])[]): Closer | undefined {
  const next = new Map<Model, { readonly grid: Float64Array; readonly kept: readonly number[] }>();
  for (const model of new Set(drawings.flatMap(({ curve }) => (curve?.on ? [curve.model] : [])))) {
    const own = [...drawings.keys()].filter((i) => drawings[i]!.curve?.model === model);
    const { grid, elements } = drawings[own[0]!]!.curve!;
    const groups = Math.max(1, elements.length / grid.length);
    const most = Math.max(4, Math.min(mostIntervals, Math.floor(pointsInAll / (16 * groups))));
    const intervals = worstOf(
      own.flatMap((i) => suspectedOn(drawings[i]!, plots[i]!)),
      most,
    );
    if (intervals.length === 0) continue;
    const stays = [...(kept.get(model) ?? grid), ...intervals.flatMap(({ from, to }) => [from, to])];
    const closer = [...stays, ...intervals.flatMap(within)];
    next.set(model, { grid: Float64Array.from(new Set(closer)).sort(), kept: stays });
  }
  if (next.size === 0) return undefined;
  const keptNow = new Map(kept);
  const closer = drawings.map((drawing): Drawing => {
    const { curve } = drawing;
    const wanted = curve && next.get(curve.model);
    const finer = wanted && curve.on!(wanted.grid);
    if (!finer) return drawing;
    keptNow.set(finer.model, wanted.kept);
    return { ...drawing, curve: { ...finer, on: curve.on! } };
  });
  return { drawings: closer, kept: keptNow };
}

/** Where the curves of a plot may jump, as it is seen: by the scales of its axes. */
function suspectedOn({ x: { scale: along }, y: { scale: up } }: Drawing, plots: readonly Plot[]): Interval[] {
  const lines = plots.flatMap(({ groups }) => groups.flatMap(({ curve, population }) => [curve, population]));
  return lines.flatMap((line) => {
    if (!line) return [];
    const [across, upward] = [placesOn(along, line.x), placesOn(up, line.y)];
    const seen = line.x.flatMap((x, i) => (hasPlace(along, x) ? [{ x, y: line.y[i]! }] : []));
    const at = new Map(seen.map(({ x }) => [across.to(x), x]));
    const heights = seen.map(({ y }) => (hasPlace(up, y) ? upward.to(y) : NaN));
    const places = seen.map(({ x }) => across.to(x));
    return suspectedIn(places, heights).map(({ from, to, change }) => ({
      from: at.get(from)!,
      to: at.get(to)!,
      change,
    }));
  });
}
