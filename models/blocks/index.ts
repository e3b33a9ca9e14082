/** What each kind of block does. What it is called, takes and looks like says models/facts/kinds.ts, whose names these are. */
import type { BlockKindName, BlockOf } from './block.ts';
import { column } from './column.ts';
import { concatenate } from './concatenate.ts';
import { constant } from './constant.ts';
import type { KindName } from '../facts/kinds.ts';
import { filter } from './filter.ts';
import { gather } from './gather.ts';
import { group } from './group.ts';
import { histogram } from './histogram.ts';
import { interpolate } from './interpolate.ts';
import type { BlockBase, BlockKind } from './kind.ts';
import { leastSquares } from './least-squares.ts';
import { likelihood } from './likelihood.ts';
import { map } from './map.ts';
import { matmul } from './matmul.ts';
import { ode } from './ode.ts';
import { parameter } from './parameter.ts';
import { quantity } from './quantity.ts';
import { randomEffect } from './random-effect.ts';
import { range } from './range.ts';
import { recurrence } from './recurrence.ts';
import { reduce } from './reduce.ts';
import { reshape } from './reshape.ts';
import { reverse } from './reverse.ts';
import { scan } from './scan.ts';
import { scatter } from './scatter.ts';
import { shift } from './shift.ts';
import { slice } from './slice.ts';
import { solve } from './solve.ts';
import { transpose } from './transpose.ts';

export const blockKinds = {
  column,
  parameter,
  'random-effect': randomEffect,
  constant,
  range,
  map,
  reduce,
  scan,
  histogram,
  recurrence,
  ode,
  solve,
  filter,
  interpolate,
  gather,
  scatter,
  reverse,
  slice,
  shift,
  transpose,
  reshape,
  concatenate,
  matmul,
  'least-squares': leastSquares,
  likelihood,
  quantity,
  group,
} satisfies { [K in KindName]: BlockKind<BlockOf<K>, never> | BlockKind<BlockOf<K>, unknown> };

export const blockKindNames = Object.keys(blockKinds) as BlockKindName[];

export function isBlockKind(name: unknown): name is BlockKindName {
  return typeof name === 'string' && Object.hasOwn(blockKinds, name);
}

/** The kind of a block. Its detail is its own: what `infer` gave is what `lower` is given. */
export function kindOf(block: BlockBase): BlockKind<BlockBase> {
  return blockKinds[block.kind as BlockKindName];
}
