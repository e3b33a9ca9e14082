/**
 * Tables anywhere in JSON: an array of objects, an object of columns, an array of rows; nested objects of a record become
 * columns `a.b`. Lines of JSON, one record each, are read as well.
 */
import { JsonError, parseExactJson, type ExactJson as Json } from '../../notation/json.ts';
import { TableError } from '../table.ts';
import { sourceOf, type Part, type Source } from './source.ts';

/** Deeper than this nobody keeps a table. */
const deepest = 4;

interface Found extends Part {
  readonly json: Json;
}

/** Throws `TableError`, with line and column where the text is no JSON. */
export function readJsonSource(text: string, part: string | undefined): Source {
  const found = tablesIn(parse(text), '', 0);
  const chosen = part === undefined ? found[0] : found.find(({ path }) => path === part);
  if (!chosen)
    throw new TableError(
      'it holds no table: wanted an array of objects, an object of columns of equal length, or an array of rows',
    );
  const columns = columnsOf(chosen.json).map(([name, cells]) => ({ name, cells }));
  return sourceOf('json', columns, found, chosen.path);
}

function parse(text: string): Json {
  const plain = text.startsWith('\uFEFF') ? text.slice(1) : text;
  try {
    const json = JSON.parse(plain) as Json;
    // By far the faster of the two, and blind to what a number says beyond its value.
    return beyondReals.test(plain) ? placed(plain) : json;
  } catch {
    const lines = plain.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '');
    if (lines.length > 1 && lines.every((line) => line.trimStart().startsWith('{')))
      return lines.map((line, i) => placed(line, i));
    // It has no line in its message; ours has.
    return placed(plain);
  }
}

/** Whole numbers of 16 digits or more, and exponents of three digits, which JSON.parse rounds and makes infinite. */
const beyondReals = /(?:^|[\s,:[])-?\d{16,}(?=[\s,\]}]|$)|\d[eE]\+?\d{3}/;

function placed(text: string, before = 0): Json {
  try {
    return parseExactJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new TableError(`it is no JSON: ${before === 0 ? '' : `record ${before + 1}, `}${error.message}`);
  }
}

const isObject = (json: Json): json is { [key: string]: Json } =>
  typeof json === 'object' && json !== null && !Array.isArray(json);
const isNumber = (json: Json): boolean => typeof json === 'number' || typeof json === 'bigint';
const isCell = (json: Json): boolean => typeof json !== 'object' || json === null;

function tablesIn(json: Json, path: string, depth: number): Found[] {
  const what = describe(json);
  if (what !== undefined) return [{ path, what, json }];
  if (!isObject(json) || depth === deepest) return [];
  return Object.entries(json).flatMap(([key, value]) =>
    tablesIn(value, path === '' ? key : `${path}.${key}`, depth + 1),
  );
}

/** What table it is, in words; undefined where it is none. */
function describe(json: Json): string | undefined {
  if (Array.isArray(json)) {
    if (json.length === 0) return undefined;
    if (json.every(isObject)) return `${json.length} records`;
    if (json.every((row) => Array.isArray(row) && row.every(isCell))) return `${json.length} rows`;
    return json.every((cell) => isNumber(cell) || cell === null) ? `${json.length} numbers` : undefined;
  }
  if (!isObject(json)) return undefined;
  const columns = Object.values(json);
  const [first] = columns;
  if (!Array.isArray(first) || first.length === 0) return undefined;
  const alike = columns.every((cells) => Array.isArray(cells) && cells.length === first.length && cells.every(isCell));
  return alike ? `${columns.length} columns, ${first.length} rows` : undefined;
}

function columnsOf(json: Json): (readonly [name: string, cells: readonly Json[]])[] {
  if (isObject(json)) return Object.entries(json) as [string, Json[]][];
  const rows = json as Json[];
  if (rows.every(isObject)) return recordColumns(rows);
  if (rows.every(isCell)) return [['', rows]];
  return rowColumns(rows as Json[][]);
}

/** A nested object's entries are columns of their own. What is nested otherwise has no column. */
function recordColumns(records: readonly { [key: string]: Json }[]): [string, Json[]][] {
  const columns = new Map<string, Json[]>();
  const take = (record: { [key: string]: Json }, prefix: string, row: number): void => {
    for (const [key, value] of Object.entries(record)) {
      const name = `${prefix}${key}`;
      if (isObject(value)) {
        take(value, `${name}.`, row);
        continue;
      }
      if (Array.isArray(value))
        throw new TableError(
          `record ${row + 1}: ${JSON.stringify(name)} is an array; wanted a number, a string or null`,
        );
      let cells = columns.get(name);
      if (!cells) columns.set(name, (cells = new Array<Json>(records.length).fill(null)));
      cells[row] = value;
    }
  };
  for (const [row, record] of records.entries()) take(record, '', row);
  return [...columns];
}

/** The first row names the columns where it holds text alone. */
function rowColumns(rows: readonly (readonly Json[])[]): [string, Json[]][] {
  const [head = []] = rows;
  const named = rows.length > 1 && head.every((cell) => typeof cell === 'string') && rows[1]?.some(isNumber);
  const body = named ? rows.slice(1) : rows;
  const ragged = body.findIndex((row) => row.length !== head.length);
  if (ragged >= 0)
    throw new TableError(`row ${ragged + 1} has ${body[ragged]!.length} cells, and the first ${head.length}`);
  return head.map((name, j) => [named ? String(name) : '', body.map((row) => row[j] as Json)]);
}
