/**
 * The contract on importing a table: its bytes go to the engine process, which answers what it has found in them; every
 * choice can be made otherwise and the answer asked for again, until the table is taken. One import is under way at a time.
 */
import * as v from 'valibot';
import { count, number, text } from './fields.ts';

const list = <S extends v.GenericSchema>(item: S) => v.pipe(v.array(item), v.readonly());

export const columnType = v.picklist(['real', 'int', 'category', 'date']);
export type ColumnType = v.InferOutput<typeof columnType>;

/** `keep`: in the table, and not in the model; `ignore`: not in the table either. */
export const columnRole = v.picklist(['x', 'y', 'sigma', 'group', 'keep', 'ignore']);
export type ColumnRole = v.InferOutput<typeof columnRole>;

const decimal = v.picklist(['.', ',']);
const thousands = v.picklist(['', ',', '.', ' ', "'"]);
const encoding = v.picklist(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'macintosh']);
/** One character, or `blanks`: runs of blanks. */
const delimiter = v.union([v.literal('blanks'), v.pipe(text, v.length(1))]);

/** How a text file is written; what the keys mean says models/tables/import/dialect.ts. */
const dialect = v.object({
  encoding: text,
  delimiter: text,
  decimal,
  thousands,
  skip: count,
  header: v.boolean(),
  units: v.boolean(),
  comment: text,
  missing: list(text),
});
export type ImportDialect = v.InferOutput<typeof dialect>;

export const importChoices = v.object({
  encoding: v.optional(encoding),
  delimiter: v.optional(delimiter),
  decimal: v.optional(decimal),
  thousands: v.optional(thousands),
  skip: v.optional(count),
  header: v.optional(v.boolean()),
  units: v.optional(v.boolean()),
  comment: v.optional(text),
  missing: v.optional(list(text)),
  /** Which of the tables that the file holds. */
  part: v.optional(text),
  /** By the column's place; null is found. */
  types: v.optional(list(v.nullable(columnType))),
});
export type ImportChoices = v.InferInput<typeof importChoices>;

const importColumn = v.object({
  name: text,
  unit: v.nullable(text),
  type: columnType,
  role: columnRole,
  missing: count,
  /** Cells of another kind than the column, which count as missing: how many, and the first of them. */
  strays: count,
  firstStrays: list(v.object({ row: count, line: v.nullable(count), cell: text })),
  /** Of a category. */
  labels: v.nullable(count),
});
export type ImportColumn = v.InferOutput<typeof importColumn>;

export const importPreview = v.variant('outcome', [
  v.object({
    outcome: v.literal('table'),
    format: v.picklist(['text', 'json', 'parquet', 'npy', 'hdf5']),
    /** Of a text file, as found or chosen. */
    dialect: v.nullable(dialect),
    /** The tables of a file that holds several, and the one that is shown. */
    parts: list(v.object({ path: text, what: text })),
    part: v.nullable(text),
    columns: list(importColumn),
    /** The first rows as they stand in the file. */
    cells: list(list(text)),
    rows: count,
    notes: list(text),
  }),
  v.object({
    outcome: v.literal('fault'),
    /** Why there is no table, in one sentence; and what the file begins with, where it is text. */
    message: text,
    lines: list(text),
  }),
]);
export type ImportPreview = v.InferOutput<typeof importPreview>;

const suggestion = v.object({
  name: text,
  title: text,
  /** In which `{x}` stands for the abscissa and `{k}` for the parameter k. */
  formula: text,
  parameters: list(v.object({ name: text, initial: number })),
  /** With these start values, at `grid`. */
  curve: list(number),
});
export type ImportSuggestion = v.InferOutput<typeof suggestion>;

export const importSuggestions = v.object({
  /** The best first. */
  shapes: list(suggestion),
  /** Some of the data, in the order of x. */
  x: list(number),
  y: list(number),
  grid: list(number),
});
export type ImportSuggestions = v.InferOutput<typeof importSuggestions>;

export const importRequests = {
  /** Takes the place of an import before it. */
  'import.begin': { input: v.object({ name: text, size: count }), output: v.object({}) },
  /** The next bytes of the file; a few MiB at a time. */
  'import.bytes': { input: v.object({ bytes: v.instance(Uint8Array) }), output: v.object({}) },
  'import.preview': { input: v.object({ choices: importChoices }), output: importPreview },
  /** Shapes that explain column `y` over column `x` (the row's number without one), with start values. */
  'import.suggest': {
    input: v.object({
      choices: importChoices,
      x: v.optional(count),
      y: count,
      sigma: v.optional(count),
    }),
    output: importSuggestions,
  },
  /** The entry of `tables` that holds these columns; a large table is written to a file beside the document. */
  'import.take': {
    input: v.object({
      choices: importChoices,
      columns: list(count),
      /** Those of them without which a row says nothing: where one of its cells is missing, it is left out. */
      whole: list(count),
      /** Of the document that is to have it. */
      location: v.variant('kind', [
        v.object({ kind: v.literal('file'), path: text }),
        v.object({ kind: v.literal('example'), name: text }),
        v.object({ kind: v.literal('unsaved') }),
      ]),
    }),
    output: v.object({
      entry: v.custom<Record<string, unknown>>((input) => typeof input === 'object' && input !== null),
    }),
  },
  /** Stops what is being read and forgets the bytes. */
  'import.end': { input: v.object({}), output: v.object({}) },
} as const;

/** At most every 30 ms, while a file is read: which share of it has been. */
export const importProgress = v.object({ share: number });
