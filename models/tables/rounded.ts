/**
 * Numbers that no real is: of whole ones beyond 2⁵³ a real holds some alone, and the others become a neighbour; beyond the
 * largest real there is none but the infinite one.
 */
import type { RawColumn } from './cells.ts';

const whole = /^[+-]?\d+$/;
const exactBelow = 2 ** 53;

export interface Rounded {
  /** The first, from 0. */
  readonly row: number;
  readonly count: number;
}

/** The cells whose digits are not all in their value; undefined where there are none. */
export function roundedCells(column: RawColumn, values: Float64Array): Rounded | undefined {
  return cellsWhere(
    column,
    values,
    (cell, value) => Number.isFinite(value) && whole.test(cell) && BigInt(cell) !== BigInt(value),
  );
}

/** The cells that are infinite and do not say so: `1e400`. */
export function beyondCells(column: RawColumn, values: Float64Array): Rounded | undefined {
  return cellsWhere(column, values, (cell, value) => !Number.isFinite(value) && /\d/.test(cell));
}

function cellsWhere(
  column: RawColumn,
  values: Float64Array,
  isLost: (cell: string, value: number) => boolean,
): Rounded | undefined {
  if (column.kind === 'numbers') return undefined;
  let [row, count] = [-1, 0];
  for (let i = 0; i < values.length; i++) {
    if (!(Math.abs(values[i]!) >= exactBelow) || !isLost(column.cell(i), values[i]!)) continue;
    if (row < 0) row = i;
    count++;
  }
  return count === 0 ? undefined : { row, count };
}

/** The number, where it has the digits of `value`; else itself, which tables keep as text. */
export function exactly(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
