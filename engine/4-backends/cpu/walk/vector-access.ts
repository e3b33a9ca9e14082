/**
 * Vectors in memory: the elements at so many points in a row along an axis. Neighbours are one load; reversed ones a load
 * and a shuffle; others are loaded into their lanes one by one, so that no operand is ever copied into another order.
 *
 * `apart` is 1, or a local that is 0 where every lane is the first point: a vector's code then does for a single one too.
 */
import { sizeMultiply, type Size } from '../../../0-ir/sizes.ts';
import type { ElementType } from '../../../0-ir/types.ts';
import { read, type Cursor, type Line, type RowTable } from './access.ts';
import type { Kernel } from '../kernel.ts';
import { vectorLanes } from '../scalar/lanes.ts';
import { bytesPerElement } from '../representation.ts';
import { intsOfMask, maskOfInts, vectorConstant, vectorCount } from '../scalar/vector.ts';
import {
  add,
  apply,
  get,
  i32,
  i32x4,
  load,
  loadLane,
  multiply,
  onLane,
  shuffle,
  type Expression,
} from '../wasm/expression.ts';

/** Where the rows of several tables are, by what they are found by. */
export type KnownPlaces = Map<string, RowPlaces>;

/** The points from where the cursor stands, `stride` units apart; `ahead`: so many points further on. */
export function readVector(
  k: Kernel,
  cursor: Cursor,
  stride: Size,
  ahead = 0,
  known: KnownPlaces = new Map(),
  apart = i32(1),
): Expression {
  const { at, element, unit, table } = cursor;
  if (table && element !== 'index') {
    const key = JSON.stringify([cursor.start.code, cursor.strides, table.rows.code, table.rowBytes.code, ahead]);
    const places = known.get(key) ?? rowPlaces(k, table, readVectorAt(k, 'int', get(at), stride, ahead, apart));
    known.set(key, places);
    return rowVector(k, element, table, places, ahead, apart);
  }
  if (element !== 'index') return readVectorAt(k, element, get(at), stride, ahead, apart);
  const first = add(get(at), k.size(sizeMultiply(stride, ahead), unit));
  if (typeof stride === 'number' && apart.constant === 1)
    return apply('i32x4.add', apply('i32x4.splat', first), i32x4(0, stride, 2 * stride, 3 * stride));
  const places = apply('i32x4.mul', apply('i32x4.splat', multiply(apart, k.size(stride))), i32x4(0, 1, 2, 3));
  return apply('i32x4.add', apply('i32x4.splat', first), places);
}

/** Where rows are: in range or not, lane by lane, and how many bytes from the first. */
export interface RowPlaces {
  readonly isInside: Expression;
  readonly bytes: readonly Expression[];
}

/** Of a row out of range the first is taken instead. */
export function rowPlaces(k: Kernel, table: RowTable, rows: Expression): RowPlaces {
  const wanted = get(k.f.keep(rows));
  const isInside = get(k.f.keep(apply('i32x4.lt_u', wanted, apply('i32x4.splat', table.rows))));
  const inside = apply('v128.and', wanted, isInside);
  const bytes = get(k.f.keep(apply('i32x4.mul', inside, apply('i32x4.splat', table.rowBytes))));
  const lane = (at: number) => get(k.f.keep(onLane('i32x4.extract_lane', at, bytes)));
  return { isInside, bytes: Array.from({ length: vectorCount(k.precision) }, (_, at) => lane(at)) };
}

/** What stands there, `ahead` points further on; several tables whose rows are as long may be read at the same places. */
export function rowVector(
  k: Kernel,
  element: ElementType,
  table: RowTable,
  places: RowPlaces,
  ahead = 0,
  apart = i32(1),
): Expression {
  const { bytes } = layoutOf(k, element);
  const along = table.columns?.strides.at(-1);
  const first = (at: number) =>
    along === undefined ? table.first : placeOf(k, table.first, along, bytes, ahead, at, apart);
  const place = (at: number) => add(places.bytes[at]!, first(at));
  let lanes = load(bytes === 8 ? 'v128.load64_zero' : 'v128.load32_zero', place(0));
  for (let at = 1; at < places.bytes.length; at++)
    lanes = loadLane(bytes === 8 ? 'v128.load64_lane' : 'v128.load32_lane', at, place(at), lanes);
  const mask = element === 'int' ? places.isInside : maskOfInts(k, places.isInside);
  if (table.outside === 'zero') return apply('v128.and', lanes, mask);
  return apply('v128.bitselect', lanes, vectorConstant(k.precision, { type: element, value: NaN }), mask);
}

/** At as many items as fill a vector, along the last axis of a cursor's domain; `ahead`: so many items further on. */
export function vectorAcross(k: Kernel, cursor: Cursor, ahead = 0, apart = i32(1)): Expression {
  const stride = cursor.strides.at(-1) ?? 0;
  if (stride !== 0) return readVector(k, cursor, stride, ahead, new Map(), apart);
  return vectorLanes.spread(k, cursor.element === 'index' ? 'int' : cursor.element, read(k, cursor));
}

export function readVectorAt(
  k: Kernel,
  element: ElementType,
  address: Expression,
  stride: Size,
  ahead = 0,
  apart = i32(1),
): Expression {
  const lanes = readLanes(k, element, address, stride, ahead, apart);
  return element === 'bool' ? maskOfInts(k, apply('i32x4.neg', lanes)) : lanes;
}

export function writeVectorAt(
  k: Kernel,
  element: ElementType,
  address: Expression,
  stride: Size,
  value: Expression,
  ahead = 0,
  apart = i32(1),
): void {
  const { bytes, count } = layoutOf(k, element);
  const lanes = get(k.f.keep(element === 'bool' ? apply('i32x4.neg', intsOfMask(k, value)) : value));
  if (isRun(stride, apart)) {
    const { base, offset } = runOf(address, stride, bytes, count, ahead);
    const ordered = stride === 1 ? lanes : reversed(lanes, bytes, count);
    if (bytes * count === 16) k.f.store('v128.store', base, ordered, offset);
    else k.f.storeLane('v128.store64_lane', 0, base, ordered, offset);
    return;
  }
  const name = bytes === 8 ? 'v128.store64_lane' : 'v128.store32_lane';
  for (let lane = 0; lane < count; lane++)
    k.f.storeLane(name, lane, placeOf(k, address, stride, bytes, ahead, lane, apart), lanes);
}

/** Four-byte elements beside f64x2 fill the low half. */
function readLanes(
  k: Kernel,
  element: ElementType,
  address: Expression,
  stride: Size,
  ahead: number,
  apart: Expression,
): Expression {
  const { bytes, count } = layoutOf(k, element);
  if (isRun(stride, apart)) {
    const { base, offset } = runOf(address, stride, bytes, count, ahead);
    const run = load(bytes * count === 16 ? 'v128.load' : 'v128.load64_zero', base, offset);
    return stride === 1 ? run : reversed(get(k.f.keep(run)), bytes, count);
  }
  return lanesAt(
    bytes,
    Array.from({ length: count }, (_, lane) => placeOf(k, address, stride, bytes, ahead, lane, apart)),
  );
}

function lanesAt(bytes: number, [first, ...others]: readonly Expression[]): Expression {
  const lanes = load(bytes === 8 ? 'v128.load64_zero' : 'v128.load32_zero', first!);
  const name = bytes === 8 ? 'v128.load64_lane' : 'v128.load32_lane';
  return others.reduce((so, place, at) => loadLane(name, at + 1, place, so), lanes);
}

/** What stands at a place for each lane. */
export function readEach(k: Kernel, element: ElementType, places: readonly Expression[]): Expression {
  const lanes = lanesAt(layoutOf(k, element).bytes, places);
  return element === 'bool' ? maskOfInts(k, apply('i32x4.neg', lanes)) : lanes;
}

function layoutOf(k: Kernel, element: ElementType) {
  return { bytes: bytesPerElement(k.precision)[element], count: vectorCount(k.precision) };
}

/** Where neighbours begin in memory. An offset of an instruction cannot be negative. */
function runOf(address: Expression, stride: 1 | -1, bytes: number, count: number, ahead: number) {
  if (stride === 1) return { base: address, offset: ahead * bytes };
  return { base: add(address, i32(-(ahead + count - 1) * bytes)), offset: 0 };
}

/** Whether the lanes are neighbours in memory. */
function isRun(stride: Size, apart: Expression): stride is 1 | -1 {
  return (stride === 1 || stride === -1) && apart.constant === 1;
}

/** Of a lane of the vector that begins `ahead` points further on. */
export function placeOf(
  k: Kernel,
  address: Expression,
  stride: Size,
  bytes: number,
  ahead: number,
  lane: number,
  apart: Expression,
): Expression {
  if (apart.constant === 1) return add(address, k.size(sizeMultiply(stride, ahead + lane), bytes));
  const first = add(address, k.size(sizeMultiply(stride, ahead), bytes));
  return lane === 0 ? first : add(first, multiply(apart, k.size(sizeMultiply(stride, lane), bytes)));
}

function reversed(lanes: Expression, bytes: number, count: number): Expression {
  const order = Array.from({ length: 16 }, (_, at) => {
    const lane = Math.floor(at / bytes) % count;
    return (count - 1 - lane) * bytes + (at % bytes);
  });
  return shuffle(lanes, lanes, order);
}

/** Reads whole vectors from where the lines' items stand, `ahead` places from where their walk is. */
export function vectorReaders(k: Kernel, lines: readonly Line[]): ((ahead: number) => Expression)[] {
  return lines.map(({ item, along, stride }) => {
    if (stride === 0) {
      const value = k.f.keep(vectorLanes.spread(k, valueType(item), read(k, item)));
      return () => get(value);
    }
    k.f.set(along.at, get(item.at));
    return (ahead) => readVector(k, along, stride, ahead);
  });
}

function valueType({ element }: Cursor): ElementType {
  return element === 'index' ? 'int' : element;
}
