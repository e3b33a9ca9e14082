/** Tables in JSON: an array of objects, or an object of columns (as `columns` in a document is). */
import { JsonError, parseExactJson, type ExactJson } from '../notation/json.ts';
import type { RawColumn } from './cells.ts';
import { columnLength, TableError, type Table } from './table.ts';

export function readJsonTable(name: string, file: string, text: string): Table {
  let json: ExactJson;
  try {
    json = parseExactJson(text);
  } catch (error) {
    if (error instanceof JsonError) throw new TableError(error.message);
    throw error;
  }
  if (Array.isArray(json)) return fromRecords(name, file, json);
  if (typeof json === 'object' && json !== null) return columnTable(name, file, Object.entries(json));
  throw new TableError('wanted an array of objects or an object of columns');
}

function fromRecords(name: string, file: string, records: readonly ExactJson[]): Table {
  const cells = new Map<string, ExactJson[]>();
  for (const [i, record] of records.entries()) {
    if (typeof record !== 'object' || record === null || Array.isArray(record))
      throw new TableError(`row ${i + 1} is no object`);
    for (const key of Object.keys(record)) if (!cells.has(key)) cells.set(key, new Array<ExactJson>(i).fill(null));
    for (const [key, column] of cells) column.push(Object.hasOwn(record, key) ? (record[key] as ExactJson) : null);
  }
  return columnTable(name, file, [...cells]);
}

/** A table of columns of numbers (whole ones that no real holds too), strings and nulls. Throws `TableError`. */
export function columnTable(
  name: string,
  file: string | undefined,
  entries: readonly (readonly [string, unknown])[],
): Table {
  const columns = new Map<string, RawColumn>();
  let rows: number | undefined;
  for (const [key, cells] of entries) {
    if (!Array.isArray(cells) && !(cells instanceof Float64Array))
      throw new TableError(`the column ${JSON.stringify(key)} is no list of cells`);
    if (columns.has(key)) throw new TableError(`two columns are named ${JSON.stringify(key)}`);
    const column = readColumn(key, cells);
    const length = columnLength(column);
    if (rows !== undefined && length !== rows)
      throw new TableError(`the column ${JSON.stringify(key)} has ${length} rows, and the one before it ${rows}`);
    rows = length;
    columns.set(key, column);
  }
  return { name, file, rows: rows ?? 0, columns };
}

function readColumn(name: string, cells: Float64Array | readonly unknown[]): RawColumn {
  if (cells instanceof Float64Array) return { kind: 'numbers', values: cells };
  if (cells.every((cell) => typeof cell === 'number')) return { kind: 'numbers', values: Float64Array.from(cells) };
  const quoted: boolean[] = [];
  const texts = cells.map((cell, i) => {
    if (cell === null || typeof cell === 'number' || typeof cell === 'bigint') {
      quoted.push(false);
      return cell === null ? '' : String(cell);
    }
    if (typeof cell === 'boolean') cell = String(cell);
    if (typeof cell !== 'string')
      throw new TableError(`row ${i + 1} of the column ${JSON.stringify(name)} is neither a number nor a string`);
    // A string is text, but for the words that stand for what JSON cannot write.
    quoted.push(!['NA', 'NaN', 'null', 'Infinity', '-Infinity'].includes(cell));
    return cell;
  });
  return {
    kind: 'text',
    length: texts.length,
    cell: (row) => texts[row]!,
    quoted: (row) => quoted[row]!,
    decimal: '.',
  };
}
