/** The union of all kinds of block, as documents write them. */
import type { ColumnBlock } from './column.ts';
import type { ConcatenateBlock } from './concatenate.ts';
import type { ConstantBlock } from './constant.ts';
import type { FilterBlock } from './filter.ts';
import type { GatherBlock } from './gather.ts';
import type { BlockBase } from './kind.ts';
import type { HistogramBlock } from './histogram.ts';
import type { InterpolateBlock } from './interpolate.ts';
import type { LeastSquaresBlock } from './least-squares.ts';
import type { LikelihoodBlock } from './likelihood.ts';
import type { MapBlock } from './map.ts';
import type { MatmulBlock } from './matmul.ts';
import type { OdeBlock } from './ode/schema.ts';
import type { ParameterBlock } from './parameter.ts';
import type { QuantityBlock } from './quantity.ts';
import type { RandomEffectBlock } from './random-effect.ts';
import type { RangeBlock } from './range.ts';
import type { RecurrenceBlock } from './recurrence.ts';
import type { ReduceBlock } from './reduce.ts';
import type { ReshapeBlock } from './reshape.ts';
import type { ReverseBlock } from './reverse.ts';
import type { ScanBlock } from './scan.ts';
import type { ScatterBlock } from './scatter.ts';
import type { ShiftBlock } from './shift.ts';
import type { SliceBlock } from './slice.ts';
import type { SolveBlock } from './solve.ts';
import type { TransposeBlock } from './transpose.ts';

export type Block =
  | ColumnBlock
  | ParameterBlock
  | RandomEffectBlock
  | ConstantBlock
  | RangeBlock
  | MapBlock
  | ReduceBlock
  | ScanBlock
  | HistogramBlock
  | RecurrenceBlock
  | OdeBlock
  | SolveBlock
  | FilterBlock
  | InterpolateBlock
  | GatherBlock
  | ScatterBlock
  | ReverseBlock
  | SliceBlock
  | ShiftBlock
  | TransposeBlock
  | ReshapeBlock
  | ConcatenateBlock
  | MatmulBlock
  | LeastSquaresBlock
  | LikelihoodBlock
  | QuantityBlock
  | GroupBlock;

/** Here, and not with its kind: what it holds is any block. */
export interface GroupBlock extends BlockBase {
  readonly kind: 'group';
  readonly inputs?: Readonly<Record<string, string>>;
  readonly blocks: readonly Block[];
  readonly outputs: Readonly<Record<string, string>>;
}

export type BlockKindName = Block['kind'];
export type BlockOf<K extends BlockKindName> = Extract<Block, { kind: K }>;
