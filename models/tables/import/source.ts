/** A file as a table that is about to be imported: columns with names and units, their cells not yet typed. */
import type { RawColumn } from '../cells.ts';
import { columnTable } from '../json-table.ts';
import type { Dialect, DialectChoices } from './dialect.ts';
import { unitOfName } from './units-row.ts';

export const importFormats = ['text', 'json', 'parquet', 'npy', 'hdf5'] as const;
export type ImportFormat = (typeof importFormats)[number];

export interface SourceColumn {
  readonly name: string;
  readonly unit: string | undefined;
  readonly raw: RawColumn;
}

/** One of the tables that a file of several holds. */
export interface Part {
  readonly path: string;
  /** What is there, in a few words: `1000 × 3 numbers`. */
  readonly what: string;
}

export interface Source {
  readonly format: ImportFormat;
  readonly columns: readonly SourceColumn[];
  readonly rows: number;
  /** The line of the file on which a row stands, where it has lines. */
  readonly line?: (row: number) => number;
  /** Of a text file. */
  readonly dialect?: Dialect;
  readonly parts: readonly Part[];
  readonly part?: string | undefined;
  /** What is worth knowing of how it was read, in sentences. */
  readonly notes: readonly string[];
}

/** What the user has said of how to read it. */
export interface SourceChoices extends DialectChoices {
  readonly part?: string | undefined;
}

/** A column of a file that has cells and no text: numbers, or what JSON has. */
export interface Cells {
  readonly name: string;
  /** Where the file says one; else the name may. */
  readonly unit?: string | undefined;
  readonly cells: Float64Array | readonly unknown[];
}

/** Throws `TableError` where the columns are not of one length. */
export function sourceOf(
  format: ImportFormat,
  columns: readonly Cells[],
  parts: readonly Part[] = [],
  part?: string,
): Source {
  const heads = columns.map(({ name, unit }) => {
    const found = unitOfName(name);
    return { name: found.name, unit: unit ?? found.unit };
  });
  const names = distinct(heads.map(({ name }) => name));
  const table = columnTable(
    '',
    undefined,
    columns.map(({ cells }, j) => [names[j]!, cells] as const),
  );
  return {
    format,
    columns: [...table.columns].map(([name, raw], j) => ({ name, unit: heads[j]?.unit, raw })),
    rows: table.rows,
    parts: parts.length > 1 ? parts.map(({ path, what }) => ({ path, what })) : [],
    part,
    notes: [],
  };
}

/** Names made one of a kind, in the order of the file: `x`, `x 2`. */
export function distinct(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name, i) => {
    const stem = name === '' ? `column${i + 1}` : name;
    let fresh = stem;
    for (let n = 2; taken.has(fresh); n++) fresh = `${stem} ${n}`;
    taken.add(fresh);
    return fresh;
  });
}
