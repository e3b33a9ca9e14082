/** Whether what a document asks for can be held at all, said before anything is allocated. */
import { type ElementType, OutOfMemory } from '../../engine/index.ts';
import type { Sizes } from '../blocks/kind.ts';
import type { ProblemDetails } from '../notation/problem.ts';
import type { Table } from '../tables/table.ts';

/** Where a host does not say what its device has: what a 32-bit WebAssembly memory holds. */
export const defaultAvailableBytes = 4 * 2 ** 30;

const bytesOf: { readonly [E in ElementType]: number } = { real: 8, int: 4, bool: 1 };

export function outputBytes(element: ElementType, count: number): number {
  return bytesOf[element] * count;
}

/**
 * A number for each row of a table, which is in memory already: sums over rows are run in pieces where they do not fit, and
 * what cannot be run so is refused when it is.
 */
export function goesByRows(sizes: Sizes, tables: ReadonlyMap<string, Table>): boolean {
  const [rows] = sizes;
  return sizes.length === 1 && [...tables.values()].some((table) => table.rows === rows?.value);
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
