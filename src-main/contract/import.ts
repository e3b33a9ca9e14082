/**
 * The contract on importing a table: its bytes go to the engine process, which answers what it has found in them; every
 * choice can be made otherwise and the answer asked for again, until the table is taken. One import is under way at a time.
 */
import * as v from 'valibot';
import { count, number, text } from './fields.ts';

const list = <S extends v.GenericSchema>(item: S) => v.pipe(v.array(item), v.readonly());

const plain = v.custom<Record<string, unknown>>((input) => typeof input === 'object' && input !== null);

export const columnType = v.picklist(['real', 'int', 'category', 'date']);
export type ColumnType = v.InferOutput<typeof columnType>;

/** As models/experiment/roles.ts has them. */
export const columnRole = v.picklist([
  ...(['x', 'y', 'sigma', 'repeats', 'weight', 'group', 'dose', 'condition', 'control'] as const),
  ...(['trials', 'limit', 'censored', 'event', 'exclude', 'keep', 'ignore'] as const),
]);
export type ColumnRole = v.InferOutput<typeof columnRole>;

/** What several columns of y are, as models/experiment/roles.ts has it. */
const together = v.picklist(['replicates', 'groups', 'names', 'specific']);
export type Together = v.InferOutput<typeof together>;

/** How readings scatter, as models/experiment/roles.ts has it. */
const noise = v.picklist(['constant', 'proportional', 'counts']);
export type Noise = v.InferOutput<typeof noise>;

/** Whether a parameter is one for all groups, as models/experiment/sharing.ts has it. */
const sharing = v.picklist(['shared', 'group', 'hierarchical']);
export type Sharing = v.InferOutput<typeof sharing>;

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
    together,
    /** Labels that set 100 % and 0 %, where there are such. */
    controls: v.nullable(v.object({ full: list(text), zero: list(text) })),
    /** The first rows as they stand in the file. */
    cells: list(list(text)),
    rows: count,
    notes: list(text),
  }),
  /** A model of another program, which needs no choices. */
  v.object({
    outcome: v.literal('model'),
    format: v.picklist(['sbml', 'petab']),
    document: plain,
    /** What was left out or changed. */
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

/** What the columns are for, as found or chosen. */
const experiment = v.object({
  choices: importChoices,
  /** By the column's place, as are units; null is the one that was found. */
  roles: list(columnRole),
  units: list(v.nullable(text)),
  together,
  /** Whether labels of controls set 0 % and 100 %. */
  controls: v.boolean(),
  /** The likeliest unless said. */
  noise: v.optional(noise),
  /** By its name one shape of the library; the best of those that could fit unless said. */
  shape: v.optional(text),
  /** Of that shape, by parameter; those of the best of some choices unless said. */
  sharing: v.optional(v.record(text, sharing)),
});
export type ImportExperiment = v.InferOutput<typeof experiment>;

const line = v.object({ x: list(number), y: list(number) });

const contestant = v.object({
  shape: text,
  title: text,
  use: text,
  reference: text,
  /** In the names of the columns. */
  formula: text,
  /** NaN where there are too few readings for it. */
  aicc: number,
  objective: number,
  /** Free elements. */
  count,
  parameters: list(
    v.object({
      name: text,
      meaning: text,
      unit: text,
      sharing,
      /** One, or one for each group, of a hierarchical one the typical; with the ends of its 95 % interval, infinite where it reaches beyond what the parameter can be. */
      values: list(v.object({ value: number, lower: number, upper: number })),
    }),
  ),
  /** At the fit, one for each group, at the typical values of what is hierarchical; of a density one, the counts of all groups that it expects in a bin. */
  curves: list(line),
});
export type ImportContestant = v.InferOutput<typeof contestant>;

const axis = v.object({ label: text, unit: text, scale: v.picklist(['linear', 'log']) });

export const importContest = v.object({
  /** The best first, five at most. */
  contestants: list(contestant),
  x: axis,
  y: axis,
  /** Labels; one empty label where there are no groups. */
  groups: list(text),
  /** Some of the readings by group, those that are excluded apart. Of a density the counts of all groups in bins, over their middles. */
  points: list(line),
  excluded: list(line),
  /** Of a histogram. */
  binWidth: v.nullable(number),
  /** How the readings scatter about these shapes, and how they could. */
  noise,
  noises: list(noise),
  readings: count,
  /** The shapes were fitted to so many of them: all, but while a contest over a long table goes on or where it was stopped. */
  fitted: count,
  dropped: list(v.object({ row: count, column: v.optional(text), why: text })),
  /** Why there are no contestants. */
  why: text,
  /** By the user: there are shapes that were not fitted. */
  stopped: v.boolean(),
});
export type ImportContest = v.InferOutput<typeof importContest>;

const libraryShape = v.object({ name: text, title: text, field: text, formula: text, use: text, reference: text });
export type LibraryShape = v.InferOutput<typeof libraryShape>;

const location = v.variant('kind', [
  v.object({ kind: v.literal('file'), path: text }),
  v.object({ kind: v.literal('example'), name: text }),
  v.object({ kind: v.literal('unsaved') }),
]);

export const importRequests = {
  /** Takes the place of an import before it. */
  'import.begin': { input: v.object({ name: text, size: count }), output: v.object({}) },
  /** The next bytes of the file; a few MiB at a time. */
  'import.bytes': { input: v.object({ bytes: v.instance(Uint8Array) }), output: v.object({}) },
  'import.preview': { input: v.object({ choices: importChoices }), output: importPreview },
  /** The shapes that the readings could have, each fitted: the best, and the next four. Another one stops it. */
  'import.contest': {
    /** `asked`: a number that the events on it bear. */
    input: v.object({ ...experiment.entries, asked: v.optional(count) }),
    output: importContest,
  },
  /** The document of the shape that was taken; a large table is written to a file beside it. */
  'import.make': {
    input: v.object({ experiment, name: text, location }),
    output: v.object({ document: plain }),
  },
  /** The readings as the roles have them, as columns of a document without a model; a large table as of `import.make`. */
  'import.readings': {
    input: v.object({ experiment, name: text, location }),
    output: v.object({ document: plain }),
  },
  'import.library': { input: v.object({}), output: list(libraryShape) },
  /** The entry of `tables` that holds these columns; a large table is written to a file beside the document. */
  'import.take': {
    input: v.object({
      choices: importChoices,
      columns: list(count),
      /** Those of them without which a row says nothing: where one of its cells is missing, it is left out. */
      whole: list(count),
      /** Of the document that is to have it. */
      location,
    }),
    output: v.object({ entry: plain }),
  },
  /** Stops the contest, which then tells what it has found. */
  'import.stop': { input: v.object({}), output: v.object({}) },
  /** Stops what is being read and forgets the bytes. */
  'import.end': { input: v.object({}), output: v.object({}) },
} as const;

/** While shapes are fitted. */
export const contestProgress = v.object({
  asked: count,
  /** Of the fits that are done. */
  share: number,
  /** The best by now; null where that is as it was. */
  contest: v.nullable(importContest),
});
export type ContestProgress = v.InferOutput<typeof contestProgress>;

/** At most every 30 ms, while a file is read: which share of it has been. */
export const importProgress = v.object({ share: number });
