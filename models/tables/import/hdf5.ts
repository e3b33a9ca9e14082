/**
 * HDF5 files, read by h5wasm: the HDF5 library as WebAssembly, loaded only when such a file is opened, in the memory of
 * this process alone. A table is a data set of rank 1 or 2, one of records, or a group's data sets of equal length.
 */
import * as h5 from 'h5wasm';
import { exactly } from '../rounded.ts';
import { TableError } from '../table.ts';
import { sourceOf, type Cells, type Part, type Source } from './source.ts';

/** Wider than this a matrix is an image, and no table whose columns anybody would name. */
const mostColumns = 200;

interface Found extends Part {
  readonly read: () => Cells[];
}

/** Throws `TableError`. */
export async function readHdf5Source(bytes: Uint8Array, part: string | undefined): Promise<Source> {
  const { FS, activate_throwing_error_handler: throwErrors } = await h5.ready;
  const path = 'table.h5';
  let file: h5.File | undefined;
  try {
    throwErrors();
    FS.writeFile(path, bytes);
    file = new h5.File(path, 'r');
    const parts = tablesOf(file, '');
    const chosen = part === undefined ? parts[0] : parts.find((each) => each.path === part);
    if (!chosen)
      throw new TableError('it holds no table: wanted data sets of rank 1 or 2 of numbers or text, or one of records');
    return sourceOf('hdf5', chosen.read(), parts, chosen.path);
  } catch (error) {
    if (error instanceof TableError) throw error;
    throw new TableError(`it is no HDF5 file that can be read: ${reasonOf(error)}`);
  } finally {
    attempt(() => file?.close());
    attempt(() => FS.unlink(path));
  }
}

/** In the library's words; where it broke down itself (a trap of WebAssembly, after which it reads no file more) in ours. */
function reasonOf(error: unknown): string {
  const [reason = ''] = error instanceof Error && error.constructor === Error ? error.message.split('\n') : [];
  return reason === '' || /undefined|Aborted/.test(reason) ? 'it is broken' : reason;
}

/** What was never begun, or what a library that broke down cannot end, is nothing to end. */
function attempt(work: () => unknown): void {
  try {
    work();
  } catch {
    // The import that is under way has failed already, and the next has a reader of its own.
  }
}

/** A group of columns first, then what it holds one by one, then the groups below it. */
function tablesOf(group: h5.Group, path: string): Found[] {
  const entries = group.keys().map((name) => ({ name, entity: group.get(name), path: `${path}/${name}` }));
  const sets = entries.flatMap(({ name, entity, path: at }) =>
    entity instanceof h5.Dataset && isTable(entity) ? [{ name, set: entity, path: at }] : [],
  );
  const columns = sets.filter(({ set }) => set.shape?.length === 1 && set.metadata.compound_type === undefined);
  const lengths = new Set(columns.map(({ set }) => set.shape?.[0]));
  const together: Found[] =
    columns.length > 1 && lengths.size === 1
      ? [
          {
            path: path === '' ? '/' : path,
            what: `${columns.length} columns, ${[...lengths][0]} rows`,
            read: () => columns.flatMap(({ name, set }) => cellsOf(name, set)),
          },
        ]
      : [];
  const alone = sets.map(({ name, set, path: at }): Found => ({
    path: at,
    what: describe(set),
    read: () => cellsOf(name, set),
  }));
  const below = entries.flatMap(({ entity, path: at }) => (entity instanceof h5.Group ? tablesOf(entity, at) : []));
  return [...together, ...alone, ...below];
}

function isTable({ shape, metadata }: h5.Dataset): boolean {
  if (shape === null || metadata.total_size === 0) return false;
  if (metadata.compound_type) return shape.length === 1;
  if (!(isNumber(metadata.type) || metadata.type === classes.text || metadata.enum_type)) return false;
  return shape.length === 1 || (shape.length === 2 && shape[1]! <= mostColumns);
}

/** H5T_class_t of the library. */
const classes = { integer: 0, float: 1, text: 3 } as const;

function isNumber(type: number): boolean {
  return type === classes.integer || type === classes.float;
}

function describe({ shape, metadata }: h5.Dataset): string {
  const [rows, width] = shape ?? [];
  if (metadata.compound_type) return `${rows} records of ${metadata.compound_type.members.length}`;
  const of = metadata.type === classes.text ? 'texts' : 'numbers';
  return width === undefined ? `${rows} ${of}` : `${rows} × ${width} ${of}`;
}

function unitOf(set: h5.Dataset): string | undefined {
  for (const name of ['units', 'unit', 'Units', 'Unit']) {
    const value = Object.hasOwn(set.attrs, name) ? set.attrs[name]?.value : undefined;
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

function cellsOf(name: string, set: h5.Dataset): Cells[] {
  const { metadata, shape } = set;
  const value = set.value;
  if (metadata.compound_type) {
    const records = value as unknown[][];
    return metadata.compound_type.members.map((member, j) => ({
      name: member.name,
      cells: columnFrom(records.map((record) => record[j])),
    }));
  }
  const flat = value as ArrayLike<unknown>;
  const [rows = 0, width] = shape ?? [];
  const unit = unitOf(set);
  if (width === undefined) return [{ name, unit, cells: columnFrom(flat) }];
  return Array.from({ length: width }, (_, j) => ({
    name: `${name} ${j + 1}`,
    unit,
    cells: columnFrom(Array.from({ length: rows }, (_, i) => flat[i * width + j])),
  }));
}

function columnFrom(values: ArrayLike<unknown>): Float64Array | unknown[] {
  if (values instanceof Float64Array) return values;
  const cells = Array.from(values, (value) => (typeof value === 'bigint' ? exactly(value) : value));
  return cells.every((cell) => typeof cell === 'number') ? Float64Array.from(cells) : cells;
}
