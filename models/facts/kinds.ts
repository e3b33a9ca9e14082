/** The one list of what is true of each kind of block. A kind is added here first: whatever is missing then is a type error. */
import { column } from './kinds/column.ts';
import { concatenate } from './kinds/concatenate.ts';
import { constant } from './kinds/constant.ts';
import { filter } from './kinds/filter.ts';
import { gather } from './kinds/gather.ts';
import { group } from './kinds/group.ts';
import { histogram } from './kinds/histogram.ts';
import { interpolate } from './kinds/interpolate.ts';
import { leastSquares } from './kinds/least-squares.ts';
import { likelihood } from './kinds/likelihood.ts';
import { map } from './kinds/map.ts';
import { matmul } from './kinds/matmul.ts';
import { ode } from './kinds/ode.ts';
import { parameter } from './kinds/parameter.ts';
import { quantity } from './kinds/quantity.ts';
import { randomEffect } from './kinds/random-effect.ts';
import { range } from './kinds/range.ts';
import { recurrence } from './kinds/recurrence.ts';
import { reduce } from './kinds/reduce.ts';
import { reshape } from './kinds/reshape.ts';
import { reverse } from './kinds/reverse.ts';
import { scan } from './kinds/scan.ts';
import { scatter } from './kinds/scatter.ts';
import { shift } from './kinds/shift.ts';
import { slice } from './kinds/slice.ts';
import { solve } from './kinds/solve.ts';
import { transpose } from './kinds/transpose.ts';
import type { KindFacts } from './kind.ts';

export const kindFacts = {
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
} satisfies Readonly<Record<string, KindFacts>>;

export type KindName = keyof typeof kindFacts;

/** Undefined of a kind that there is not: a document may say anything. */
export function factsOf(kind: string): KindFacts | undefined {
  return Object.hasOwn(kindFacts, kind) ? kindFacts[kind as KindName] : undefined;
}

/** Whose formulas take blocks by their names: a port for each name. */
export function readsNames(kind: string): boolean {
  return (
    factsOf(kind)?.fields.some(({ type }) => type === 'formula' || type === 'formulas' || type === 'state') === true
  );
}

/** Whether the block measures misfit, so that a fit can minimise it. */
export function measuresMisfit(kind: string): boolean {
  return factsOf(kind)?.objective === true;
}
