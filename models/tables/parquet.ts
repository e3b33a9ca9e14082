/** Parquet files of flat columns. */
import { parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { columnTable } from './json-table.ts';
import { TableError, type Table } from './table.ts';

/** Throws `TableError`. */
export async function readParquet(name: string, file: string, bytes: Uint8Array): Promise<Table> {
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  const source = { byteLength: buffer.byteLength, slice: (start: number, end?: number) => buffer.slice(start, end) };
  try {
    const metadata = await parquetMetadataAsync(source);
    const rows = (await parquetReadObjects({ file: source, metadata, compressors })) as Record<string, unknown>[];
    const names = metadata.schema.slice(1).flatMap((element) => (element.num_children ? [] : [element.name]));
    return columnTable(
      name,
      file,
      names.map((key) => [key, rows.map((row) => plain(row[key]))] as const),
    );
  } catch (error) {
    if (error instanceof TableError) throw error;
    throw new TableError(
      `it is no Parquet file that can be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Numbers and text as JSON has them; a date becomes ISO text, which columns take as dates. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') {
    const number = Number(value);
    if (!Number.isSafeInteger(number)) throw new TableError(`${value} has more digits than a real holds`);
    return number;
  }
  if (value instanceof Date) return value.toISOString();
  return value ?? null;
}
