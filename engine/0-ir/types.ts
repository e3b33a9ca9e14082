/**
 * Types of the intermediate representation: an element type and a shape of symbolic sizes.
 *
 * `real` is one type here; a backend makes it f64 or f32. `int` is 32-bit and wraps. Rank has no bound.
 */
import type { Size } from './sizes.ts';

export type ElementType = 'real' | 'int' | 'bool';

/** Outermost axis first, as in NumPy. `[]` is a scalar. */
export type Shape = readonly Size[];

export interface ArrayType {
  readonly element: ElementType;
  readonly shape: Shape;
}

/** A program that breaks the rules of the IR: a fault of ours, never of a document. */
export class IrError extends Error {
  override readonly name = 'IrError';
}

export function arrayType(element: ElementType, shape: Shape = []): ArrayType {
  return { element, shape };
}

export function sameShape(a: Shape, b: Shape): boolean {
  return a.length === b.length && a.every((size, axis) => size === b[axis]);
}

export function sameType(a: ArrayType, b: ArrayType): boolean {
  return a.element === b.element && sameShape(a.shape, b.shape);
}

export function printShape(shape: Shape): string {
  return `[${shape.join(', ')}]`;
}

/** `real[n, 3]`; a scalar is `real`. */
export function printType(type: ArrayType): string {
  return type.shape.length === 0 ? type.element : `${type.element}${printShape(type.shape)}`;
}

/**
 * Whether a value of shape `from` broadcasts to `to`: aligned at the right, an axis of the literal size 1, or a missing
 * one, stretches; no other does, whatever number a symbol will be bound to.
 */
export function broadcastsTo(from: Shape, to: Shape): boolean {
  const offset = to.length - from.length;
  return offset >= 0 && from.every((size, axis) => size === 1 || size === to[axis + offset]);
}

/** The shape to which all of `shapes` broadcast, or undefined where there is none. */
export function broadcastShape(...shapes: Shape[]): Shape | undefined {
  const rank = Math.max(0, ...shapes.map((shape) => shape.length));
  const result: Size[] = [];
  for (let axis = 0; axis < rank; axis++) {
    let size: Size = 1;
    for (const shape of shapes) {
      const own = shape[axis - rank + shape.length] ?? 1;
      if (own === 1 || own === size) continue;
      if (size !== 1) return undefined;
      size = own;
    }
    result.push(size);
  }
  return result;
}

export function withoutAxis(shape: Shape, axis: number): Shape {
  return shape.filter((_, other) => other !== axis);
}

export function withAxis(shape: Shape, axis: number, size: Size): Shape {
  return [...shape.slice(0, axis), size, ...shape.slice(axis)];
}
