/**
 * map, reduce, scan, segmented-scan, recurrence, solve: the domain gains a leading axis, the axis they act along moves by one,
 * every input is aligned to the larger domain.
 */
import type { ProgramBuilder } from '../../0-ir/builder.ts';
import type { ConstructOf, Epilogue, Value } from '../../0-ir/program.ts';
import type { VmapRule } from '../rule.ts';
import { aligned } from './batch.ts';

/** Aligns the operands from position `start` of the flags on. */
function align(
  b: ProgramBuilder,
  values: readonly Value[],
  batched: readonly boolean[],
  start: number,
  rank: number,
): Value[] {
  return values.map((value, i) => aligned(b, value, Boolean(batched[start + i]), rank));
}

export function alignEpilogue(
  b: ProgramBuilder,
  { epilogue, shape }: ConstructOf<'scan' | 'segmented-scan' | 'keyed-scan'>,
  batched: readonly boolean[],
  start: number,
): { epilogue?: Epilogue } {
  return epilogue ? { epilogue: { ...epilogue, inputs: align(b, epilogue.inputs, batched, start, shape.length) } } : {};
}

export const map: VmapRule<'map'> = (b, c, size, batched) =>
  b.emit({ ...c, shape: [size, ...c.shape], inputs: align(b, c.inputs, batched, 0, c.shape.length) });

export const reduce: VmapRule<'reduce'> = (b, c, size, batched) =>
  b.emit({
    ...c,
    shape: [size, ...c.shape],
    axis: c.axis + 1,
    inputs: align(b, c.inputs, batched, 0, c.shape.length),
  });

export const scan: VmapRule<'scan'> = (b, c, size, batched) =>
  b.emit({
    ...c,
    shape: [size, ...c.shape],
    axis: c.axis + 1,
    inputs: align(b, c.inputs, batched, 0, c.shape.length),
    ...alignEpilogue(b, c, batched, c.inputs.length),
  });

// Operands: the flags, the inputs, then the epilogue's.
export const segmentedScan: VmapRule<'segmented-scan'> = (b, c, size, batched) =>
  b.emit({
    ...c,
    shape: [size, ...c.shape],
    axis: c.axis + 1,
    flags: aligned(b, c.flags, Boolean(batched[0]), c.shape.length),
    inputs: align(b, c.inputs, batched, 1, c.shape.length),
    ...alignEpilogue(b, c, batched, 1 + c.inputs.length),
  });

export const solve: VmapRule<'solve'> = (b, c, size, batched) =>
  b.emit({
    ...c,
    shape: [size, ...c.shape],
    initial: align(b, c.initial, batched, 0, c.shape.length),
    given: align(b, c.given, batched, c.initial.length, c.shape.length),
  });

// Operands: initial, inputs, invariants; the first and last broadcast to the domain without its axis.
export const recurrence: VmapRule<'recurrence'> = (b, c, size, batched) => {
  const rank = c.shape.length;
  const afterInputs = c.initial.length + c.inputs.length;
  return b.emit({
    ...c,
    shape: [size, ...c.shape],
    axis: c.axis + 1,
    initial: align(b, c.initial, batched, 0, rank - 1),
    inputs: align(b, c.inputs, batched, c.initial.length, rank),
    invariants: align(b, c.invariants, batched, afterInputs, rank - 1),
  });
};

// Operands: initial, inputs, places, invariants, as of a recurrence.
export const history: VmapRule<'history'> = (b, c, size, batched) => {
  const rank = c.shape.length;
  const places = c.initial.length + c.inputs.length;
  return b.emit({
    ...c,
    shape: [size, ...c.shape],
    axis: c.axis + 1,
    initial: align(b, c.initial, batched, 0, rank - 1),
    inputs: align(b, c.inputs, batched, c.initial.length, rank),
    places: align(b, c.places, batched, places, rank),
    invariants: align(b, c.invariants, batched, places + c.places.length, rank - 1),
  });
};
