/** The interpreter's arrays: dense, row-major, sizes bound. */
import { withoutAxis, type ElementType } from '../../0-ir/types.ts';

export interface HostValue {
  readonly element: ElementType;
  readonly shape: readonly number[];
  /** bool as 0 and 1. */
  readonly values: Float64Array | Int32Array | Uint8Array;
}

const storage = { real: Float64Array, int: Int32Array, bool: Uint8Array } as const;

/** A value of zeros to be filled. */
export function newValue(element: ElementType, shape: readonly number[]): HostValue {
  return { element, shape, values: new storage[element](elementCount(shape)) };
}

/** An array of the given shape with `fill(position)` at each position. */
export function tabulate(
  element: ElementType,
  shape: readonly number[],
  fill: (position: number) => number,
): HostValue {
  const result = newValue(element, shape);
  for (let position = 0; position < result.values.length; position++) result.values[position] = fill(position);
  return result;
}

export function elementCount(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

/** The indices of the point at a row-major position. */
export function pointAt(position: number, shape: readonly number[]): number[] {
  const point = new Array<number>(shape.length);
  let rest = position;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const size = shape[axis]!;
    point[axis] = rest % size;
    rest = Math.floor(rest / size);
  }
  return point;
}

/** The row-major position of a point. */
export function positionOf(point: readonly number[], shape: readonly number[]): number {
  return shape.reduce((position, size, axis) => position * size + point[axis]!, 0);
}

/** The value stretched to `shape`: axes align at the right, one of size 1 repeats. The value itself where it has it. */
export function broadcastTo(value: HostValue, shape: readonly number[]): HostValue {
  if (shape.length === value.shape.length && shape.every((size, axis) => size === value.shape[axis])) return value;
  const missing = shape.length - value.shape.length;
  return tabulate(value.element, shape, (position) => {
    const point = pointAt(position, shape).slice(missing);
    const own = point.map((index, axis) => (value.shape[axis] === 1 ? 0 : index));
    return value.values[positionOf(own, value.shape)]!;
  });
}

/** The value with its leading `batch` axes stretched to `batchShape`. */
export function broadcastBatch(value: HostValue, batchShape: readonly number[]): HostValue {
  return broadcastTo(value, [...batchShape, ...value.shape.slice(batchShape.length)]);
}

/** What the leading `batch` axes of all values stretch to. */
export function commonBatch(batch: number, values: readonly HostValue[]): number[] {
  return Array.from({ length: batch }, (_, axis) => {
    const sizes = values.map((value) => value.shape[axis]!);
    return sizes.find((size) => size !== 1) ?? 1;
  });
}

/** One line of a domain along an axis. */
export interface Line {
  /** Row-major position in the domain without the axis. */
  readonly across: number;
  /** Row-major positions in the domain, in the order of the axis. */
  readonly positions: readonly number[];
}

/** The lines of a domain along `axis`, in the order of the domain without it. `reverse`: from the last position on. */
export function linesAlong(shape: readonly number[], axis: number, reverse = false): Line[] {
  const length = shape[axis]!;
  const inner = elementCount(shape.slice(axis + 1));
  return Array.from({ length: elementCount(withoutAxis(shape, axis) as number[]) }, (_, across) => {
    const before = Math.floor(across / inner);
    const positions = Array.from({ length }, (_, t) => (before * length + t) * inner + (across % inner));
    return { across, positions: reverse ? positions.reverse() : positions };
  });
}
