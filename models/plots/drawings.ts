/** Each comparison as it is drawn: against what, in which groups, and on which finer table its curve is computed. */
import type { BlockBase } from '../blocks/kind.ts';
import { outputAt, type Link } from '../graph/checked.ts';
import type { Model } from '../load/model.ts';
import { abscissaOf, type Abscissa, type Groups } from './abscissa.ts';
import { binsOf } from './bins.ts';
import { excludedOf, type ExcludedPoints } from './excluded.ts';
import { comparisonsOf, type Comparison } from './comparisons.ts';
import { onOtherRows } from './finer.ts';
import { gridOver, scaleOf } from './grid.ts';

export interface Axis {
  /** The reference, as it would be written; null for the number of the row or bin. */
  readonly id: string | null;
  readonly label: string;
  readonly unit: string;
  readonly scale: 'linear' | 'log';
}

/** The model on a table that has the grid's rows in each group, one group after the other. */
export interface Curve {
  readonly model: Model;
  readonly grid: Float64Array;
}

export interface Drawing {
  readonly comparison: Comparison;
  readonly kind: 'comparison' | 'histogram';
  /** The reference to what is predicted. */
  readonly prediction: string;
  readonly x: Axis;
  readonly y: Axis;
  /** Of each row, or bin: where it stands on the abscissa. */
  readonly values: Float64Array;
  readonly groups: Groups;
  /** Of a histogram whose quantity is known. */
  readonly edges: Float64Array | undefined;
  readonly curve: Curve | undefined;
  /** Of each argument of the comparison: whether it is one number, the same for all rows. */
  readonly alone: readonly boolean[];
  readonly excluded?: ExcludedPoints;
}

export function drawingsOf(model: Model): Drawing[] {
  return comparisonsOf(model).map((comparison) => histogramOf(model, comparison) ?? drawingOf(model, comparison));
}

function drawingOf(model: Model, comparison: Comparison): Drawing {
  const abscissa = abscissaOf(model, comparison);
  const { x, values, groups, between } = abscissa;
  const scale = scaleOf(values);
  return {
    ...{ comparison, kind: 'comparison', values, groups, edges: undefined, alone: aloneOf(model, comparison) },
    excluded: excludedOf(model, comparison, abscissa),
    prediction: referenceTo(model, comparison.prediction),
    x: x === undefined ? numberAxis('row') : { ...axisOf(model, { block: x, output: 0 }), scale },
    y: axisOf(model, comparison.observed),
    curve:
      between && expectsNumbers(model, comparison) ? curveOf(model, comparison, values, between, scale) : undefined,
  };
}

const aloneOf = (model: Model, { arguments: given }: Comparison): boolean[] =>
  given.map((argument) => typeof argument === 'number' || outputAt(model, argument).sizes.length === 0);

/** Whether what is expected of an observation is made of the prediction and of numbers that are the same for all. */
function expectsNumbers(model: Model, comparison: Comparison): boolean {
  const { measure } = comparison;
  const alone = aloneOf(model, comparison);
  return (measure.beside ?? []).every((name) => alone[measure.arguments.indexOf(name)]);
}

/** Undefined where the observations are counted by nothing. */
function histogramOf(model: Model, comparison: Comparison): Drawing | undefined {
  const bins = binsOf(model, comparison);
  if (!bins) return undefined;
  const count = outputAt(model, comparison.observed).sizes[0]?.value ?? 0;
  const edges = bins === 'unknown' ? undefined : bins.edges;
  const middle = (bin: number): number => (edges ? ((edges[bin] as number) + (edges[bin + 1] as number)) / 2 : bin);
  return {
    ...{ comparison, kind: 'histogram', edges, curve: undefined, alone: aloneOf(model, comparison) },
    prediction: referenceTo(model, comparison.prediction),
    x: bins === 'unknown' ? numberAxis('bin') : axisOf(model, { block: bins.x, output: 0 }),
    y: axisOf(model, comparison.observed),
    values: Float64Array.from({ length: count }, (_, bin) => middle(bin)),
    groups: { of: new Int32Array(count), labels: [null], by: [] },
  };
}

/** More would be no smoother on a screen; of many groups each has fewer. */
const mostPoints = 200;
const fewestPoints = 24;
const pointsInAll = 4000;

function curveOf(
  model: Model,
  { prediction }: Comparison,
  x: Float64Array,
  { table, column, rows, solved }: NonNullable<Abscissa['between']>,
  scale: Axis['scale'],
): Curve | undefined {
  const count = Math.max(fewestPoints, Math.min(mostPoints, Math.floor(pointsInAll / rows.length)));
  // A solver's steps end at the data's own times, as they did there.
  const grid = gridOver(x, count, { scale, through: solved });
  if (grid.length < 2) return undefined;
  const values = Float64Array.from({ length: rows.length * grid.length }, (_, i) => grid[i % grid.length] as number);
  const held = Int32Array.from(values, (_, i) => rows[Math.floor(i / grid.length)] as number);
  const finer = onOtherRows(model, prediction, { table, column, values, rows: held });
  return finer && { model: finer, grid };
}

function referenceTo(model: Model, link: Link): string {
  const { name } = outputAt(model, link);
  return name === '' ? link.block : `${link.block}.${name}`;
}

const numberAxis = (label: string): Axis => ({ id: null, label, unit: '', scale: 'linear' });

function axisOf(model: Model, link: Link): Axis {
  const { unit } = outputAt(model, link);
  const block = model.blocks.get(link.block)?.node.block as BlockBase;
  const id = referenceTo(model, link);
  return { id, label: block.label ?? id, unit: unit ?? '', scale: 'linear' };
}
