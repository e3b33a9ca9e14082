/**
 * Curves of what rows look up in a solution, as those of an imported problem do: the solution at more times, and further rows
 * that look these up. All comparisons of a solution share one model, which is solved once for all of their curves.
 */
import type { Link } from '../graph/checked.ts';
import type { Model } from '../load/model.ts';
import { upstreamOf } from './comparisons.ts';
import type { Curve, Drawing } from './drawing.ts';
import { onOtherRows } from './finer.ts';
import { gridOver } from './grid.ts';
import { jumpsOf, withBothSides } from './jumps.ts';
import { rowByRow } from './rows.ts';
import {
  atTimes,
  dataOf,
  lookingUp,
  solutionAt,
  solutionBehind,
  type LookedUpSolution,
  type LookUp,
} from './solution.ts';

/** What a drawing's rows look up. */
interface LookedUp {
  readonly drawing: Drawing;
  readonly solution: LookedUpSolution;
  /** Of each group its lane, and the row in which all else is taken. */
  readonly groups: readonly { readonly lane: number; readonly row: number }[];
  readonly arguments: ReadonlyMap<number, Link>;
}

/** More would be no smoother on a screen, and every point is solved for. */
const mostPoints = 120;
const fewestPoints = 24;
const pointsInAll = 2000;

/** Of those drawings that look up a solution. */
export function solutionCurves(model: Model, drawings: readonly Drawing[]): Map<Drawing, Curve> {
  const found = drawings.flatMap((drawing) => lookedUpIn(model, drawing) ?? []);
  const curves = new Map<Drawing, Curve>();
  for (const ode of new Set(found.map(({ solution }) => solution.ode))) {
    const shared = found.filter(({ solution }) => solution.ode === ode);
    for (const [drawing, curve] of curvesAlong(model, shared)) curves.set(drawing, curve);
  }
  return curves;
}

/** Undefined where what lies between the rows of a group is not told. */
function lookedUpIn(model: Model, drawing: Drawing): LookedUp | undefined {
  const { comparison, kind, curve, groups, values } = drawing;
  const { prediction, measure } = comparison;
  const solution = kind === 'comparison' && !curve && prediction && solutionBehind(model, prediction);
  if (!solution || drawing.x.id !== solution.x) return undefined;
  const { places, x, ode, lanes, table } = solution;
  const at = dataOf(model, places);
  const first = groups.labels.map((_, group) => groups.of.indexOf(group));
  const lane = (row: number): number => at[row]! % lanes;
  const shared = (of: (row: number) => number | undefined): boolean =>
    values.every((_, row) => Object.is(of(row), of(first[groups.of[row]!]!)));
  if (!shared(lane)) return undefined;
  const known = (link: Link): boolean => {
    const made = rowByRow(model, link);
    if (made?.table !== table || made.filters.length > 0) return false;
    if (upstreamOf(model, [link]).includes(ode) && !solutionAt(model, link, places)) return false;
    return made.columns.every((id) => id === places || id === x || shared((row) => dataOf(model, id)[row]));
  };
  if (!known(prediction)) return undefined;
  const along = comparison.arguments.flatMap((argument, j) =>
    typeof argument !== 'number' && known(argument) ? [[j, argument] as const] : [],
  );
  // What is expected of an observation may be made of more than the prediction.
  const told = (measure.beside ?? []).map((name) => measure.arguments.indexOf(name));
  if (!told.every((j) => drawing.alone[j] || along.some(([known]) => known === j))) return undefined;
  return { drawing, solution, groups: first.map((row) => ({ lane: lane(row), row })), arguments: new Map(along) };
}

/** The curves of all that look up the same solution. */
function curvesAlong(model: Model, shared: readonly LookedUp[]): [Drawing, Curve][] {
  const { solution } = shared[0]!;
  const all = shared.flatMap(({ drawing }) => Array.from(drawing.values));
  const count = Math.max(fewestPoints, Math.min(mostPoints, Math.floor(pointsInAll / solution.lanes)));
  // A solver's steps end at the data's own times, as they did there.
  const scales = new Set(shared.map(({ drawing }) => drawing.x.scale));
  const even = Float64Array.from(
    new Set([...scales].flatMap((scale) => [...gridOver(all, count, { scale, through: true })])),
  ).sort();
  if (even.length < 2) return [];
  const links = shared.flatMap((of) => [...of.arguments.values()]);
  const { doses, foretold } = jumpsOf(model, links);
  const on = (grid: Float64Array): Curve[] => {
    const wanted = Array.from({ length: solution.lanes }, (_, lane) => {
      const [low, high] = rangeIn(shared, lane);
      return new Set(grid.filter((time) => time >= low && time <= high));
    });
    const times = atTimes(model, solution, wanted);
    const looked = shared.map(({ groups }) => lookUps(groups, grid, wanted));
    const finer = onOtherRows(
      model,
      links,
      shared.map((of, i) => lookingUp(model, of.solution, times, looked[i]!.values)),
      times.blocks,
    );
    if (!finer) return [];
    return shared.map(({ arguments: along }, i) => ({
      model: finer,
      grid,
      elements: looked[i]!.elements,
      arguments: along,
    }));
  };
  const curves = on(withBothSides(even, doses, solution.lanes));
  // Each of them is asked for the same grid, in its turn.
  const known = new WeakMap<Float64Array, Curve[]>();
  const again = (grid: Float64Array): Curve[] => {
    const found = known.get(grid) ?? on(grid);
    known.set(grid, found);
    return found;
  };
  return curves.map((curve, i) => [shared[i]!.drawing, foretold ? curve : { ...curve, on: (grid) => again(grid)[i] }]);
}

/** From the first to the last time at which a lane is looked up. */
function rangeIn(shared: readonly LookedUp[], lane: number): readonly [low: number, high: number] {
  let [low, high] = [Infinity, -Infinity];
  for (const { drawing, groups } of shared)
    drawing.values.forEach((time, row) => {
      if (groups[drawing.groups.of[row]!]!.lane !== lane || !Number.isFinite(time)) return;
      [low, high] = [Math.min(low, time), Math.max(high, time)];
    });
  return [low, high];
}

/** Each group at every time of the grid that its lane has, and which of these values is where. */
function lookUps(
  groups: LookedUp['groups'],
  grid: Float64Array,
  wanted: readonly ReadonlySet<number>[],
): { readonly values: readonly LookUp[]; readonly elements: Int32Array } {
  const elements = new Int32Array(groups.length * grid.length).fill(-1);
  const values: LookUp[] = [];
  groups.forEach(({ lane, row }, group) =>
    grid.forEach((time, i) => {
      if (!wanted[lane]!.has(time)) return;
      elements[group * grid.length + i] = values.length;
      values.push({ lane, time, row });
    }),
  );
  return { values, elements };
}
