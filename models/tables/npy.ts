/**
 * NPY files (NumPy's format, versions 1 to 3): a magic string, the length of a header, the header as a Python literal in Latin-1
 * (from version 3 on UTF-8), then the elements. Source: numpy.lib.format. Arrays of numbers of rank 1 or 2, or records of numbers; little-endian.
 */
import { columnTable } from './json-table.ts';
import { exactly } from './rounded.ts';
import { TableError, type Table } from './table.ts';

const magic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];

type Reader = (view: DataView, at: number) => number | bigint;

const readers: Readonly<Record<string, readonly [bytes: number, read: Reader]>> = {
  f8: [8, (view, at) => view.getFloat64(at, true)],
  f4: [4, (view, at) => view.getFloat32(at, true)],
  i8: [8, (view, at) => exactly(view.getBigInt64(at, true))],
  i4: [4, (view, at) => view.getInt32(at, true)],
  i2: [2, (view, at) => view.getInt16(at, true)],
  i1: [1, (view, at) => view.getInt8(at)],
  u8: [8, (view, at) => exactly(view.getBigUint64(at, true))],
  u4: [4, (view, at) => view.getUint32(at, true)],
  u2: [2, (view, at) => view.getUint16(at, true)],
  u1: [1, (view, at) => view.getUint8(at)],
  b1: [1, (view, at) => view.getUint8(at)],
};

/** The columns of a matrix are `column1`, `column2`, …; those of records have their own names. Throws `TableError`. */
export function readNpy(name: string, file: string, bytes: Uint8Array): Table {
  if (bytes.length < 12 || magic.some((byte, i) => bytes[i] !== byte)) throw new TableError('it is no NPY file');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const wide = bytes[6]! >= 2;
  const start = wide ? 12 : 10;
  const data = start + (wide ? view.getUint32(8, true) : view.getUint16(8, true));
  const { header, nameOf } = withoutNames(headerText(bytes[6]!, bytes.subarray(start, data)));
  const shape = shapeOf(header);
  const [rows, width = 1] = shape;
  if (rows === undefined || shape.length > 2)
    throw new TableError(`wanted an array of rank 1 or 2, got one of rank ${shape.length}`);
  // Of no rows there may be as many columns as one likes to say.
  if (width > bytes.length) throw new TableError(`it says that it has ${width} columns, and is shorter than that`);
  const fields = fieldsOf(header, width, nameOf);
  if (shape.length === 2 && isRecords(header)) throw new TableError('wanted a list of records, got a matrix of them');
  const stride = fields.reduce((sum, { size }) => sum + size, 0);
  if (data + rows * stride > bytes.length)
    throw new TableError(
      `the file ends early: wanted ${rows * stride} bytes of elements, got ${Math.max(bytes.length - data, 0)}`,
    );
  const byColumn = /'fortran_order':\s*True/.test(header) && shape.length === 2;
  let before = 0;
  const columns = fields.map(({ label, size, read }, j) => {
    const offset = before;
    before += size;
    const at = (i: number): number => data + (byColumn ? (j * rows + i) * size : i * stride + offset);
    const values = new Float64Array(rows);
    for (let i = 0; i < rows; i++) {
      const value = read(view, at(i));
      // A whole number that no real is: the column is read again, with its digits.
      if (typeof value === 'bigint') return [label, Array.from(values, (_, row) => read(view, at(row)))] as const;
      values[i] = value;
    }
    return [label, values] as const;
  });
  return columnTable(name, file, columns);
}

function headerText(version: number, bytes: Uint8Array): string {
  // What is called Latin-1 on the web is Windows-1252.
  return version >= 3
    ? new TextDecoder().decode(bytes)
    : Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}

interface Header {
  /** Strings that are more than a word are `'#0'`, `'#1'`, … */
  readonly header: string;
  /** Of what stands in its place. */
  readonly nameOf: (text: string) => string;
}

/** So that nothing in a name is taken for a part of the header. */
function withoutNames(text: string): Header {
  const names: string[] = [];
  const header = text.replaceAll(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/gs, (literal) => {
    const name = unescaped(literal.slice(1, -1));
    return /^[\w<>|=]*$/.test(name) ? `'${name}'` : `'#${names.push(name) - 1}'`;
  });
  return { header, nameOf: (word) => (word.startsWith('#') ? names[Number(word.slice(1))]! : word) };
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** As Python's `repr` writes what does not print. */
function unescaped(text: string): string {
  return text.replaceAll(
    /\\(?:x([\da-f]{2})|u([\da-f]{4})|U(0010[\da-f]{4}|000[\da-f]{5})|(.))/gs,
    (_, byte?: string, short?: string, long?: string, other = '') => {
      const code = byte ?? short ?? long;
      return code === undefined ? (escapes[other] ?? other) : String.fromCodePoint(Number.parseInt(code, 16));
    },
  );
}

function shapeOf(header: string): number[] {
  const text = /'shape':\s*\(([^)]*)\)/.exec(header)?.[1];
  if (text === undefined) throw new TableError('its header says no shape');
  const sizes = text.replace(/,\s*$/, '').trim();
  if (sizes === '') return [];
  return sizes.split(',').map((size) => {
    if (!/^\s*\d+\s*$/.test(size) || !Number.isSafeInteger(Number(size)))
      throw new TableError(`wanted a shape of whole numbers that are not negative, got (${text.trim()})`);
    return Number(size);
  });
}

interface Field {
  readonly label: string;
  readonly size: number;
  readonly read: Reader;
}

function fieldsOf(header: string, width: number, nameOf: Header['nameOf']): Field[] {
  const records = /'descr':\s*\[(.*?)\]\s*,\s*'/s.exec(header)?.[1];
  if (records !== undefined && !/^\s*(?:\('[^'\\]*',\s*'[^']*'\)\s*(?:,\s*|$))+$/.test(records))
    throw new TableError(
      `records of [${records.replaceAll(/'(#\d+)'/g, (_, word: string) => `'${nameOf(word)}'`)}] are not read; wanted a name and a type of numbers for each field`,
    );
  if (records !== undefined)
    return [...records.matchAll(/\('([^']*)',\s*'([^']*)'\)/g)].map(([, label = '', type = '']) =>
      field(nameOf(label), nameOf(type)),
    );
  const type = /'descr':\s*'([^']*)'/.exec(header)?.[1] ?? '';
  return Array.from({ length: width }, (_, j) => field(`column${j + 1}`, nameOf(type)));
}

const isRecords = (header: string): boolean => /'descr':\s*\[/.test(header);

function field(label: string, type: string): Field {
  const found = Object.hasOwn(readers, type.slice(1)) ? readers[type.slice(1)] : undefined;
  if (!found || (type.startsWith('>') && found[0] > 1))
    throw new TableError(
      `elements of type ${JSON.stringify(type)} are not read; wanted little-endian integers, or floats of 4 or 8 bytes`,
    );
  return { label, size: found[0], read: found[1] };
}
