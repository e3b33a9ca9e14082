/** Units in the head of a table: in a row below the names, or in the names themselves. */
import { parseUnit } from '../../units/unit.ts';
import { isKnownSymbol } from '../../units/symbols.ts';
import type { CsvRows } from '../split-csv.ts';
import { readNumber, type Marks } from './numbers.ts';

/** `[mV]`, `(s)` or `mV` → `mV`. */
export function bareUnit(cell: string): string {
  return /^[([](.*)[)\]]$/.exec(cell.trim())?.[1]?.trim() ?? cell.trim();
}

/** What stands in rows of units and is no measure that others are made of: scales, and what is counted. */
const scale = /^(?:-|1|a\.?u\.?|arb\.? ?units?|counts?|dimensionless|° ?[CF]|deg ?[CF]|pH|dB|rpm|ppm|ppb)$/i;
const counted = new Set(['cells', 'CFU', 'PFU', 'RFU', 'RLU', 'OD', 'U', 'IU', 'mU', 'mIU', 'mAU']);

/** A product of powers of symbols that are known, `mg/L`, `CFU/mL`, or a word for no unit. */
export function isUnit(text: string): boolean {
  if (scale.test(text)) return true;
  const unit = parseUnit(text);
  return unit !== undefined && [...unit.keys()].every((symbol) => isKnownSymbol(symbol) || counted.has(symbol));
}

/**
 * Whether a row below the header holds units: each of its cells is empty, bracketed or a unit that is known, one of them
 * at least is, and none is a number while numbers follow.
 */
export function isUnitsRow(rows: CsvRows, row: number, marks: Marks): boolean {
  if (rows.count <= row + 1) return false;
  const cells = Array.from({ length: rows.width(row) }, (_, j) => rows.cell(row, j));
  const bracketed = (cell: string): boolean => /^(?:\[.*\]|\(.*\))$/.test(cell);
  const fits = cells.every(
    (cell) => cell === '' || bracketed(cell) || (readNumber(cell, marks) === undefined && isUnit(cell)),
  );
  if (!fits || cells.every((cell) => cell === '' || cell === '-')) return false;
  const below = cells.some(
    (cell, j) => cell !== '' && j < rows.width(row + 1) && readNumber(rows.cell(row + 1, j), marks) !== undefined,
  );
  return below;
}

/** `conc (mg/L)`, `conc [mg/L]`, or as physicists label axes `t / s`. */
export function unitOfName(header: string): { readonly name: string; readonly unit: string | undefined } {
  const [, bracketed, inside] = /^(.*\S)\s*[([]([^()[\]]{1,24})[)\]]$/.exec(header.trim()) ?? [];
  // The logarithm of something: what it is of is no unit.
  if (bracketed !== undefined && inside !== undefined && !/^(?:log|ln|lg|log10|log2)$/i.test(bracketed))
    return { name: bracketed, unit: inside.trim() };
  const [, quantity, unit] = /^(\S.*\S|\S)\s+\/\s+(.{1,24})$/.exec(header.trim()) ?? [];
  if (quantity !== undefined && unit !== undefined && isUnit(unit)) return { name: quantity, unit };
  return { name: header.trim(), unit: undefined };
}
