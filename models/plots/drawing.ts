/** What a comparison is drawn as. */
import type { Link } from '../graph/checked.ts';
import type { Model } from '../load/model.ts';
import type { PlotLook } from '../notation/plot-look.ts';
import type { ScaleName } from '../notation/scales.ts';
import type { Groups } from './abscissa.ts';
import type { Comparison } from './comparisons.ts';
import type { ExcludedPoints } from './excluded.ts';
import type { Bins } from './sample.ts';
import type { Survival } from './survival.ts';
import type { TableRows } from './table-rows.ts';

export interface Axis {
  /** The reference, as it would be written; null for the number of the row or bin. */
  readonly id: string | null;
  readonly label: string;
  readonly unit: string;
  readonly scale: ScaleName;
  readonly title?: string | undefined;
}

/** The model on a table that has the grid's rows in each group, one group after the other. */
export interface Curve {
  readonly model: Model;
  readonly grid: Float64Array;
  /** Of each of those rows the element of the prediction; -1 where a filter keeps it not. */
  readonly elements: Int32Array;
  /** By the place of an argument of the comparison: those that are known along the curve, the prediction among them. */
  readonly arguments: ReadonlyMap<number, Link>;
  /**
   * The same on another grid, ascending, that has both ends of this one: curves of one model have one model again where it is the
   * same array. Absent where nothing jumps but what is on the grid already.
   */
  readonly on?: (grid: Float64Array) => Curve | undefined;
}

export interface Drawing {
  readonly comparison: Comparison;
  readonly kind: 'comparison' | 'histogram';
  /** The reference to what is predicted, if it is a block's. */
  readonly prediction: string | undefined;
  readonly x: Axis;
  readonly y: Axis;
  /** Of each row, or bin: where it stands on the abscissa. */
  readonly values: Float64Array;
  readonly groups: Groups;
  /** Of a histogram whose quantity is known. */
  readonly edges: Float64Array | undefined;
  readonly curve: Curve | undefined;
  /** Of each argument of the comparison: whether it is the same for all rows. */
  readonly alone: readonly boolean[];
  /** Of a comparison: the rows that its observations are, where they are a table's. */
  readonly table?: TableRows | undefined;
  readonly excluded?: ExcludedPoints;
  /** As the document has it. */
  readonly look?: PlotLook;
  /** Of a sample and its density: its bins, and of each group the counts in them. */
  readonly sample?: Bins & { readonly counts: readonly (readonly number[])[] };
  /** Of times of which some have not ended. */
  readonly survival?: Survival;
}
