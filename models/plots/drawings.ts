/** Each comparison as it is drawn: against what, in which groups, and on which finer table its curve is computed. */
import { outputAt, type Link } from '../graph/checked.ts';
import type { Model } from '../load/model.ts';
import { abscissaOf, type Between, type Groups } from './abscissa.ts';
import { axisLabel } from './axis-label.ts';
import { binsOf } from './bins.ts';
import { excludedOf } from './excluded.ts';
import { comparisonsOf, referenceTo, type Comparison } from './comparisons.ts';
import type { Axis, Curve, Drawing } from './drawing.ts';
import { onOtherRows } from './finer.ts';
import type { PlotLook } from '../notation/plot-look.ts';
import type { ScaleName } from '../notation/scales.ts';
import { gridOver, scaleOf } from './grid.ts';
import { dataAt, jumpsOf, placesOf, withBothSides } from './jumps.ts';
import { rowByRow, rowsBehind } from './rows.ts';
import { tableRowsOf } from './table-rows.ts';
import { isSample, sampleOf } from './sample.ts';
import { survivalOf } from './survival.ts';
import { solutionCurves } from './solution-curves.ts';

export function drawingsOf(model: Model): Drawing[] {
  const drawings = comparisonsOf(model).flatMap((comparison) => {
    if (isSample(model, comparison))
      return looked(model, sampleDrawing(model, comparison) ?? survivalDrawing(model, comparison)) ?? [];
    return looked(model, histogramOf(model, comparison) ?? drawingOf(model, comparison)) ?? [];
  });
  const curves = solutionCurves(model, drawings);
  return drawings.map((drawing) => ({ ...drawing, curve: drawing.curve ?? curves.get(drawing) }));
}

function lookOf({ document }: Model, of: string): PlotLook | undefined {
  const looks = document.view?.plots;
  return looks && Object.hasOwn(looks, of) ? looks[of] : undefined;
}

/** Bars stand from 0 over equal steps, whatever the document says. */
function looked(model: Model, drawing: Drawing | undefined): Drawing | undefined {
  const look = drawing && lookOf(model, drawing.comparison.of);
  if (!look) return drawing;
  const on = (axis: Axis, { scale, title }: NonNullable<PlotLook['x']> = {}): Axis => ({
    ...axis,
    ...(scale && drawing.kind === 'comparison' && { scale: inUnit(scale, axis.unit) }),
    ...(title && { title }),
  });
  return { ...drawing, look, x: on(drawing.x, look.x), y: on(drawing.y, look.y) };
}

/** What is in percent already is written as it is. */
const inUnit = (scale: ScaleName, unit: string): ScaleName => (scale === 'percent' && unit === '%' ? 'linear' : scale);

function drawingOf(model: Model, comparison: Comparison): Drawing {
  const abscissa = abscissaOf(model, comparison);
  const { x, groups, between } = abscissa;
  const table = tableRowsOf(model, comparison);
  // A row bears the number that it has in the table, whatever is left out before it.
  const values = x === undefined && table ? new Float64Array(table.rows) : abscissa.values;
  const scale = lookOf(model, comparison.of)?.x?.scale ?? scaleOf(values);
  return {
    ...{ comparison, kind: 'comparison', values, groups, edges: undefined, alone: aloneOf(model, comparison) },
    table,
    excluded: excludedOf(model, comparison, abscissa, table),
    prediction: comparison.prediction && referenceTo(model, comparison.prediction),
    x: x === undefined ? numberAxis('row') : { ...axisOf(model, x), scale },
    y: axisOf(model, comparison.observed),
    curve: between && curveOf(model, comparison, values, between, scale),
  };
}

/** Where the elements of an output stand, of which each row has one: on the abscissa, and in which group. */
export interface Course {
  readonly x: Axis;
  readonly values: Float64Array;
  readonly groups: Groups;
}

/** As a comparison of the output is drawn, or would be; undefined where that is over the numbers of its rows. */
export function courseOf(model: Model, link: Link): Course | undefined {
  const compared = comparisonsOf(model).find(
    ({ prediction }) => prediction?.block === link.block && prediction.output === link.output,
  );
  const counted = compared && histogramOf(model, compared);
  if (counted) return counted.x.id === null ? undefined : counted;
  const { x, values, groups } = abscissaOf(model, compared ?? { prediction: link, observed: undefined });
  return x && { x: { ...axisOf(model, x), scale: scaleOf(values) }, values, groups };
}

/** A number, or the list that all rows share. */
const aloneOf = (model: Model, { arguments: given, measure }: Comparison): boolean[] =>
  given.map(
    (argument, j) =>
      typeof argument === 'number' ||
      outputAt(model, argument).sizes.length === 0 ||
      (measure.shared === true && j === given.length - 1),
  );

/** The arguments that are made row by row of the curve's abscissa and of nothing that its groups do not hold. */
function alongCurve(model: Model, { arguments: given }: Comparison, between: Between): Map<number, Link> {
  const { table, columns, filters } = between;
  const known = (link: Link): boolean => {
    const rows = rowByRow(model, link);
    return (
      rows?.table === table &&
      rows.filters.join() === filters.join() &&
      rows.columns.every((column) => columns.includes(column))
    );
  };
  return new Map(
    given.flatMap((argument, j) => (typeof argument !== 'number' && known(argument) ? [[j, argument] as const] : [])),
  );
}

/** Undefined where the observations are counted by nothing. */
function histogramOf(model: Model, comparison: Comparison): Drawing | undefined {
  const bins = binsOf(model, comparison);
  if (!bins) return undefined;
  const count = outputAt(model, comparison.observed).sizes[0]?.value ?? 0;
  const edges = bins === 'unknown' ? undefined : bins.edges;
  const middle = (bin: number): number => (edges ? (edges[bin]! + edges[bin + 1]!) / 2 : bin);
  return {
    ...{ comparison, kind: 'histogram', edges, curve: undefined, alone: aloneOf(model, comparison) },
    prediction: comparison.prediction && referenceTo(model, comparison.prediction),
    x: bins === 'unknown' ? numberAxis('bin') : axisOf(model, { block: bins.x, output: 0 }),
    y: axisOf(model, comparison.observed),
    values: Float64Array.from({ length: count }, (_, bin) => middle(bin)),
    groups: { of: new Int32Array(count), labels: [null], by: [] },
  };
}

/** Undefined where the density is not one of the values alone. */
function sampleDrawing(model: Model, comparison: Comparison): Drawing | undefined {
  const found = sampleOf(model, comparison);
  if (!found || !comparison.prediction) return undefined;
  const { edges, width, counts, x, abscissa, ...along } = found;
  const at = comparison.measure.arguments.indexOf(comparison.measure.prediction);
  return {
    ...{ comparison, kind: 'histogram', edges, groups: abscissa.groups, alone: aloneOf(model, comparison) },
    prediction: referenceTo(model, comparison.prediction),
    x: axisOf(model, x),
    y: numberAxis('count'),
    values: abscissa.values,
    curve: { ...along, arguments: new Map([[at, comparison.prediction]]) },
    sample: { edges, width, counts },
  };
}

/** Undefined where the density is not one of times and of whether they have ended. */
function survivalDrawing(model: Model, comparison: Comparison): Drawing | undefined {
  const scale = lookOf(model, comparison.of)?.x?.scale ?? 'linear';
  const found = survivalOf(model, comparison, scale);
  if (!found || !comparison.prediction) return undefined;
  const { x, abscissa, model: finer, ...survival } = found;
  const at = comparison.measure.arguments.indexOf(comparison.measure.prediction);
  const elements = Int32Array.from(survival.courses.flatMap((course) => course.elements.flatMap((each) => [...each])));
  const grid = Float64Array.from(survival.courses.flatMap(({ times }) => [...times, ...times]));
  return {
    ...{ comparison, kind: 'comparison', edges: undefined, groups: abscissa.groups, alone: aloneOf(model, comparison) },
    prediction: referenceTo(model, comparison.prediction),
    x: { ...axisOf(model, x), scale },
    y: numberAxis('survival'),
    values: abscissa.values,
    curve: { model: finer, grid, elements, arguments: new Map([[at, comparison.prediction]]) },
    survival,
  };
}

/** More would be no smoother on a screen; of many groups each has fewer. */
const mostPoints = 200;
const fewestPoints = 24;
const pointsInAll = 4000;

function curveOf(
  model: Model,
  comparison: Comparison,
  x: Float64Array,
  between: Between,
  scale: Axis['scale'],
): Curve | undefined {
  const { table, column, rows, solved } = between;
  const { measure } = comparison;
  const along = alongCurve(model, comparison, between);
  const alone = aloneOf(model, comparison);
  // What is expected of an observation may be made of more than the prediction.
  const told = (measure.beside ?? []).map((name) => measure.arguments.indexOf(name));
  if (!told.every((j) => alone[j] || along.has(j))) return undefined;
  const count = Math.max(fewestPoints, Math.min(mostPoints, Math.floor(pointsInAll / rows.length)));
  // A solver's steps end at the data's own times, as they did there.
  const even = gridOver(x, count, { scale, through: solved });
  if (even.length < 2) return undefined;
  const on = (grid: Float64Array): Curve | undefined => {
    const values = Float64Array.from({ length: rows.length * grid.length }, (_, i) => grid[i % grid.length]!);
    const held = Int32Array.from(values, (_, i) => rows[Math.floor(i / grid.length)]!);
    const links = [...along.values()];
    const finer = onOtherRows(model, links, [{ table, moved: new Map([[column, values]]), rows: held }]);
    if (!finer) return undefined;
    const elements = new Int32Array(values.length).fill(-1);
    rowsBehind(finer, between).forEach((row, element) => (elements[row] = element));
    return { model: finer, grid, elements, arguments: along };
  };
  const curve = on(even);
  return curve && solved ? acrossJumps(curve, on, rows.length) : curve;
}

/** With both sides of the jumps that are known beforehand; where there are others, ready to be looked at more closely. */
function acrossJumps(curve: Curve, on: (grid: Float64Array) => Curve | undefined, groups: number): Curve {
  const { model, grid } = curve;
  const { doses, foretold, clocks } = jumpsOf(model, [...curve.arguments.values()]);
  if (clocks.length === 0) return curve;
  const places = clocks.map((link) => {
    const clock = dataAt(model, link);
    // A filter leaves rows out: which of them are whose is not told by their number.
    return clock && clock.length === groups * grid.length ? placesOf(doses, grid, clock) : undefined;
  });
  const known = withBothSides(
    grid,
    places.flatMap((each) => each ?? []),
    groups,
  );
  const across = known === grid ? curve : (on(known) ?? curve);
  return foretold && places.every((each) => each !== undefined) ? across : { ...across, on };
}

const numberAxis = (label: string): Axis => ({ id: null, label, unit: '', scale: 'linear' });

function axisOf(model: Model, link: Link): Axis {
  const { unit } = outputAt(model, link);
  const id = referenceTo(model, link);
  const label = axisLabel(model.blocks.get(link.block)?.node.block, id, unit ?? '');
  return { id, label, unit: unit ?? '', scale: 'linear' };
}
