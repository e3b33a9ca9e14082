/** Sizes of values before anything runs: compared by value, broadcast only where the document says 1. */
import type { ElementType } from '../../../engine/index.ts';
import type { AxisSize, Sizes } from '../kind.ts';

export const highestRank = 3;

export function literalSize(value: number): AxisSize {
  return { value, literal: true };
}

export function stretches(size: AxisSize): boolean {
  return size.literal && size.value === 1;
}

/** The sizes to which all broadcast, or undefined. A size with a name is kept rather than one without. */
export function broadcastSizes(all: readonly Sizes[]): Sizes | undefined {
  const rank = Math.max(0, ...all.map((sizes) => sizes.length));
  const result: AxisSize[] = [];
  for (let axis = 0; axis < rank; axis++) {
    let size = literalSize(1);
    for (const sizes of all) {
      const own = sizes[axis - rank + sizes.length];
      if (own === undefined || stretches(own)) continue;
      if (stretches(size)) size = own;
      else if (own.value !== size.value) return undefined;
      else size = pick(size, own);
    }
    result.push(size);
  }
  return result;
}

/** One of two sizes of equal value: counted before written, named before nameless. */
export function pick(a: AxisSize, b: AxisSize): AxisSize {
  if (a.literal !== b.literal) return a.literal ? b : a;
  return a.name === undefined ? b : a;
}

export function sameSizes(a: Sizes, b: Sizes): boolean {
  return a.length === b.length && a.every((size, axis) => size.value === b[axis]?.value);
}

export function elementCount(sizes: Sizes): number {
  return sizes.reduce((product, size) => product * size.value, 1);
}

export function withoutAxis(sizes: Sizes, axis: number): Sizes {
  return sizes.filter((_, other) => other !== axis);
}

export function replaceAxis(sizes: Sizes, axis: number, size: AxisSize): Sizes {
  return sizes.map((own, other) => (other === axis ? size : own));
}

/** `[obs = 14, 3]` */
export function printSizes(sizes: Sizes): string {
  return `[${sizes.map((size) => (size.name === undefined ? `${size.value}` : `${size.name} = ${size.value}`)).join(', ')}]`;
}

/** `real [obs = 14]`, `a real scalar` */
export function printOutput(output: { readonly element: ElementType; readonly sizes: Sizes }): string {
  return output.sizes.length === 0 ? `${an(output.element)} scalar` : `${output.element} ${printSizes(output.sizes)}`;
}

function an(element: ElementType): string {
  return element === 'int' ? 'an int' : `a ${element}`;
}
