/**
 * Walks: over the items [from, to) of a domain in row-major order, and along one axis of an item. Indices are found by
 * division once a call; from row to row every cursor moves by one precomputed difference.
 */
import { sizeMultiply, sizeSubtract } from '../../../0-ir/sizes.ts';
import type { Shape } from '../../../0-ir/types.ts';
import { read, type Cursor, type Line } from './access.ts';
import type { Kernel } from '../kernel.ts';
import { add, apply, get, i32, multiply, select, type Expression, type Local } from '../wasm/expression.ts';

/** The items [at, end) of one run along the last axis. */
export interface Row {
  readonly at: Local;
  readonly end: Local;
}

/** `body` leaves `row.at` at `row.end` and the cursors there, as `forEachInRow` does. */
export function forRows(k: Kernel, shape: Shape, cursors: readonly Cursor[], body: (row: Row) => void): void {
  const { f, from, to } = k;
  const row: Row = { at: f.local('i32'), end: f.local('i32') };
  f.if(apply('i32.lt_s', get(from), get(to)), () => {
    f.set(row.at, get(from));
    const indices = indicesOf(k, shape);
    for (const cursor of cursors) {
      const terms = indices.map((index, axis) => multiply(get(index), k.size(cursor.strides[axis]!, cursor.unit)));
      f.set(cursor.at, terms.reduce(add, cursor.start));
    }
    if (shape.length < 2) {
      f.set(row.end, get(to));
      body(row);
      return;
    }
    const length = k.size(shape.at(-1)!);
    const rest = apply('i32.sub', length, get(indices.at(-1)!));
    f.set(row.end, minimum(k, add(get(row.at), rest), get(to)));
    f.loop((repeat) => {
      body(row);
      f.if(apply('i32.lt_s', get(row.at), get(to)), () => {
        f.set(row.end, minimum(k, add(get(row.at), length), get(to)));
        nextRow(k, shape, cursors, indices, shape.length - 2);
        f.branch(repeat);
      });
    });
  });
}

/** Every item of a row, cursors moved with it. */
export function forEachInRow(k: Kernel, row: Row, cursors: readonly Cursor[], body: () => void): void {
  const { f } = k;
  f.loop((repeat) => {
    body();
    for (const cursor of cursors) f.increase(cursor.at, k.size(cursor.strides.at(-1) ?? 0, cursor.unit));
    f.increase(row.at);
    f.branchIf(repeat, apply('i32.lt_s', get(row.at), get(row.end)));
  });
}

/** So many items at a time, for as long as that many are left of the row. */
export function forManyInRow(k: Kernel, row: Row, cursors: readonly Cursor[], many: number, body: () => void): void {
  const { f } = k;
  const last = f.keep(apply('i32.sub', get(row.end), i32(many - 1)));
  const isLeft = () => apply('i32.lt_s', get(row.at), get(last));
  f.if(isLeft(), () => {
    f.loop((repeat) => {
      body();
      for (const { at, strides, unit } of cursors)
        f.increase(at, k.size(sizeMultiply(strides.at(-1) ?? 0, many), unit));
      f.increase(row.at, i32(many));
      f.branchIf(repeat, isLeft());
    });
  });
}

/** What is left of a row after `forManyInRow`, one item at a time. */
export function forRestOfRow(k: Kernel, row: Row, cursors: readonly Cursor[], body: () => void): void {
  k.f.if(apply('i32.lt_s', get(row.at), get(row.end)), () => forEachInRow(k, row, cursors, body));
}

/**
 * As `forManyInRow`, and what is left of the row by the same code, one item at a time: `isMany` is 1 where the body takes
 * `many` items, else 0.
 */
export function forManyOrOneInRow(
  k: Kernel,
  row: Row,
  cursors: readonly Cursor[],
  many: number,
  body: (isMany: Local) => void,
): void {
  const { f } = k;
  const isMany = f.keep(i32(0));
  f.loop((repeat) => {
    f.set(isMany, apply('i32.le_s', add(get(row.at), i32(many)), get(row.end)));
    body(isMany);
    const taken = f.keep(select(i32(many), i32(1), get(isMany)));
    for (const { at, strides, unit } of cursors)
      f.increase(at, multiply(get(taken), k.size(strides.at(-1) ?? 0, unit)));
    f.increase(row.at, get(taken));
    f.branchIf(repeat, apply('i32.lt_s', get(row.at), get(row.end)));
  });
}

/** `item` is the linear index. */
export function forItems(k: Kernel, shape: Shape, cursors: readonly Cursor[], body: (item: Local) => void): void {
  forRows(k, shape, cursors, (row) => forEachInRow(k, row, cursors, () => body(row.at)));
}

/** `body` at each of `length` places along an axis, from where the items' cursors are; `place` counts them. */
export function forLine(k: Kernel, length: Expression, lines: readonly Line[], body: (place: Local) => void): void {
  const { f } = k;
  const place = f.keep(i32(0));
  for (const { item, along } of lines) f.set(along.at, get(item.at));
  f.block((leave) => {
    f.loop((repeat) => {
      f.branchIf(leave, apply('i32.ge_s', get(place), length));
      body(place);
      for (const { along, stride } of lines) f.increase(along.at, k.size(stride, along.unit));
      f.increase(place);
      f.branch(repeat);
    });
  });
}

/** Reads at each place of a line; what does not move along it is read once, here. */
export function lineReaders(k: Kernel, lines: readonly Line[]): (() => Expression)[] {
  return lines.map(({ item, along, stride }) => {
    if (stride !== 0) return () => read(k, along);
    const value = k.f.keep(read(k, item));
    return () => get(value);
  });
}

export function minimum(k: Kernel, a: Expression, b: Expression): Expression {
  const [x, y] = [get(k.f.keep(a)), get(k.f.keep(b))];
  return select(x, y, apply('i32.lt_s', x, y));
}

/** The indices of the item `from`. */
function indicesOf(k: Kernel, shape: Shape): Local[] {
  const { f } = k;
  const rest = f.keep(get(k.from));
  const indices: Local[] = [];
  for (let axis = shape.length - 1; axis > 0; axis--) {
    const length = k.size(shape[axis]!);
    indices.unshift(f.keep(apply('i32.rem_u', get(rest), length)));
    f.set(rest, apply('i32.div_u', get(rest), length));
  }
  return shape.length === 0 ? [] : [rest, ...indices];
}

/** One step along `axis` for cursors that have come to the end of the axis after it. */
function nextRow(k: Kernel, shape: Shape, cursors: readonly Cursor[], indices: readonly Local[], axis: number): void {
  const { f } = k;
  for (const { at, strides, unit } of cursors) {
    const back = sizeMultiply(shape[axis + 1]!, strides[axis + 1]!);
    f.increase(at, k.size(sizeSubtract(strides[axis]!, back), unit));
  }
  if (axis === 0) return;
  const index = indices[axis]!;
  f.increase(index);
  f.if(apply('i32.eq', get(index), k.size(shape[axis]!)), () => {
    f.set(index, i32(0));
    nextRow(k, shape, cursors, indices, axis - 1);
  });
}
