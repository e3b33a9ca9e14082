/** Parquet files. Columns that hold structures are left out: their cells are neither numbers nor text. */
import { type FileMetaData, parquetMetadataAsync, parquetRead, type SchemaElement } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { columnTable } from './json-table.ts';
import { exactly } from './rounded.ts';
import { TableError, type Table } from './table.ts';

/** Throws `TableError`. */
export async function readParquet(name: string, file: string, bytes: Uint8Array): Promise<Table> {
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  const source = { byteLength: buffer.byteLength, slice: (start: number, end?: number) => buffer.slice(start, end) };
  try {
    const metadata = await parquetMetadataAsync(source);
    const names = flatColumns(metadata.schema);
    demandKnownCompression(metadata, names);
    const pieces = new Map<string, Piece[]>(names.map((key) => [key, []]));
    await parquetRead({
      file: source,
      metadata,
      columns: names,
      compressors,
      parsers,
      onChunk: ({ columnName, columnData, rowStart }) => {
        pieces.get(columnName)?.push({ from: rowStart, cells: columnData });
      },
    });
    return columnTable(
      name,
      file,
      [...pieces].map(([key, parts]) => [key, joined(parts).map(plain)] as const),
    );
  } catch (error) {
    if (error instanceof TableError) throw error;
    throw new TableError(`it is no Parquet file that can be read: ${reasonOf(error)}`);
  }
}

/** Times in parts of a second as their ISO text, whole: a Date holds milliseconds. */
const parsers = {
  timestampFromMicroseconds: (micros: bigint): unknown => isoTime(micros, 6),
  timestampFromNanoseconds: (nanos: bigint): unknown => isoTime(nanos, 9),
};

/** Of so many 10⁻ᵈ seconds since 1970. */
function isoTime(parts: bigint, digits: number): string {
  const perSecond = 10n ** BigInt(digits);
  const rest = ((parts % perSecond) + perSecond) % perSecond;
  const seconds = new Date(Number((parts - rest) / perSecond) * 1000).toISOString();
  return seconds.replace('.000Z', `.${String(rest).padStart(digits, '0')}Z`);
}

/** In the reader's words, where they are meant for people. */
function reasonOf(error: unknown): string {
  const said = error instanceof Error && error.constructor === Error ? error.message : 'it is broken';
  return /undefined|NaN|\[object/.test(said) ? 'it is broken' : said;
}

/** A part of a column, which begins at the row `from`. */
interface Piece {
  readonly from: number;
  readonly cells: ArrayLike<unknown>;
}

function joined(pieces: readonly Piece[]): unknown[] {
  const cells: unknown[] = [];
  for (const piece of [...pieces].sort((a, b) => a.from - b.from)) {
    if (piece.from !== cells.length) throw new TableError(`row ${cells.length + 1} is missing`);
    for (let i = 0; i < piece.cells.length; i++) cells.push(piece.cells[i]);
  }
  return cells;
}

/** The schema is a tree, its root first, each element before the elements in it. */
function flatColumns([root, ...elements]: readonly SchemaElement[]): string[] {
  const names: string[] = [];
  let at = 0;
  const skip = (): void => {
    for (let inside = elements[at++]?.num_children ?? 0; inside > 0 && at < elements.length; inside--) skip();
  };
  for (let top = root?.num_children ?? 0; top > 0 && at < elements.length; top--) {
    const element = elements[at]!;
    if (names.includes(element.name)) throw new TableError(`two columns are named ${JSON.stringify(element.name)}`);
    if (!element.num_children) names.push(element.name);
    skip();
  }
  return names;
}

function demandKnownCompression({ row_groups }: FileMetaData, names: readonly string[]): void {
  for (const { meta_data } of row_groups.flatMap(({ columns }) => columns)) {
    const [name] = meta_data?.path_in_schema ?? [];
    if (!meta_data || name === undefined || !names.includes(name)) continue;
    const codec = meta_data.codec as string | undefined;
    if (codec !== 'UNCOMPRESSED' && !Object.hasOwn(compressors, codec ?? ''))
      throw new TableError(
        `the column ${JSON.stringify(name)} is compressed by ${codec ?? 'a method that is not known'}, which is not read; ` +
          'write it with SNAPPY or ZSTD, say',
      );
  }
}

/** Numbers and text as JSON has them; a date becomes ISO text, which columns take as dates. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return exactly(value);
  if (value instanceof Date) return value.toISOString();
  return value ?? null;
}
