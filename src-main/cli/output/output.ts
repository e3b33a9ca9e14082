/** What commands print on standard output: one JSON value, or columns for people. */
import type { ElementType } from '../../../engine/index.ts';
import { digitsApart } from '../../../models/notation/digits.ts';
import { nestNumbers } from '../../../models/notation/numbers.ts';
import { stringify } from '../../json.ts';

export function printJson(value: unknown): void {
  process.stdout.write(`${stringify(value)}\n`);
}

/** Columns as wide as their widest cell; `right` are the columns that hold numbers. */
export function printColumns(rows: readonly (readonly string[])[], right: ReadonlySet<number> = new Set()): void {
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, cell.length)));
  const lines = rows.map((row) => {
    const cells = row.map((cell, column) =>
      right.has(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
    );
    return `${cells.join('  ').trimEnd()}\n`;
  });
  process.stdout.write(lines.join(''));
}

/** A value as nested arrays; truth values as such. */
export function nested(element: ElementType, values: ArrayLike<number>, shape: readonly number[]): unknown {
  const numbers = nestNumbers(values, shape);
  return element === 'bool' ? truths(numbers) : numbers;
}

function truths(value: unknown): unknown {
  return Array.isArray(value) ? value.map(truths) : value !== 0;
}

/** A defined key for any id, `__proto__` among them. */
export function record<T>(entries: Iterable<readonly [string, T]>): Record<string, T> {
  return Object.fromEntries(entries);
}

export function printWarnings(messages: readonly string[]): void {
  for (const message of messages) process.stderr.write(`cotangent: warning: ${message}\n`);
}

/** Seven digits say enough to a reader where no more are needed to tell apart; `--json` has them all. */
const usualDigits = 7;

export const shown = (value: number): string => shownTo(value, usualDigits);

export function shownTo(value: number, digits: number): string {
  return Number.isInteger(value) && Math.abs(value) < 1e9 ? String(value) : value.toPrecision(digits);
}

/** Digits for what lies between two ends, and for these. */
export const digitsWithin = (lower: number, upper: number): number => digitsApart([lower, upper], usualDigits);

/** A nested value on one line, the middle of long arrays left out. */
export function shownNested(value: unknown): string {
  if (!Array.isArray(value)) return typeof value === 'number' ? shown(value) : String(value);
  const items: unknown[] = value;
  const cells =
    items.length > 12
      ? [...items.slice(0, 6).map(shownNested), '…', ...items.slice(-3).map(shownNested)]
      : items.map(shownNested);
  return `[${cells.join(', ')}]`;
}
