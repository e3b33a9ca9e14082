/** Whether what a document asks for can be held at all, said before anything is allocated. */
import { type ElementType, OutOfMemory } from '../../engine/index.ts';
import type { ProblemDetails } from '../notation/problem.ts';

/** Where a host does not say what its device has: what a 32-bit WebAssembly memory holds. */
export const defaultAvailableBytes = 4 * 2 ** 30;

const bytesOf: { readonly [E in ElementType]: number } = { real: 8, int: 4, bool: 1 };

export function outputBytes(element: ElementType, count: number): number {
  return bytesOf[element] * count;
}

export function oversized(
  element: ElementType,
  count: number,
  availableBytes: number,
): { readonly message: string; readonly details: ProblemDetails } | undefined {
  const needed = outputBytes(element, count);
  if (needed <= availableBytes) return undefined;
  const message = new OutOfMemory(needed, availableBytes).message;
  return { message, details: { wanted: `at most ${availableBytes} bytes`, got: `${needed} bytes` } };
}
