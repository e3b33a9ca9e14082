/** Cells of other columns as one column. */
import type { RawColumn } from '../cells.ts';

export type TextColumn = Extract<RawColumn, { kind: 'text' }>;

export function gathered(
  length: number,
  decimal: TextColumn['decimal'],
  at: (i: number) => readonly [RawColumn, number],
): TextColumn {
  return {
    ...{ kind: 'text', length, decimal },
    cell: (i) => cellAs(decimal, ...at(i)),
    quoted: (i) => {
      const [raw, row] = at(i);
      return raw.kind === 'text' && raw.quoted(row);
    },
  };
}

/** As text with that mark of decimals. */
export function cellAs(decimal: TextColumn['decimal'], raw: RawColumn, row: number): string {
  if (raw.kind === 'text') return raw.cell(row);
  const value = raw.values[row]!;
  return Number.isNaN(value) ? '' : withMark(value, decimal);
}

export const withMark = (value: number, decimal: TextColumn['decimal']): string => String(value).replace('.', decimal);

/** Whether all of its cells are such, but for empty ones, and one of them is. */
export function everyCell(raw: TextColumn, fits: (cell: string) => boolean): boolean {
  let isAny = false;
  for (let row = 0; row < raw.length; row++) {
    const cell = raw.cell(row);
    if (cell === '') continue;
    if (!fits(cell)) return false;
    isAny = true;
  }
  return isAny;
}
