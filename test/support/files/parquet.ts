/** Writes small Parquet files for tests: one row group, plain and uncompressed, every column required. */

/** Fields of a Thrift struct in the compact protocol, by id in ascending order. */
type Field = readonly [id: number, type: number, bytes: readonly number[]];

const varint = (n: bigint): number[] => (n < 128n ? [Number(n)] : [Number(n & 127n) | 128, ...varint(n >> 7n)]);
const zigzag = (n: number): number[] => varint(BigInt(n) >= 0n ? BigInt(n) * 2n : BigInt(-n) * 2n - 1n);
const text = (s: string): number[] => [...varint(BigInt(Buffer.byteLength(s))), ...Buffer.from(s)];

const i32 = (id: number, n: number): Field => [id, 5, zigzag(n)];
const i64 = (id: number, n: number): Field => [id, 6, zigzag(n)];
const binary = (id: number, s: string): Field => [id, 8, text(s)];
const nested = (id: number, fields: readonly Field[]): Field => [id, 12, struct(fields)];
const list = (id: number, type: number, items: readonly (readonly number[])[]): Field => [
  id,
  9,
  [(items.length << 4) | type, ...items.flat()],
];

function struct(fields: readonly Field[]): number[] {
  let last = 0;
  const bytes = fields.flatMap(([id, type, value]) => {
    const header = ((id - last) << 4) | type;
    last = id;
    return [header, ...value];
  });
  return [...bytes, 0];
}

/** `converted`: what the format calls its type, of what it is stored as: 10 are microseconds since 1970. */
export type ParquetColumn = readonly [name: string, cells: readonly (number | bigint | string)[], converted?: number];

const types = { bigint: 2, number: 5, string: 6 } as const;

function typeOf([, cells]: ParquetColumn): number {
  return types[typeof cells[0] as keyof typeof types];
}

function plain(cell: number | bigint | string): number[] {
  if (typeof cell === 'string') {
    const bytes = Buffer.from(cell);
    return [...Buffer.from(Uint32Array.of(bytes.length).buffer), ...bytes];
  }
  return [...Buffer.from(typeof cell === 'bigint' ? BigInt64Array.of(cell).buffer : Float64Array.of(cell).buffer)];
}

/** `codec`: of the format's list of compressions, in which 0 is none. */
export function parquetFile(columns: readonly ParquetColumn[], codec = 0): Uint8Array {
  const rows = columns[0]?.[1].length ?? 0;
  const file = [...Buffer.from('PAR1')];
  const chunks = columns.map((column) => {
    const data = column[1].flatMap(plain);
    const page = nested(5, [i32(1, rows), i32(2, 0), i32(3, 3), i32(4, 3)]);
    const header = struct([i32(1, 0), i32(2, data.length), i32(3, data.length), page]);
    const offset = file.length;
    file.push(...header, ...data);
    const size = header.length + data.length;
    const meta = [
      i32(1, typeOf(column)),
      list(2, 5, [zigzag(0)]),
      list(3, 8, [text(column[0])]),
      i32(4, codec),
      i64(5, rows),
      i64(6, size),
      i64(7, size),
      i64(9, offset),
    ];
    return struct([i64(2, offset), nested(3, meta)]);
  });
  const root = struct([binary(4, 'schema'), i32(5, columns.length)]);
  const leaves = columns.map((column) =>
    struct([
      i32(1, typeOf(column)),
      i32(3, 0),
      binary(4, column[0]),
      ...(typeOf(column) === types.string ? [i32(6, 0)] : column[2] === undefined ? [] : [i32(6, column[2])]),
    ]),
  );
  const group = struct([list(1, 12, chunks), i64(2, file.length), i64(3, rows)]);
  const footer = struct([i32(1, 1), list(2, 12, [root, ...leaves]), i64(3, rows), list(4, 12, [group])]);
  return Uint8Array.from([
    ...file,
    ...footer,
    ...Buffer.from(Uint32Array.of(footer.length).buffer),
    ...Buffer.from('PAR1'),
  ]);
}
