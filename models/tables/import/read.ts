/** Any file that holds a table, told by its first bytes and then by its name. */
import { readNpy } from '../npy.ts';
import { TableError, type Table } from '../table.ts';
import { decode, type Encoding } from './encoding.ts';
import { readJsonSource } from './json.ts';
import { distinct, type ImportFormat, type Source, type SourceChoices } from './source.ts';
import { readTextSource } from './text.ts';
import { unitOfName } from './units-row.ts';

/** Throws `TableError`: one sentence, with line and column where there are any. */
export async function readSource(
  name: string,
  bytes: Uint8Array,
  choices: SourceChoices,
  onProgress?: (share: number) => void,
): Promise<Source> {
  if (bytes.length === 0) throw new TableError('the file is empty');
  const format = formatOf(name, bytes);
  switch (format) {
    case 'parquet': {
      // Loaded only where they are used: decompressors and the HDF5 library are by far the largest part of reading.
      const { readParquet } = await import('../parquet.ts');
      return fromTable(format, await readParquet(name, name, bytes));
    }
    case 'hdf5': {
      const { readHdf5Source } = await import('./hdf5.ts');
      return readHdf5Source(bytes, choices.part);
    }
    case 'npy':
      return fromTable(format, readNpy(name, name, bytes));
    case 'json':
      return readJsonSource(decode(bytes).text, choices.part);
    case 'text': {
      const { text, encoding } = decode(bytes, choices.encoding as Encoding | undefined);
      return readTextSource(text, encoding, choices, onProgress);
    }
  }
}

function fromTable(format: ImportFormat, { columns, rows }: Table): Source {
  const heads = [...columns].map(([name, raw]) => ({ ...unitOfName(name), raw }));
  const names = distinct(heads.map(({ name }) => name));
  return {
    format,
    columns: heads.map(({ unit, raw }, j) => ({ name: names[j]!, unit, raw })),
    rows,
    parts: [],
    notes: [],
  };
}

const magics: readonly (readonly [ImportFormat, readonly number[]])[] = [
  ['parquet', [0x50, 0x41, 0x52, 0x31]],
  ['hdf5', [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['npy', [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59]],
];

/** What other files begin with, and what to do with them. */
const others: readonly (readonly [string, readonly number[]])[] = [
  [
    'it is a ZIP archive or an Excel workbook: save the sheet as CSV, or copy its cells and paste them',
    [0x50, 0x4b, 3, 4],
  ],
  [
    'it is an Excel workbook of before 2007: save the sheet as CSV, or copy its cells and paste them',
    [0xd0, 0xcf, 0x11, 0xe0],
  ],
  ['it is compressed by gzip: unpack it first', [0x1f, 0x8b]],
  ['it is a PDF: copy the table out of it and paste it', [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ['it is a picture', [0x89, 0x50, 0x4e, 0x47]],
  ['it is a picture', [0xff, 0xd8, 0xff]],
];

function formatOf(name: string, bytes: Uint8Array): ImportFormat {
  const begins = (magic: readonly number[]): boolean => magic.every((byte, i) => bytes[i] === byte);
  const found = magics.find(([, magic]) => begins(magic));
  if (found) return found[0];
  const other = others.find(([, magic]) => begins(magic));
  if (other) throw new TableError(other[0]);
  const extension = /\.([^./\\]*)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  if (extension === 'json' || extension === 'jsonl' || extension === 'ndjson') return 'json';
  if (extension === 'parquet' || extension === 'npy') return extension;
  if (extension === 'h5' || extension === 'hdf5') return 'hdf5';
  // Pasted text and files of other names: a bracket that no table of text begins with.
  const head = new TextDecoder()
    .decode(bytes.subarray(0, 200))
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (/^<(?:!doctype\s+html|html\b)/i.test(head))
    throw new TableError('it is a page of the web: copy the table out of it and paste it');
  return /^(?:\{\s*["}]|\[\s*[{["\d-])/.test(head) && !/^\[[^\]{"]*[A-Za-z]/.test(head) ? 'json' : 'text';
}
