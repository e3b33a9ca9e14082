/** Numbers as they are typed into fields: `1e-3`, `0,1`, `-inf`, `[0.1, 0.2]`; empty is no value. */
import { readNumber } from '../../words/read-number.ts';

export type Read = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };

const named = new Map<string, number | string>([
  ['inf', 'Infinity'],
  ['infinity', 'Infinity'],
  ['+inf', 'Infinity'],
  ['-inf', '-Infinity'],
  ['-infinity', '-Infinity'],
  ['nan', 'NaN'],
]);

export function readNumbers(text: string): Read {
  const trimmed = text.trim().replace(/\u2212/g, '-');
  if (trimmed === '') return { ok: true, value: undefined };
  const special = named.get(trimmed.toLowerCase());
  if (special !== undefined) return { ok: true, value: special };
  const value = readNumber(trimmed);
  if (!Number.isNaN(value)) return { ok: true, value };
  if (trimmed.startsWith('[')) {
    try {
      const array: unknown = JSON.parse(trimmed);
      if (isNumbers(array)) return { ok: true, value: array };
    } catch {
      return { ok: false, message: `Wanted a list of numbers such as [1, 2], got ${trimmed}.` };
    }
  }
  return { ok: false, message: `Wanted a number, got ${trimmed}.` };
}

function isNumbers(value: unknown): boolean {
  return Array.isArray(value)
    ? value.every(isNumbers)
    : typeof value === 'number' || named.has(String(value).toLowerCase());
}

export function writeNumbers(value: unknown): string {
  if (value === undefined) return '';
  if (value === 'Infinity') return 'inf';
  if (value === '-Infinity') return '-inf';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
