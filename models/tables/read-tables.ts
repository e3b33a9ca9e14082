/** The tables of a document, from their files or its own text. */
import { errorProblem, type Problem } from '../notation/problem.ts';
import type { TableEntry } from '../notation/table-entry.ts';
import { decodeText, readCsv } from './csv.ts';
import { columnTable, readJsonTable } from './json-table.ts';
import { excludedRows } from './excluded.ts';
import { readNpy } from './npy.ts';
import { pathFault } from './path.ts';
import { TableError, type Table } from './table.ts';

/** Reads a file by its name relative to the document. Throws with a sentence. */
export type ReadFile = (file: string) => Promise<Uint8Array>;

/** A table that cannot be read is missing from the map, and its problem tells why. */
export async function readTables(
  entries: Readonly<Record<string, TableEntry>>,
  readFile: ReadFile,
): Promise<{ tables: Map<string, Table>; problems: Problem[] }> {
  const tables = new Map<string, Table>();
  const problems: Problem[] = [];
  for (const [name, entry] of Object.entries(entries)) {
    try {
      const table = await readTable(name, entry, readFile);
      const excluded = excludedRows(entry.excluded ?? [], table.rows);
      tables.set(name, excluded.length > 0 ? { ...table, excluded } : table);
    } catch (error) {
      const place = 'file' in entry ? `table "${name}" (${entry.file})` : `table "${name}"`;
      problems.push(errorProblem(`${place}: ${error instanceof Error ? error.message : String(error)}`));
    }
  }
  return { tables, problems };
}

async function readTable(name: string, entry: TableEntry, readFile: ReadFile): Promise<Table> {
  if (!('file' in entry)) return columnTable(name, undefined, Object.entries(entry.columns));
  const fault = pathFault(entry.file);
  if (fault !== undefined) throw new TableError(fault);
  const bytes = await readFile(entry.file);
  const extension = /\.([^./\\]*)$/.exec(entry.file)?.[1]?.toLowerCase();
  if (extension === 'parquet') {
    // Loaded only where it is used: its decompressors are by far the largest part of reading tables.
    const { readParquet } = await import('./parquet.ts');
    return readParquet(name, entry.file, bytes);
  }
  if (extension === 'npy') return readNpy(name, entry.file, bytes);
  const text = decodeText(bytes);
  if (extension === 'json') return readJsonTable(name, entry.file, text);
  const delimiter = entry.delimiter ?? (extension === 'tsv' ? '\t' : undefined);
  return readCsv(name, entry.file, text, {
    ...(delimiter !== undefined && { delimiter }),
    ...(entry.decimal !== undefined && { decimal: entry.decimal }),
    ...(entry.header !== undefined && { header: entry.header }),
  });
}
