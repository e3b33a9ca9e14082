/**
 * Strips: a line cut into neighbouring stretches of equal length, as many as the lanes of several vectors, that advance
 * side by side, a block of as many places as a vector has lanes at a time. Where a line's elements are neighbours, a block
 * is loaded by rows (places of one strip) and transposed to columns (one place of all strips).
 */
import { sizeMultiply } from '../../../0-ir/sizes.ts';
import type { ElementType } from '../../../0-ir/types.ts';
import { read, type Line } from './access.ts';
import type { Written } from './blocks.ts';
import type { Kernel } from '../kernel.ts';
import { vectorLanes } from '../scalar/lanes.ts';
import { bytesPerElement } from '../representation.ts';
import { rowPlaces, rowVector } from './vector-access.ts';
import { intsOfMask, maskOfInts } from '../scalar/vector.ts';
import { add, apply, get, i32, i32x4, load, loadLane, shuffle, type Expression } from '../wasm/expression.ts';

/** Of one line: the vectors of a block, one for each place, of strips v·lanes, v·lanes + 1, … */
export type BlockReader = (vector: number) => Expression[];

/** `each`: the places of a strip. The walks stand at their first places; the caller moves them. */
export function blockReaders(k: Kernel, lines: readonly Line[], each: Expression): BlockReader[] {
  return lines.map((line) => {
    const { item, along, stride } = line;
    if (stride === 0) {
      const element = item.element === 'index' ? 'int' : item.element;
      const value = get(k.f.keep(vectorLanes.spread(k, element, read(k, item))));
      return () => Array<Expression>(vectorLanes.count(k)).fill(value);
    }
    k.f.set(along.at, get(item.at));
    const apart = get(k.f.keep(apply('i32.mul', each, k.size(stride, item.unit))));
    if (item.element === 'index') return indexReader(k, line, apart);
    const { element, table } = item;
    if (!table) return arrayReader(k, line, element, apart);
    const rows = arrayReader(k, line, 'int', apart);
    return (vector) => rows(vector).map((row) => get(k.f.keep(rowVector(k, element, table, rowPlaces(k, table, row)))));
  });
}

/** Where the walk is in a strip. */
function placeIn(line: Line, strip: number, apart: Expression): Expression {
  return strip === 0 ? get(line.along.at) : add(get(line.along.at), apply('i32.mul', apart, i32(strip)));
}

function indexReader(k: Kernel, line: Line, apart: Expression): BlockReader {
  const { f } = k;
  const count = vectorLanes.count(k);
  const lanes = f.keep(apply('i32x4.mul', apply('i32x4.splat', apart), i32x4(0, 1, 2, 3)));
  return (vector) => {
    const first = get(f.keep(placeIn(line, vector * count, apart)));
    return Array.from({ length: count }, (_, ahead) => {
      const place = add(first, k.size(sizeMultiply(line.stride, ahead)));
      return get(f.keep(apply('i32x4.add', apply('i32x4.splat', place), get(lanes))));
    });
  };
}

function arrayReader(k: Kernel, line: Line, element: ElementType, apart: Expression): BlockReader {
  const { f } = k;
  const count = vectorLanes.count(k);
  const bytes = bytesPerElement(k.precision)[element];
  const values = (lanes: Expression) =>
    get(f.keep(element === 'bool' ? maskOfInts(k, apply('i32x4.neg', lanes)) : lanes));
  const { stride } = line;
  if (stride === 1 || stride === -1)
    return (vector) => {
      const rows = Array.from({ length: count }, (_, strip) => {
        const place = firstOfRow(placeIn(line, vector * count + strip, apart), stride, count, bytes);
        return get(f.keep(load(bytes * count === 16 ? 'v128.load' : 'v128.load64_zero', place)));
      });
      return inOrder(transposed(k, rows, bytes), stride).map(values);
    };
  const [loadFirst, loadNext] =
    bytes === 8
      ? (['v128.load64_zero', 'v128.load64_lane'] as const)
      : (['v128.load32_zero', 'v128.load32_lane'] as const);
  return (vector) =>
    Array.from({ length: count }, (_, ahead) => {
      const place = (strip: number) =>
        add(placeIn(line, vector * count + strip, apart), k.size(sizeMultiply(line.stride, ahead), bytes));
      let lanes = load(loadFirst, place(0));
      for (let strip = 1; strip < count; strip++) lanes = loadLane(loadNext, strip, place(strip), lanes);
      return values(lanes);
    });
}

/** Of one line: takes the vectors of a block, one for each place, of strips v·lanes, v·lanes + 1, … */
export type BlockWriter = (vector: number, places: readonly Expression[]) => void;

/** As `blockReaders`. */
export function blockWriters(k: Kernel, outputs: readonly Written[], each: Expression): BlockWriter[] {
  return outputs.map(({ line, type }) => {
    const { item, along, stride } = line;
    const { f } = k;
    const count = vectorLanes.count(k);
    const bytes = bytesPerElement(k.precision)[type];
    f.set(along.at, get(item.at));
    const apart = get(f.keep(apply('i32.mul', each, k.size(stride, item.unit))));
    const lanes = (value: Expression) =>
      get(f.keep(type === 'bool' ? apply('i32x4.neg', intsOfMask(k, value)) : value));
    if (stride === 1 || stride === -1)
      return (vector, places) => {
        const rows = transposed(k, inOrder(places, stride).map(lanes), bytes);
        rows.forEach((row, strip) => {
          const place = firstOfRow(placeIn(line, vector * count + strip, apart), stride, count, bytes);
          if (bytes * count === 16) f.store('v128.store', place, row);
          else f.storeLane('v128.store64_lane', 0, place, row);
        });
      };
    const store = bytes === 8 ? 'v128.store64_lane' : 'v128.store32_lane';
    return (vector, places) =>
      places.map(lanes).forEach((value, ahead) => {
        for (let strip = 0; strip < count; strip++) {
          const place = placeIn(line, vector * count + strip, apart);
          f.storeLane(store, strip, add(place, k.size(sizeMultiply(stride, ahead), bytes)), value);
        }
      });
  });
}

/** Where in memory the neighbours begin that are `count` places of a strip from `place` on. */
function firstOfRow(place: Expression, stride: 1 | -1, count: number, bytes: number): Expression {
  return stride === 1 ? place : add(place, i32(-(count - 1) * bytes));
}

/** Neighbours in memory in the order of their places, or the other way about. */
function inOrder(values: readonly Expression[], stride: 1 | -1): Expression[] {
  return stride === 1 ? [...values] : [...values].reverse();
}

/** Rows and columns exchanged: of two rows of two elements, or of four rows of four. */
export function transposed(k: Kernel, rows: readonly Expression[], bytes: number): Expression[] {
  const shuffled = (x: Expression, y: Expression, chosen: readonly number[]) => get(k.f.keep(shuffle(x, y, chosen)));
  const [a, b, c, d] = rows as [Expression, Expression, Expression, Expression];
  if (rows.length === 2) {
    // Four-byte elements fill half a vector; what is in the other half does not matter.
    const column = (at: number) => [...pair(bytes, at), ...pair(bytes, at)].slice(0, 16);
    return [0, 1].map((at) => shuffled(a, b, column(at)));
  }
  return [0, 2].flatMap((at) => {
    const twoColumns = [...pair(4, at), ...pair(4, at + 1)];
    const [upper, lower] = [shuffled(a, b, twoColumns), shuffled(c, d, twoColumns)];
    return [0, 1].map((half) => shuffled(upper, lower, pair(8, half)));
  });
}

/** A shuffle's bytes of element `at` of its first vector, then of its second. */
function pair(bytes: number, at: number): number[] {
  return [0, 16].flatMap((vector) => Array.from({ length: bytes }, (_, i) => vector + at * bytes + i));
}
