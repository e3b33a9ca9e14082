/** Whole numbers that no real is: beyond 2⁵³ a real holds some of them alone, and the others become a neighbour. */
import type { RawColumn } from './cells.ts';

const whole = /^[+-]?\d+$/;
const exactBelow = 2 ** 53;

export interface Rounded {
  /** The first, from 0. */
  readonly row: number;
  readonly count: number;
}

/** The cells whose value is not what they say; undefined where there are none. */
export function roundedCells(column: RawColumn, values: Float64Array): Rounded | undefined {
  if (column.kind === 'numbers') return undefined;
  let [row, count] = [-1, 0];
  for (let i = 0; i < values.length; i++) {
    if (!(Math.abs(values[i]!) >= exactBelow) || isExact(column.cell(i), values[i]!)) continue;
    if (row < 0) row = i;
    count++;
  }
  return count === 0 ? undefined : { row, count };
}

const isExact = (cell: string, value: number): boolean =>
  !whole.test(cell) || (Number.isFinite(value) && BigInt(cell) === BigInt(value));

/** The number, where it has the digits of `value`; else itself, which tables keep as text. */
export function exactly(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
