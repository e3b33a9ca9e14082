import { sizeProduct, sizeSubtract, type Size } from '../../0-ir/sizes.ts';
import { withoutAxis, type Shape } from '../../0-ir/types.ts';
import type { SortStep } from '../../3-plan/plan.ts';
import { accessCursor, lineOf, read, sourceCursor, type Cursor, type Line } from './walk/access.ts';
import { forItems, forLine } from './walk/items.ts';
import type { Kernel } from './kernel.ts';
import { tiledItems, tiledLine, tiledShape, tileExtent, type TileExtent } from './combine/passes.ts';
import type { Phases } from './phases.ts';
import {
  clearTable,
  counterOf,
  digitsOf,
  MOST_DIGITS,
  passesAtMost,
  turnIntoPlaces,
  type Digits,
} from './sort/sort-digits.ts';
import type { Tiling } from './tiles.ts';
import { add, apply, get, i32, i64, load, multiply, select, type Expression, type Local } from './wasm/expression.ts';

/** Its elements go to so many places that tables of counters cost next to nothing. */
const TILE = 2 ** 16;
const TABLE_BYTES = 4 * MOST_DIGITS;
/** A key in the low 32 bits, its index above. */
const PAIR_BYTES = 8;

interface Sort {
  readonly step: SortStep;
  readonly domain: Shape;
  readonly axis: number;
  readonly tiling: Tiling;
  /** Where in the shared scratch the tables of the tiles are, and the pairs between the passes. */
  readonly tables: Size;
  readonly pairs: readonly Size[];
}

/**
 * output = the stable ascending order of keys along the last axis: radix sort from the lowest digit on. A pass counts the
 * digits of each tile, turns the counts into the places where each tile's elements of each digit go, and moves them there.
 * Keys travel with their indices, so that all is read in order; the first pass reads the keys, the last writes the output.
 */
export function emitSort(phases: Phases, step: SortStep): void {
  const { domain } = step;
  const axis = domain.length - 1;
  const items = sizeProduct(withoutAxis(domain, axis));
  const tiling = phases.tiles.tiling({ axis: domain[axis]!, items, together: 1, elements: TILE });
  const passes = passesAtMost(step.bound);
  const sort: Sort = {
    step,
    domain,
    axis,
    tiling,
    // A single tile has its table in the scratch of its thread; for more, twice all but one are enough.
    tables: phases.share(sizeProduct([2, sizeSubtract(tiling.count, 1), items, TABLE_BYTES])),
    pairs: Array.from({ length: Math.min(2, passes - 1) }, () => phases.share(sizeProduct([...domain, PAIR_BYTES]))),
  };
  const tiles = tiledShape(phases, sort, tiling);
  const tables = { items, work: { points: sizeProduct([tiling.count, items, MOST_DIGITS]), perPoint: 1 } };
  for (let pass = 0; pass < passes; pass++) {
    if (tiling.count !== 1) {
      emitCounts(phases.next(tiles), sort, pass);
      emitPlaces(phases.next(tables), sort, pass);
    }
    emitMoves(phases.next(tiles), sort, pass);
  }
}

/** Every tile's table of counts. */
function emitCounts(k: Kernel, sort: Sort, pass: number): void {
  k.only = { tiles: sort.tiling.count, are: 'several' };
  const digits = digitsOf(k, sort.step, pass);
  const source = sourceOf(k, sort, pass);
  const table = tableCursor(k, sort);
  forItems(k, tiledItems(sort, sort.tiling), [...source.cursors, table], () => count(k, digits, source, table.at));
}

/** The tables of an item's tiles, of counts, become tables of places. */
function emitPlaces(k: Kernel, sort: Sort, pass: number): void {
  k.only = { tiles: sort.tiling.count, are: 'several' };
  const digits = digitsOf(k, sort.step, pass);
  const tables = tableCursor(k, sort);
  const first = { ...tables, strides: tables.strides.slice(1) };
  const apart = k.size(tables.strides[0]!, TABLE_BYTES);
  forItems(k, withoutAxis(sort.domain, sort.axis), [first], () =>
    turnIntoPlaces(k, digits, first.at, k.size(sort.tiling.count), apart),
  );
}

function emitMoves(k: Kernel, sort: Sort, pass: number): void {
  const { f } = k;
  const { step, domain, axis, tiling } = sort;
  const digits = digitsOf(k, step, pass);
  const source = sourceOf(k, sort, pass);
  const ofTile = tableCursor(k, sort);
  const own = k.scratch(TABLE_BYTES);
  const table = f.local('i32');
  const output = lineOf(k, accessCursor(k, { ...step.output, strides: [0, ...step.output.strides] }, 'int'), axis + 1);
  const target = sort.pairs[pass % 2];
  const pairs = target === undefined || pass >= passesAtMost(step.bound) - 1 ? undefined : pairCursor(k, sort, target);
  const cursors = [...source.cursors, ofTile, output.item];
  const pairItem = pairs && {
    ...pairs,
    strides: [0, ...withoutAxis(domain, axis).map((_, at) => pairs.strides[at]!)],
  };

  const moveTo = (write: (place: Local, pair: Local) => void) =>
    forSource(k, source, (pair) => {
      const counter = counterOf(k, digits, table, keyOf(pair));
      const place = f.keep(load('i32.load', get(counter)));
      f.store('i32.store', get(counter), add(get(place), i32(1)));
      write(place, pair);
    });
  const toOutput = () =>
    moveTo((place, pair) => {
      const at = add(get(output.item.at), multiply(get(place), k.size(output.stride, output.item.unit)));
      f.store('i32.store', at, apply('i32.wrap_i64', apply('i64.shr_u', get(pair), i64(32n))));
    });
  forItems(k, tiledItems(sort, tiling), pairItem ? [...cursors, pairItem] : cursors, () => {
    const alone = apply('i32.eq', k.size(tiling.count), i32(1));
    f.set(table, select(own, get(ofTile.at), alone));
    f.if(alone, () => {
      count(k, digits, source, table);
      turnIntoPlaces(k, digits, table, i32(1), i32(0));
    });
    if (!pairItem) return toOutput();
    f.if(digits.isLastPass, toOutput, () =>
      moveTo((place, pair) =>
        f.store('i64.store', add(get(pairItem.at), apply('i32.shl', get(place), i32(3))), get(pair)),
      ),
    );
  });
}

function count(k: Kernel, digits: Digits, source: PairSource, table: Local): void {
  clearTable(k, digits, table);
  forSource(k, source, (pair) => {
    const counter = counterOf(k, digits, table, keyOf(pair));
    k.f.store('i32.store', get(counter), add(load('i32.load', get(counter)), i32(1)));
  });
}

/** What a pass reads, in tiles. */
interface PairSource {
  readonly line: Line;
  readonly extent: TileExtent;
  readonly cursors: readonly Cursor[];
  /** The pair where the line stands, `place` elements after the tile's first. */
  pair(place: Local): Expression;
}

function sourceOf(k: Kernel, sort: Sort, pass: number): PairSource {
  const { step, axis, tiling } = sort;
  const extent = tileExtent(k, sort, tiling);
  const from = pass === 0 ? sourceCursor(k, step.keys) : pairCursor(k, sort, sort.pairs[(pass - 1) % 2]!);
  const line = tiledLine(lineOf(k, from, axis), tiling);
  // The sign bit is flipped, so that negative keys come first; below a bound there are none.
  const ordered = () =>
    step.bound === undefined ? apply('i32.xor', read(k, line.along), i32(-(2 ** 31))) : read(k, line.along);
  return {
    line,
    extent,
    cursors: [line.item, extent.first],
    pair(place) {
      if (pass > 0) return load('i64.load', get(line.along.at));
      const index = apply('i64.extend_i32_u', add(get(extent.first.at), get(place)));
      return apply('i64.or', apply('i64.shl', index, i64(32n)), apply('i64.extend_i32_u', ordered()));
    },
  };
}

function forSource(k: Kernel, { line, extent, pair }: PairSource, body: (pair: Local) => void): void {
  const length = get(k.f.keep(extent.length()));
  forLine(k, length, [line], (place) => body(k.f.keep(pair(place))));
}

function keyOf(pair: Local): Expression {
  return apply('i32.wrap_i64', get(pair));
}

function tableCursor(k: Kernel, { tables, tiling, domain, axis }: Sort): Cursor {
  const shape = [tiling.count, ...withoutAxis(domain, axis)];
  return denseCursor(k, tables, shape, TABLE_BYTES);
}

function pairCursor(k: Kernel, { domain }: Sort, pairs: Size): Cursor {
  return denseCursor(k, pairs, domain, PAIR_BYTES);
}

function denseCursor(k: Kernel, offset: Size, shape: Shape, unit: number): Cursor {
  const strides = shape.map((_, at) => sizeProduct(shape.slice(at + 1)));
  return { at: k.f.local('i32'), start: k.shared(offset), strides, unit, element: 'int' };
}
