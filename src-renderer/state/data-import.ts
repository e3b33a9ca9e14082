/**
 * A dropped or pasted table as inline columns, and a first model of it: the second column of numbers against the first,
 * by a straight line whose start values come from the data.
 */
import Papa from 'papaparse';
import type { BlockDraft, Draft, Point } from './draft.ts';
import { freshId } from './draft.ts';
import { asId } from './tables.ts';

export interface ReadTable {
  readonly delimiter: string;
  readonly decimal: '.' | ',';
  readonly header: boolean;
  /** By name, in the order of the text. Cells that are no number are text; empty ones are missing. */
  readonly columns: readonly Column[];
  readonly rows: number;
}

export interface Column {
  readonly name: string;
  readonly cells: readonly (number | string | null)[];
  readonly numeric: boolean;
}

export interface ReadOptions {
  readonly delimiter?: string;
  readonly decimal?: '.' | ',';
  readonly header?: boolean;
}

const missing = new Set(['', 'na', 'nan', 'null']);

function isMissing(cell: string): boolean {
  return missing.has(cell.trim().toLowerCase());
}

function toNumber(cell: string, decimal: '.' | ','): number {
  const text = cell.trim();
  if (decimal === ',')
    return /^[-+]?[\d.]*,?\d*(e[-+]?\d+)?$/i.test(text) ? Number(text.replace(/\./g, '').replace(',', '.')) : NaN;
  return text === '' ? NaN : Number(text);
}

/** What is not given is found: a decimal comma where it makes more cells numbers, a header where no cell of it is one. */
export function readTable(text: string, options: ReadOptions = {}): ReadTable {
  const parsed = Papa.parse<string[]>(text.trim(), {
    skipEmptyLines: 'greedy',
    delimitersToGuess: ['\t', ';', ',', '|', ' '],
    ...(options.delimiter === undefined ? {} : { delimiter: options.delimiter }),
  });
  const rows = parsed.data;
  const delimiter = parsed.meta.delimiter;
  const count = (decimal: '.' | ',') =>
    rows.flat().filter((cell) => !isMissing(cell) && !Number.isNaN(toNumber(cell, decimal))).length;
  const decimal = options.decimal ?? (delimiter !== ',' && count(',') > count('.') ? ',' : '.');
  const first = rows[0] ?? [];
  const header = options.header ?? first.every((cell) => !isMissing(cell) && Number.isNaN(toNumber(cell, decimal)));
  const body = header ? rows.slice(1) : rows;
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const taken = new Set<string>();
  const columns = Array.from({ length: width }, (_, j): Column => {
    const named = header ? (first[j] ?? '').trim() : '';
    const name = freshId(taken, named === '' ? `column${j + 1}` : named);
    taken.add(name);
    const raw = body.map((row) => row[j] ?? '');
    const numeric = raw.every((cell) => isMissing(cell) || !Number.isNaN(toNumber(cell, decimal)));
    const cells = raw.map((cell) => (isMissing(cell) ? null : numeric ? toNumber(cell, decimal) : cell.trim()));
    return { name, cells, numeric };
  });
  return { delimiter, decimal, header, columns, rows: body.length };
}

/** `conc (mg/L)` or `conc [mg/L]`: the unit in a header. */
export function unitOfHeader(header: string): { readonly name: string; readonly unit: string | undefined } {
  const match = /^(.*\S)\s*[([]([^()[\]]+)[)\]]\s*$/.exec(header);
  return match ? { name: match[1]!, unit: match[2]!.trim() } : { name: header, unit: undefined };
}

/** Least squares of a line; what a first model starts from. */
function line(
  x: readonly (number | string | null)[],
  y: readonly (number | string | null)[],
): { a: number; b: number } {
  const pairs = x.flatMap((u, i): [number, number][] => {
    const v = y[i];
    return typeof u === 'number' && typeof v === 'number' ? [[u, v]] : [];
  });
  const mean = (pick: (pair: [number, number]) => number) =>
    pairs.reduce((sum, pair) => sum + pick(pair), 0) / pairs.length;
  const [mx, my] = [mean(([u]) => u), mean(([, v]) => v)];
  const sxx = pairs.reduce((sum, [u]) => sum + (u - mx) ** 2, 0);
  const sxy = pairs.reduce((sum, [u, v]) => sum + (u - mx) * (v - my), 0);
  const b = sxx > 0 ? sxy / sxx : 0;
  const tidy = (value: number) => (Number.isFinite(value) ? Number(value.toPrecision(3)) : 0);
  return { a: tidy(my - b * mx), b: tidy(b) };
}

/** A document with the table inline and a straight line through two of its columns. Throws where there is nothing to draw. */
export function suggestModel(table: ReadTable, name: string): Draft {
  const numeric = table.columns.filter((column) => column.numeric && column.cells.some((cell) => cell !== null));
  const [x, y] = numeric;
  if (!x || table.rows === 0) throw new Error('No column of numbers was found in this table.');
  const taken = new Set<string>();
  const blocks: BlockDraft[] = [];
  const positions: [string, Point][] = [];
  const add = (stem: string, block: Omit<BlockDraft, 'id'>, at: Point): string => {
    const id = freshId(taken, stem);
    taken.add(id);
    blocks.push({ id, ...block } as BlockDraft);
    positions.push([id, at]);
    return id;
  };
  const column = ({ name: header }: Column, at: Point) => {
    const { name: plain, unit } = unitOfHeader(header);
    return add(asId(plain), { kind: 'column', table: 'data', column: header, ...(unit ? { unit } : {}) }, at);
  };
  const columns = Object.fromEntries(table.columns.map((each) => [each.name, each.cells]));
  const draft: Draft = { format: 'cotangent/1', name, tables: { data: { columns } }, blocks: [] };
  const xId = column(x, [0, 143]);
  if (!y) return { ...draft, blocks, view: { positions: Object.fromEntries(positions) } };
  const start = line(x.cells, y.cells);
  const a = add('a', { kind: 'parameter', initial: start.a }, [140, 0]);
  const b = add('b', { kind: 'parameter', initial: start.b }, [300, 0]);
  const curve = add('model', { kind: 'map', formula: `${a} + ${b} * ${xId}` }, [200, 128]);
  const yId = column(y, [200, 232]);
  const misfit = add('misfit', { kind: 'least-squares', prediction: curve, observed: yId }, [440, 128]);
  return { ...draft, blocks, objective: misfit, view: { positions: Object.fromEntries(positions) } };
}
