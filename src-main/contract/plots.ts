/** The contract on plots: what is compared with data, with the values at one point of the parameters. */
import * as v from 'valibot';
import { plotLook } from '../../models/notation/plot-look.ts';
import { censoredSides } from '../../models/notation/plot-marks.ts';
import { hasPlace, scaleNames } from '../../models/notation/scales.ts';
import { unitText } from '../../models/notation/unit-text.ts';
import { count, number, numbers, text } from './fields.ts';

export const axis = v.object({
  /** The block, or output of a block; null where it is the number of the row or bin. */
  id: v.nullable(text),
  label: text,
  unit: text,
  scale: v.picklist(scaleNames),
  /** What stands there in place of label and unit, where the document says so. */
  title: v.optional(text),
});

const limits = v.object({ lower: numbers, upper: numbers });

const group = v.object({
  /** Null where there is one group only. */
  key: v.nullable(text),
  points: v.object({
    x: numbers,
    y: numbers,
    /** What the model gives at the same rows; residuals have none. */
    predicted: v.optional(numbers),
    /** One standard deviation of the noise, where the document tells it. */
    error: v.optional(numbers),
    /** The row of the plot's `table` that each point is, counted from 0 with those that are excluded. */
    rows: v.optional(numbers),
    /** Points that count for nothing. */
    excluded: v.optional(v.pipe(v.array(v.boolean()), v.readonly())),
    /** Points of which a limit alone is known, at which they stand; null of the others. */
    censored: v.optional(v.pipe(v.array(v.nullable(v.picklist(censoredSides))), v.readonly())),
  }),
  /** How many there are, those that count for nothing not among them, where the points are a choice of them. */
  whole: v.optional(v.object({ points: count, censored: count, unplaced: count })),
  /** Where replicates are drawn as their mean: one for each place, with the error that the look asks for. */
  means: v.optional(v.object({ x: numbers, y: numbers, error: numbers })),
  /** Computed by the model itself, x ascending. */
  curve: v.optional(v.object({ x: numbers, y: numbers })),
  /** The same where the group's random effects are 0: the curve is then at their modes. */
  population: v.optional(v.object({ x: numbers, y: numbers })),
  /** At the curve's x, or at the points where there is no curve. */
  band: v.optional(
    v.object({
      level: number,
      confidence: limits,
      prediction: v.optional(limits),
      /** Parameters that the fit left at a bound: the band is of the others, these held there. */
      held: v.optional(v.pipe(v.array(text), v.readonly())),
    }),
  ),
});
export type PlotGroup = v.InferOutput<typeof group>;

/** `band with K held at its bound`; empty where nothing is held. */
export function heldText(band: PlotGroup['band']): string {
  const { held = [] } = band ?? {};
  if (held.length === 0) return '';
  return `band with ${held.join(', ')} held at ${held.length === 1 ? 'its bound' : 'their bounds'}`;
}

export const plot = v.object({
  /** The block of misfit. */
  of: text,
  kind: v.picklist(['comparison', 'residuals', 'histogram']),
  /** What is predicted, as a study would be asked for it; null of what lies in a group. */
  prediction: v.nullable(text),
  /** By what its rows part into groups, in words; null where they do not. */
  by: v.nullable(text),
  x: axis,
  y: axis,
  /** The table of whose rows the points are; absent where they are of none. */
  table: v.optional(text),
  /** Of a histogram: where the bins begin and end, one more than there are. */
  edges: v.optional(numbers),
  groups: v.pipe(v.array(group), v.readonly()),
  /** How the document has it look. */
  look: v.optional(plotLook),
});
export type Plot = v.InferOutput<typeof plot>;

/** How observations lie about a fit with random effects, drawn: none of the comparisons, but as they are. */
const diagnostic = v.object({
  /** A word that tells it from the others of its block: `check`, `cwres`, `npde-prediction`. */
  name: text,
  /** What is to be seen, in a sentence. */
  note: text,
  plot,
});
export type Diagnostic = v.InferOutput<typeof diagnostic>;

/** Of a comparison, the group of rows that lies worst first: the mean square of its conditional residuals, about 1 where the model holds. */
const groupMisfit = v.object({
  of: text,
  groups: v.pipe(v.array(v.object({ key: text, rows: number, meanSquare: number })), v.readonly()),
});

export const diagnosis = v.object({
  plots: v.pipe(v.array(diagnostic), v.readonly()),
  misfits: v.pipe(v.array(groupMisfit), v.readonly()),
  /** Why there are none; null where there are, or where no random effect was integrated out. */
  why: v.nullable(text),
});
export type Diagnosis = v.InferOutput<typeof diagnosis>;

/** `time, h`, or what the document has in its place. */
export function axisTitle({ label, unit, title }: Pick<Plot['x'], 'label' | 'unit' | 'title'>): string {
  return title ?? (unit === '' ? label : `${label}, ${unitText(unit)}`);
}

/** The points as they are drawn: where there are means, these in place of the points that they are of. */
export function shownPoints({ means, points }: PlotGroup): PlotGroup['points'] {
  if (!means) return points;
  const { x, y, excluded, censored } = points;
  const beside = x.flatMap((_, i) => (excluded?.[i] || censored?.[i] ? [i] : []));
  return {
    x: [...means.x, ...beside.map((i) => x[i]!)],
    y: [...means.y, ...beside.map((i) => y[i]!)],
    error: [...means.error, ...beside.map(() => NaN)],
    excluded: [...means.x.map(() => false), ...beside.map((i) => excluded?.[i] ?? false)],
    censored: [...means.x.map(() => null), ...beside.map((i) => censored?.[i] ?? null)],
  };
}

/** Whether so many points are drawn that they have to be small, and the curve to lie over them: it would be hidden. */
export const isCrowd = ({ x }: Pick<PlotGroup['points'], 'x'>): boolean => x.length > 120;

/** How many points stand at a limit, and what the marks say that are there; empty where none does. */
export function censoredText({ groups }: Pick<Plot, 'groups'>): string {
  const all = groups.reduce(
    (sum, { points, whole }) => sum + (whole?.censored ?? (points.censored ?? []).filter(Boolean).length),
    0,
  );
  if (all === 0) return '';
  const sides = new Set(groups.flatMap(({ points }) => points.censored ?? []));
  const marks = [
    ...(sides.has('left') ? ['▽ at most that'] : []),
    ...(sides.has('right') || sides.has('interval') ? ['△ more'] : []),
  ].join(', ');
  return [`${all} censored`, marks].filter((text) => text !== '').join(': ');
}

/** Whether a point has a place on the axes as they are divided: what has none is not drawn. */
export const isPlaced = ({ x, y }: Pick<Plot, 'x' | 'y'>, atX: number, atY: number): boolean =>
  hasPlace(x.scale, atX) && hasPlace(y.scale, atY);

/**
 * What of the points is not drawn, in words: of very many only those are in which something happens, and some may have no
 * place on the axes as they are divided. Empty where all are drawn.
 */
export function undrawnText(plot: Pick<Plot, 'x' | 'y' | 'groups'>): string {
  const part = plot.groups.filter(({ whole }) => whole !== undefined);
  const drawn = part.reduce(
    (sum, { points }) => sum + points.x.length - (points.excluded ?? []).filter(Boolean).length,
    0,
  );
  const all = part.reduce((sum, { whole }) => sum + whole!.points, 0);
  const unplaced = plot.groups.reduce((sum, { points, whole }) => {
    // Those that count for nothing are all there.
    const here = points.x.filter(
      (at, i) => (!whole || points.excluded?.[i] === true) && !isPlaced(plot, at, points.y[i]!),
    );
    return sum + here.length + (whole?.unplaced ?? 0);
  }, 0);
  return [
    ...(drawn < all ? [`${grouped(drawn)} of ${grouped(all)} points drawn, peaks among them`] : []),
    ...(unplaced > 0
      ? [`${grouped(unplaced)} ${unplaced === 1 ? 'point has' : 'points have'} no place: not above 0`]
      : []),
  ].join('; ');
}

/** By thousands from five digits on. */
const grouped = (count: number): string =>
  count < 10_000 ? String(count) : String(count).replace(/\B(?=(?:\d{3})+$)/g, '\u2009');
