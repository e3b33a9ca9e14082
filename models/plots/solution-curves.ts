/**
 * Curves of what rows look up in a solution, as those of an imported problem do: the solution at more times, and further rows
 * that look these up. All comparisons of a solution share one model, which is solved once for all of their curves.
 */
import { numbers } from '../../engine/index.ts';
import type { Block } from '../blocks/block.ts';
import { outputAt, type Link } from '../graph/checked.ts';
import type { Model } from '../load/model.ts';
import { fromNumber } from '../notation/numbers.ts';
import { upstreamOf } from './comparisons.ts';
import type { Curve, Drawing } from './drawing.ts';
import { onOtherRows, type OtherRows } from './finer.ts';
import { gridOver } from './grid.ts';
import { rowByRow } from './rows.ts';
import { columnOf, dataOf, solutionAt, solutionBehind, type LookedUpSolution } from './solution.ts';

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
  const { times, data, slots, lanes } = shared[0]!.solution;
  const all = shared.flatMap(({ drawing }) => Array.from(drawing.values));
  const count = Math.max(fewestPoints, Math.min(mostPoints, Math.floor(pointsInAll / lanes)));
  // A solver's steps end at the data's own times, as they did there.
  const scales = new Set(shared.map(({ drawing }) => drawing.x.scale));
  const grid = Float64Array.from(
    new Set([...scales].flatMap((scale) => [...gridOver(all, count, { scale, through: true })])),
  ).sort();
  if (grid.length < 2) return [];
  const seen = Array.from({ length: lanes }, (_, lane) => rangeIn(shared, lane));
  const slotsOf = seen.map(([low, high]) => Array.from(grid.filter((time) => time >= low && time <= high)));
  // A lane in which nothing is compared keeps its times.
  slotsOf.forEach((own, lane) => {
    if (own.length === 0) own.push(...numbers(slots, (slot) => data[slot * lanes + lane]!).filter((t) => !isNaN(t)));
  });
  const most = Math.max(...slotsOf.map(({ length }) => length));
  const timesAt = (slot: number) => slotsOf.map((own) => fromNumber(own[slot] ?? NaN));
  const rank = outputAt(model, { block: times, output: 0 }).sizes.length;
  const value = Array.from({ length: most }, (_, slot) => (rank === 1 ? timesAt(slot)[0]! : timesAt(slot)));
  const placed = shared.map((of) => rowsAlong(model, of, grid, slotsOf));
  const links = shared.flatMap((of) => [...of.arguments.values()]);
  const block = { ...model.blocks.get(times)!.node.block, value } as Block;
  const finer = onOtherRows(
    model,
    links,
    placed.map(({ rows }) => rows),
    new Map([[times, block]]),
  );
  if (!finer) return [];
  return shared.map(({ drawing, arguments: along }, i): [Drawing, Curve] => [
    drawing,
    { model: finer, grid, elements: placed[i]!.elements, arguments: along },
  ]);
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

/** The rows of a table that look up every time of the grid that its groups' lanes have, and which of them is where. */
function rowsAlong(
  model: Model,
  { solution: { table, places, x }, groups }: LookedUp,
  grid: Float64Array,
  slotsOf: readonly (readonly number[])[],
): { readonly rows: OtherRows; readonly elements: Int32Array } {
  const lanes = slotsOf.length;
  const elements = new Int32Array(groups.length * grid.length).fill(-1);
  const [at, times, held]: [number[], number[], number[]] = [[], [], []];
  groups.forEach(({ lane, row }, group) => {
    const slots = new Map(slotsOf[lane]!.map((time, slot) => [time, slot]));
    grid.forEach((time, i) => {
      const slot = slots.get(time);
      if (slot === undefined) return;
      elements[group * grid.length + i] = at.length;
      at.push(slot * lanes + lane);
      times.push(time);
      held.push(row);
    });
  });
  const moved = new Map<string, Float64Array | Int32Array>([
    [columnOf(model, places), Int32Array.from(at)],
    [columnOf(model, x), Float64Array.from(times)],
  ]);
  return { rows: { table, moved, rows: Int32Array.from(held) }, elements };
}
