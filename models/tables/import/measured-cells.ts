/** Cells that have their unit beside the number, `12.5 °C`, `1 nM`, `10µM`: as numbers in the unit of the first. */
import { parseUnit, ratio } from '../../units/unit.ts';
import { cellNumber } from '../cells.ts';
import { everyCell, withMark, type TextColumn } from './gathered.ts';
import { isUnit } from './units-row.ts';

const measured = /^([+-]?[\d.,]*\d[.,]?(?:e[+-]?\d+)?)(\s*)(\p{L}[^\s]*|°\s?[CF]|Ω|[µμ]\p{L}+\S*)$/iu;

/** The unit that all such cells can be said in: that of the first. Undefined where a cell is in no unit that goes with it. */
export function unitOfCells(raw: TextColumn): string | undefined {
  let unit: string | undefined;
  const fits = (cell: string): boolean => {
    const found = partsOf(cell, raw);
    unit ??= found?.unit;
    return found !== undefined && factor(found.unit, unit!) !== undefined;
  };
  return everyCell(raw, fits) ? unit : undefined;
}

/** The number of such a cell in that unit, as text. */
export function inUnit(cell: string, unit: string, marks: Pick<TextColumn, 'decimal'>): string | undefined {
  const found = partsOf(cell, marks);
  const times = found && factor(found.unit, unit);
  // Not 0.30000000000000004.
  return found && times !== undefined
    ? withMark(Number((found.value * times).toPrecision(12)), marks.decimal)
    : undefined;
}

/** `1A` and `2B` are places on a plate. */
function partsOf(
  cell: string,
  { decimal }: Pick<TextColumn, 'decimal'>,
): { readonly value: number; readonly unit: string } | undefined {
  const [, number = '', gap = '', unit = ''] = measured.exec(cell.trim()) ?? [];
  const value = cellNumber(number, decimal);
  if (value === undefined || !isUnit(unit) || (gap === '' && /^\p{Lu}$/u.test(unit))) return undefined;
  return { value, unit };
}

function factor(from: string, to: string): number | undefined {
  if (from === to) return 1;
  // Scales of temperature begin elsewhere.
  if (/°|deg/.test(from + to)) return undefined;
  const [a, b] = [parseUnit(from), parseUnit(to)];
  return a && b ? ratio(a, b) : undefined;
}
