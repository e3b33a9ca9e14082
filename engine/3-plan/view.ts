/**
 * Where a value of a program is found while the program is lowered: in a buffer, in the indices themselves, or nowhere
 * but in its number. The shape operations act on this description and move nothing.
 */
import { sizeAdd, sizeMultiply, sizeSubtract, type Size } from '../0-ir/sizes.ts';
import { broadcastsTo, IrError, printShape, type ElementType, type Shape } from '../0-ir/types.ts';
import type { Access, BufferId, Source, Step } from './plan.ts';

/** A list of steps under construction; deeper ones are bodies of loops, which run more often. */
export interface Block {
  readonly depth: number;
  readonly steps: Step[];
}

interface LocatedBase {
  readonly element: ElementType;
  readonly shape: Shape;
  /** The outermost block at whose end the value is known. */
  readonly home: Block;
}

/** Element (i₀, i₁, …) is at `offset + Σ iₐ·strides[a]` of a buffer; where `base` is 'index', it is that number. */
export interface View extends LocatedBase {
  readonly kind: 'view';
  readonly base: BufferId | 'index';
  readonly offset: Size;
  readonly strides: readonly Size[];
}

/** The same number everywhere. */
export interface Constant extends LocatedBase {
  readonly kind: 'constant';
  readonly value: number;
}

/**
 * An array with one element put at an end of it: where `index` is 0 the `edge`, elsewhere the `inner`, which at that point
 * is next to what it has. Kernels read both and choose; nothing is copied.
 */
export interface Extended extends LocatedBase {
  readonly kind: 'extended';
  readonly inner: View;
  readonly index: View;
  readonly edge: View | Constant;
}

/**
 * Rows of a list, one for each int of `index`, which has the shape; so has `first`, the element of the first row at each
 * point, and `stride` is what lies between that and the next row's. Kernels read both; nothing is copied.
 */
export interface Gathered extends LocatedBase {
  readonly kind: 'gathered';
  readonly element: 'real' | 'int';
  readonly index: View;
  readonly first: View;
  readonly stride: Size;
  readonly rows: Size;
  readonly outside: 'nan' | 'zero';
}

export type Located = View | Constant | Extended | Gathered;

/**
 * The same operation on what an extended or gathered array is read by; an edge is one element wherever it is read.
 */
function movedBy(located: Extended | Gathered, shape: Shape, view: (view: View) => Located): Located {
  const moved = { shape, index: view(located.index) as View };
  if (located.kind === 'gathered') return { ...located, ...moved, first: view(located.first) as View };
  return { ...located, ...moved, inner: view(located.inner) as View };
}

function isIndirect(located: Located): located is Extended | Gathered {
  return located.kind === 'extended' || located.kind === 'gathered';
}

/** What of the value is in memory, or in the indices. */
export function viewsOf(located: Located): View[] {
  switch (located.kind) {
    case 'view':
      return [located];
    case 'constant':
      return [];
    case 'extended':
      return [located.inner, ...viewsOf(located.edge)];
    case 'gathered':
      return [located.index, located.first];
  }
}

/** Row-major strides. */
export function denseStrides(shape: Shape): Size[] {
  const strides: Size[] = [];
  let stride: Size = 1;
  for (const size of [...shape].reverse()) {
    strides.unshift(stride);
    stride = sizeMultiply(stride, size);
  }
  return strides;
}

/** Whether the strides walk a row-major array of this shape from end to end; those of axes of size 1 do not matter. */
export function isDense(shape: Shape, strides: readonly Size[]): boolean {
  const dense = denseStrides(shape);
  return shape.every((size, axis) => size === 1 || strides[axis] === dense[axis]);
}

export function broadcastView(located: Located, shape: Shape): Located {
  if (!broadcastsTo(located.shape, shape))
    throw new IrError(`lowering: ${printShape(located.shape)} does not broadcast to ${printShape(shape)}`);
  if (located.kind === 'constant') return { ...located, shape };
  if (isIndirect(located)) return movedBy(located, shape, (view) => broadcastView(view, shape));
  const offset = shape.length - located.shape.length;
  const strides = shape.map((_, axis) => {
    const own = located.shape[axis - offset];
    return own === undefined || own === 1 ? 0 : located.strides[axis - offset]!;
  });
  return { ...located, shape, strides };
}

export function reverseView(located: Located, axis: number): Located {
  return sliceView(located, axis, sizeSubtract(located.shape[axis]!, 1), located.shape[axis]!, -1);
}

export function transposeView(located: Located, permutation: readonly number[]): Located {
  const shape = permutation.map((axis) => located.shape[axis]!);
  if (located.kind === 'constant') return { ...located, shape };
  if (isIndirect(located)) return movedBy(located, shape, (view) => transposeView(view, permutation));
  return { ...located, shape, strides: permutation.map((axis) => located.strides[axis]!) };
}

export function sliceView(located: Located, axis: number, start: Size, length: Size, step: number): Located {
  const shape = located.shape.map((size, other) => (other === axis ? length : size));
  if (located.kind === 'constant') return { ...located, shape };
  if (isIndirect(located)) return movedBy(located, shape, (view) => sliceView(view, axis, start, length, step));
  const stride = located.strides[axis]!;
  return {
    ...located,
    shape,
    offset: sizeAdd(located.offset, sizeMultiply(start, stride)),
    strides: located.strides.map((own, other) => (other === axis ? sizeMultiply(stride, step) : own)),
  };
}

/**
 * The value in another shape, or undefined where only a copy can have it. Axes fall into groups at the products that
 * both shapes have in common; within a group the old axes must follow on each other, and the new ones divide their run.
 */
export function reshapeView(located: Located, shape: Shape): Located | undefined {
  if (located.kind === 'constant') return { ...located, shape };
  if (isIndirect(located)) {
    const walked = [located.index, located.kind === 'extended' ? located.inner : located.first];
    return walked.some((view) => !reshapeView(view, shape))
      ? undefined
      : movedBy(located, shape, (view) => reshapeView(view, shape) as View);
  }
  const kept = located.shape.map((_, axis) => axis).filter((axis) => located.shape[axis] !== 1);
  const oldShape = kept.map((axis) => located.shape[axis]!);
  const oldStrides = kept.map((axis) => located.strides[axis]!);
  const newAxes = shape.map((_, axis) => axis).filter((axis) => shape[axis] !== 1);
  const newShape = newAxes.map((axis) => shape[axis]!);
  const strides: Size[] = shape.map(() => 0);
  let from = 0;
  let to = 0;
  while (to < newShape.length) {
    const group = nextGroup(oldShape, from, newShape, to);
    for (let axis = from; axis + 1 < group.from; axis++) if (!follows(oldStrides, oldShape, axis)) return undefined;
    const step = group.from > from ? oldStrides[group.from - 1]! : 0;
    denseStrides(newShape.slice(to, group.to)).forEach((stride, i) => {
      strides[newAxes[to + i]!] = sizeMultiply(stride, step);
    });
    ({ from, to } = group);
  }
  return { ...located, shape, strides };
}

/** The ends of the first group of axes on either side that hold equally many elements; at the latest, the ends of all. */
function nextGroup(old: Shape, from: number, shape: Shape, to: number): { from: number; to: number } {
  const products = new Map<Size, number>();
  let product: Size = 1;
  for (let end = from; end < old.length;) {
    product = sizeMultiply(product, old[end++]!);
    if (!products.has(product)) products.set(product, end);
  }
  product = 1;
  for (let end = to; end < shape.length;) {
    product = sizeMultiply(product, shape[end++]!);
    const match = products.get(product);
    if (product !== 0 && match !== undefined) return { from: match, to: end };
  }
  return { from: old.length, to: shape.length };
}

/** Whether an axis goes on where the one after it ends, so that both are one. */
export function follows(strides: readonly Size[], shape: Shape, axis: number): boolean {
  return strides[axis] === sizeMultiply(strides[axis + 1]!, shape[axis + 1]!);
}

/** What a kernel over the value's own shape reads. */
export function sourceOf(view: View | Gathered): Source {
  if (view.kind === 'gathered') {
    const { element, index, first, stride, rows, outside } = view;
    const table = { ...accessOf(first), stride, rows, outside };
    return { kind: 'gathered', element, table, ...accessOf(index) };
  }
  const { element, base, offset, strides } = view;
  return base === 'index'
    ? { kind: 'index', offset, strides }
    : { kind: 'array', element, buffer: base, offset, strides };
}

export function accessOf(view: View): Access {
  if (view.base === 'index') throw new IrError('lowering: indices are in no buffer');
  return { buffer: view.base, offset: view.offset, strides: view.strides };
}
