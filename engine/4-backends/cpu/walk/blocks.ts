/** Lines a block at a time, so short that what is kept of it in scratch stays in the nearest cache. */
import { sizeMultiply } from '../../../0-ir/sizes.ts';
import type { ElementType } from '../../../0-ir/types.ts';
import type { Cursor, Line } from './access.ts';
import type { Kernel } from '../kernel.ts';
import { bytesPerElement } from '../representation.ts';
import { add, apply, get, i32, type Expression } from '../wasm/expression.ts';

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

/** A line of scratch for each type, `places` long, forwards or backwards in memory. */
export function scratchLines(
  k: Kernel,
  types: readonly ElementType[],
  places: number,
  base: Expression,
  stride: 1 | -1,
): Written[] {
  const apart = scratchBytes(1, places);
  return types.map((type, i) => {
    const unit = bytesPerElement(k.precision)[type];
    const start = add(base, i32(apart * i + (stride === 1 ? 0 : unit * (places - 1))));
    const item: Cursor = { at: k.f.keepAtEntry(start), start, strides: [], unit, element: type };
    return { line: { item, along: { ...item, at: k.f.local('i32') }, stride }, type };
  });
}

/** The direction in memory in which most of these lines run. */
export function directionOf(lines: readonly Line[]): 1 | -1 {
  const along = (stride: 1 | -1) => lines.filter((line) => line.item.element !== 'index' && line.stride === stride);
  return along(-1).length > along(1).length ? -1 : 1;
}

/** The same lines from their last of so many places to their first. */
export function turnedLines(k: Kernel, lines: readonly Line[], length: Expression): Line[] {
  const turned = movableLines(k, lines);
  moveLines(k, turned, apply('i32.sub', length, i32(1)));
  return turned.map((line) => ({ ...line, stride: sizeMultiply(line.stride, -1) }));
}

/** Bytes that so many take. */
export function scratchBytes(lines: number, places: number): number {
  return lines * (8 * places + APART);
}

/** Lines whose items stand where these stand now and can be moved on by themselves. */
export function movableLines(k: Kernel, lines: readonly Line[]): Line[] {
  return lines.map((line) => ({ ...line, item: { ...line.item, at: k.f.keep(get(line.item.at)) } }));
}

/** Their items so many places on. */
export function moveLines(k: Kernel, lines: readonly Line[], places: Expression): void {
  for (const { item, stride } of lines) k.f.increase(item.at, apply('i32.mul', places, k.size(stride, item.unit)));
}

/** `body` for each `by` of a line's places, of which there are some; the walks stand at the first and are moved on. */
export function forPlaces(k: Kernel, lines: readonly Line[], length: Expression, by: number, body: () => void): void {
  const { f } = k;
  const place = f.keep(i32(0));
  f.loop((repeat) => {
    body();
    for (const { along, stride } of lines) f.increase(along.at, k.size(sizeMultiply(stride, by), along.unit));
    f.increase(place, i32(by));
    f.branchIf(repeat, apply('i32.lt_s', get(place), length));
  });
}
