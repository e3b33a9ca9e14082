/**
 * Lines a block at a time, so short that what is kept of it in scratch stays in the nearest cache. So a function of
 * neighbours runs in vectors even where what comes before or after it must go element by element.
 */
import type { ScalarFunction } from '../../0-ir/scalar.ts';
import { sizeMultiply } from '../../0-ir/sizes.ts';
import type { ElementType } from '../../0-ir/types.ts';
import { read, writeAt, type Cursor, type Line } from './access.ts';
import { minimum } from './items.ts';
import type { Kernel } from './kernel.ts';
import { vectorLanes } from './lanes.ts';
import { vectorReaders } from './reduce-vectors.ts';
import { bytesPerElement } from './representation.ts';
import { emitFunction } from './scalar-function.ts';
import { writeVectorAt } from './vector-access.ts';
import { add, apply, get, i32, type Expression, type Local } from './wasm/expression.ts';

/** A line that is written. */
export interface Written {
  readonly line: Line;
  readonly type: ElementType;
}

/** Scalars of a block, all that is kept of it together: half the nearest cache in f32. */
const SCALARS = 4096;
const LEAST = 64;
/** Bytes between two lines beyond their length: a power of two would put the same place of all in one set of the cache. */
const APART = 192;

/** Elements in a block of which so many scalars each are kept. */
export function blockLength(scalars: number): number {
  return Math.max(LEAST, 2 ** Math.floor(Math.log2(SCALARS / Math.max(1, scalars))));
}

/** A line of scratch for each type, `places` long. */
export function scratchLines(k: Kernel, types: readonly ElementType[], places: number): Written[] {
  const apart = 8 * places + APART;
  const scratch = k.scratch(apart * types.length);
  return types.map((type, i) => {
    const start = add(scratch, i32(apart * i));
    const item: Cursor = {
      at: k.f.keepAtEntry(start),
      start,
      strides: [],
      unit: bytesPerElement(k.precision)[type],
      element: type,
    };
    return { line: { item, along: { ...item, at: k.f.local('i32') }, stride: 1 }, type };
  });
}

/** `body` for each block of at most `most` of a line's `length` places: its first place, and how many it has. */
export function forBlocks(
  k: Kernel,
  length: Expression,
  most: number,
  lines: readonly Line[],
  body: (lines: readonly Line[], first: Local, places: Expression) => void,
): void {
  const { f } = k;
  const blocks = lines.map((line): Line => ({ ...line, item: { ...line.item, at: f.keep(get(line.item.at)) } }));
  const first = f.keep(i32(0));
  f.block((leave) => {
    f.loop((repeat) => {
      f.branchIf(leave, apply('i32.ge_s', get(first), length));
      const places = get(f.keep(minimum(k, i32(most), apply('i32.sub', length, get(first)))));
      body(blocks, first, places);
      for (const { item, stride } of blocks) f.increase(item.at, apply('i32.mul', places, k.size(stride, item.unit)));
      f.increase(first, places);
      f.branch(repeat);
    });
  });
}

/** outputs[place] = fn(inputs[place]) at so many places, in vectors; all is read of a place before anything is written. */
export function mapLine(
  k: Kernel,
  fn: ScalarFunction,
  inputs: readonly Line[],
  outputs: readonly Written[],
  length: Expression,
): void {
  const { f } = k;
  const count = vectorLanes.count(k);
  const lines = [...inputs, ...outputs.map(({ line }) => line)];
  const readers = vectorReaders(k, inputs);
  for (const { item, along } of lines) f.set(along.at, get(item.at));
  const place = f.keep(i32(0));
  const until = (end: Expression, places: number, body: () => void) =>
    f.block((leave) => {
      f.loop((repeat) => {
        f.branchIf(leave, apply('i32.ge_s', get(place), end));
        body();
        for (const { along, stride } of lines) f.increase(along.at, k.size(sizeMultiply(stride, places), along.unit));
        f.increase(place, i32(places));
        f.branch(repeat);
      });
    });
  until(get(f.keep(apply('i32.sub', length, i32(count - 1)))), count, () => {
    const values = readers.map((reader) => reader(0));
    const results = emitFunction(k, fn, values, vectorLanes);
    outputs.forEach(({ line: { along, stride }, type }, i) =>
      writeVectorAt(k, type, get(along.at), stride, results[i] as Expression),
    );
  });
  until(length, 1, () => {
    const values = inputs.map(({ along }) => read(k, along));
    const results = emitFunction(k, fn, values);
    outputs.forEach(({ line, type }, i) => writeAt(k, type, get(line.along.at), results[i] as Expression));
  });
}
