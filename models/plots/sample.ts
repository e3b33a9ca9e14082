/**
 * A sample and the density that a document gives it: counts in bins over the quantity itself, and along it n·width·p(x). The
 * density is evaluated in the middle of every part of a bin, so that one that is infinite at an end is still summed over it.
 */
import { outputAt, type Link } from '../graph/checked.ts';
import type { Model } from '../load/model.ts';
import { alongColumn, type Abscissa, type Between } from './abscissa.ts';
import type { Comparison } from './comparisons.ts';
import { onOtherRows } from './finer.ts';
import { rowByRow, rowsBehind } from './rows.ts';

export interface Bins {
  /** Ascending, one more than there are bins, which are of one width. */
  readonly edges: Float64Array;
  readonly width: number;
}

export interface Sample extends Bins {
  readonly x: Link;
  readonly abscissa: Abscissa;
  /** By group, how many values lie in each bin. */
  readonly counts: readonly (readonly number[])[];
  /** The model on a table that has the middles of the bins' parts in each group, one group after the other. */
  readonly model: Model;
  readonly grid: Float64Array;
  readonly elements: Int32Array;
}

const mostBins = 60;
/** Parts of a bin, over which a density is summed. */
export const parts = 8;

export const isSample = (model: Model, { of }: Comparison): boolean => {
  const block = model.blocks.get(of)?.node.block;
  return block?.kind === 'likelihood' && block.family === 'density';
};

/** Undefined where the density is made of more than the values and their groups: it is then none of these values alone. */
export function sampleOf(model: Model, { prediction, observed }: Comparison): Sample | undefined {
  const known = prediction && rowByRow(model, prediction);
  const rows = outputAt(model, observed).sizes[0]?.value ?? 0;
  const found = known && alongColumn(model, known, rows);
  if (!known || !found || found.x.block !== observed.block) return undefined;
  const isGroup = (id: string): boolean => {
    const output = outputAt(model, { block: id, output: 0 });
    return id === observed.block || output.category !== undefined;
  };
  if (!known.columns.every(isGroup)) return undefined;
  const { values, groups, between } = found;
  const bins = binned(values);
  if (!bins) return undefined;
  const counts = groups.labels.map((_, group) =>
    countsIn(
      values.filter((_value, row) => groups.of[row] === group),
      bins,
    ),
  );
  const finer = middlesOf(model, prediction, between, bins);
  return finer && { ...bins, ...finer, x: found.x, abscissa: found, counts };
}

/** Bins as wide as Freedman and Diaconis have them: twice the quartiles' distance over the cube root of how many there are. */
export function binned(values: Float64Array): Bins | undefined {
  const sorted = values.filter(Number.isFinite).sort();
  const [low, high] = [sorted[0] ?? 0, sorted.at(-1) ?? 0];
  if (!(high >= low) || sorted.length === 0) return undefined;
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  const wanted = (2 * (at(0.75) - at(0.25))) / Math.cbrt(sorted.length);
  const bins = Math.min(mostBins, Math.max(1, wanted > 0 ? Math.ceil((high - low) / wanted) : 1));
  const width = (high - low) / bins || 1;
  return { edges: Float64Array.from({ length: bins + 1 }, (_, i) => low + i * width), width };
}

export function countsIn(values: Float64Array, { edges, width }: Bins): number[] {
  const bins = edges.length - 1;
  const counts = new Array<number>(bins).fill(0);
  for (const value of values)
    if (Number.isFinite(value)) counts[Math.min(bins - 1, Math.floor((value - edges[0]!) / width))]! += 1;
  return counts;
}

function middlesOf(
  model: Model,
  prediction: Link,
  between: Between,
  { edges, width }: Bins,
): Pick<Sample, 'model' | 'grid' | 'elements'> | undefined {
  const { table, column, rows } = between;
  const grid = Float64Array.from(
    { length: parts * (edges.length - 1) },
    (_, i) => edges[0]! + ((i + 0.5) * width) / parts,
  );
  const values = Float64Array.from({ length: rows.length * grid.length }, (_, i) => grid[i % grid.length]!);
  const held = Int32Array.from(values, (_, i) => rows[Math.floor(i / grid.length)]!);
  const finer = onOtherRows(model, [prediction], [{ table, moved: new Map([[column, values]]), rows: held }]);
  if (!finer) return undefined;
  const elements = new Int32Array(values.length).fill(-1);
  rowsBehind(finer, between).forEach((row, element) => (elements[row] = element));
  return { model: finer, grid, elements };
}
