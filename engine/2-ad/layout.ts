/** Small array idioms that several rules share: undoing a broadcast, adding an axis, shifting along one. */
import type { ProgramBuilder } from '../0-ir/builder.ts';
import { builtinOperator } from '../0-ir/operators.ts';
import type { Value } from '../0-ir/program.ts';
import type { Size } from '../0-ir/sizes.ts';
import { arrayType, withAxis, type Shape } from '../0-ir/types.ts';

/** The transpose of broadcasting: sums the axes of `value` that `shape` lacks or has as the literal 1. */
export function sumTo(b: ProgramBuilder, value: Value, shape: Shape): Value {
  let result = value;
  const missing = value.type.shape.length - shape.length;
  for (let axis = value.type.shape.length - 1; axis >= 0; axis--) {
    const own = shape[axis - missing];
    if (axis < missing || (own === 1 && value.type.shape[axis] !== 1))
      result = b.reduce(builtinOperator('add'), [result], axis)[0]!;
  }
  return b.reshape(result, shape);
}

/** The value with an axis of the literal size 1 at `axis`. */
export function expandAxis(b: ProgramBuilder, value: Value, axis: number): Value {
  return b.reshape(value, withAxis(value.type.shape, axis, 1));
}

/** The value with axes of the literal size 1 at its end, up to the rank. */
export function trailingOnes(b: ProgramBuilder, value: Value, rank: number): Value {
  const shape = value.type.shape;
  return b.reshape(value, [...shape, ...Array.from({ length: rank - shape.length }, () => 1)]);
}

/** A value that broadcasts to a domain of this rank without `axis`, as one that broadcasts to the domain itself. */
export function stretchAlong(b: ProgramBuilder, value: Value, axis: number, rank: number): Value {
  const position = value.type.shape.length - (rank - 1 - axis);
  return position <= 0 ? value : expandAxis(b, value, position);
}

/** 0, 1, …, length-1 along `axis` of a domain of the given rank; the literal 1 elsewhere. */
export function indexAlong(b: ProgramBuilder, length: Size, axis: number, rank: number): Value {
  const shape = Array.from({ length: rank }, (_, other): Size => (other === axis ? length : 1));
  return b.reshape(b.iota(length), shape);
}

/** y[i] = x[i - 1] along `axis`, y[0] = fill. Written so that it holds for length 0 too. */
export function shiftForward(b: ProgramBuilder, value: Value, axis: number, fill: number): Value {
  const length = value.type.shape[axis]!;
  return b.slice(b.concatenate([edge(b, value, axis, fill), value], axis), axis, 0, length);
}

/** y[i] = x[i + 1] along `axis`, fill at the end. */
export function shiftBackward(b: ProgramBuilder, value: Value, axis: number, fill: number): Value {
  const length = value.type.shape[axis]!;
  return b.slice(b.concatenate([value, edge(b, value, axis, fill)], axis), axis, 1, length);
}

function edge(b: ProgramBuilder, value: Value, axis: number, fill: number): Value {
  const shape = value.type.shape.map((size, other): Size => (other === axis ? 1 : size));
  return b.replicate(b.literal(fill, value.type.element), shape);
}

/** A size as an int scalar: the number of ones in an array of that length. */
export function sizeAsValue(b: ProgramBuilder, size: Size): Value {
  if (typeof size === 'number') return b.literal(size, 'int');
  return b.reduce(builtinOperator('add', 'int'), [b.replicate(b.literal(1, 'int'), [size])], 0)[0]!;
}

/** Zeros of the value's shape. */
export function zerosLike(b: ProgramBuilder, value: Value): Value {
  return b.zeros(arrayType(value.type.element, value.type.shape));
}
