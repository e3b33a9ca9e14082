/** Readings and fitted shapes as a small picture has them: points by group, curves on a common grid, counts in bins. */
import { scaleOfX } from './axis-scales.ts';
import { censoredName, pointsOf, type Candidate } from './candidates.ts';
import type { Values } from './first-model.ts';
import type { Readings } from './readings.ts';
import { curveOf } from '../library/start-values.ts';
import { gridOver } from '../plots/grid.ts';
import { kaplanMeier } from '../plots/kaplan-meier.ts';
import { binned, countsIn } from '../plots/sample.ts';

export interface Line {
  readonly x: number[];
  readonly y: number[];
}

export interface Axis {
  readonly label: string;
  readonly unit: string;
  readonly scale: 'linear' | 'log';
}

export interface Picture {
  readonly x: Axis;
  readonly y: Axis;
  readonly groups: string[];
  readonly points: Line[];
  readonly excluded: Line[];
  /** Of a histogram. */
  readonly binWidth: number | null;
  readonly grid: Float64Array;
}

/** More of a group than this no small picture can show. */
const mostPoints = 400;
const gridPoints = 121;

export function pictureOf(readings: Readings): Picture {
  const { x, y, group } = readings;
  const groups = [...(group?.labels ?? [''])];
  if (!x) return haveEnded(readings) ? histogramOf(readings, groups) : survivalOf(readings, groups);
  const scale = scaleOfX(readings);
  const grid = gridOver(
    x.values.filter((value) => scale === 'linear' || value > 0),
    gridPoints,
    { scale, through: false },
  );
  return {
    x: { label: x.name, unit: x.unit, scale },
    y: { label: y.name, unit: y.unit, scale: 'linear' },
    groups,
    points: pointsOf(readings).map(({ x: px, y: py }) => thinned(px, py)),
    excluded: groups.map((_, g) => leftOut(readings, g)),
    binWidth: null,
    grid,
  };
}

function thinned(x: Float64Array, y: Float64Array): Line {
  const step = Math.max(1, x.length / mostPoints);
  const rows = Array.from({ length: Math.min(x.length, mostPoints) }, (_, i) => Math.floor(i * step));
  return { x: rows.map((i) => x[i]!), y: rows.map((i) => y[i]!) };
}

function leftOut({ x, y, group, excluded }: Readings, g: number): Line {
  const rows = [...excluded.keys()].filter((i) => (group?.of[i] ?? 0) === g);
  return { x: rows.map((i) => x?.values[i] ?? NaN), y: rows.map((i) => y.values[i]!) };
}

/** Times that are all known, or of which some are known to be shorter: what lasts longer has not ended. */
const haveEnded = ({ above, below }: Readings): boolean => above === undefined || below !== undefined;

/** Of each group the share that is still there. */
function survivalOf(readings: Readings, groups: string[]): Picture {
  const { y, excluded } = readings;
  const times = y.values.filter((_, i) => !excluded.has(i));
  const begin = times.every((time) => time > 0) ? [0] : [];
  return {
    x: { label: y.name, unit: y.unit, scale: 'linear' },
    y: { label: 'survival', unit: '', scale: 'linear' },
    groups,
    points: pointsOf(readings).map(({ y: own, covariates }) => {
      const ended = Array.from(covariates.get(censoredName)!, (mark) => mark === 0);
      const steps = kaplanMeier(own, ended);
      return thinned(Float64Array.from(steps.x), Float64Array.from(steps.y));
    }),
    excluded: groups.map(() => ({ x: [], y: [] })),
    binWidth: null,
    grid: gridOver([...begin, ...times], gridPoints, { scale: 'linear', through: false }),
  };
}

/** Of all groups together. */
function histogramOf({ y, excluded }: Readings, groups: string[]): Picture {
  const values = y.values.filter((_, i) => !excluded.has(i));
  const bins = binned(values) ?? { edges: Float64Array.of(0, 1), width: 1 };
  const { edges, width } = bins;
  const counts = countsIn(values, bins);
  return {
    x: { label: y.name, unit: y.unit, scale: 'linear' },
    y: { label: 'count', unit: '', scale: 'linear' },
    groups,
    points: [{ x: counts.map((_, i) => edges[i]! + width / 2), y: counts }],
    excluded: [{ x: [], y: [] }],
    binWidth: width,
    grid: gridOver(values, gridPoints, { scale: 'linear', through: false }),
  };
}

/**
 * The shape over the picture's grid, one line for each group; of a density the counts that a bin is expected to have of all, or
 * of each group the share that is still there.
 */
export function curvesOf(
  readings: Readings,
  { shape, origin, constants }: Candidate,
  values: Values,
  { grid, groups, binWidth }: Picture,
): Line[] {
  const x = grid.map((value) => value - origin);
  const lasts = !readings.x && !haveEnded(readings);
  const counts = shape.density && !lasts ? pointsOf(readings).map(({ y }) => y.length) : [];
  const curves = groups.map((_, g) => {
    const at = new Map([...values].map(([name, each]) => [name, each.length === 1 ? each[0]! : (each[g] ?? NaN)]));
    return conditionsOf(readings, g).map((conditions) => {
      const curve = curveOf(shape, x, at, new Map([...constants, ...conditions, [censoredName, Number(lasts)]]));
      if (!shape.density) return curve;
      return curve.map((log) => Math.exp(log) * (lasts ? 1 : counts[g]! * (binWidth ?? 1)));
    });
  });
  const [[first] = []] = curves;
  const drawn =
    shape.density && !lasts && first
      ? [[first.map((_, i) => curves.reduce((sum, [y]) => sum + (y?.[i] ?? NaN), 0))]]
      : curves;
  return drawn.map((each) => apart(each.map((y) => lineOver(grid, y))));
}

/** A group that was seen under more conditions than this has the curves of so many of them. */
const mostConditions = 8;

/** Of a group's readings each dose and inhibitor that there is: there is a curve for each. */
function conditionsOf(
  { y, dose, condition, group, excluded }: Readings,
  g: number,
): readonly (readonly (readonly [name: string, value: number])[])[] {
  const rows = Array.from(y.values.keys()).filter((i) => (group?.of[i] ?? 0) === g && !excluded.has(i));
  const pairs = rows.map((i) => [dose?.values[i] ?? 1, condition?.values[i] ?? 1] as const);
  const each = [...new Map(pairs.map((pair) => [pair.join(' '), pair])).values()].sort(
    ([a, i], [b, j]) => a - b || i - j,
  );
  const step = Math.max(1, (each.length - 1) / (mostConditions - 1));
  const some = Array.from({ length: Math.min(each.length, mostConditions) }, (_, k) => each[Math.round(k * step)]!);
  return some.map(([amount, inhibitor]) => [
    ['dose', amount],
    ['I', inhibitor],
  ]);
}

function lineOver(grid: Float64Array, y: Float64Array): Line {
  const kept = Array.from(grid.keys()).filter((i) => Number.isFinite(y[i]));
  return { x: kept.map((i) => grid[i]!), y: kept.map((i) => y[i]!) };
}

/** As one line, with a gap between each and the next. */
function apart(lines: readonly Line[]): Line {
  const gap = (k: number): number[] => (k > 0 ? [NaN] : []);
  return {
    x: lines.flatMap(({ x }, k) => [...gap(k), ...x]),
    y: lines.flatMap(({ y }, k) => [...gap(k), ...y]),
  };
}
