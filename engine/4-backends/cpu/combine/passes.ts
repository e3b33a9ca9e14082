/**
 * The two orders in which reduce and scan walk their domain, a tile of the axis at a time.
 *
 * *Along*: one item after the other, each from end to end of the tile. *Across*: where memory runs along the items
 * instead, a stretch of items advances together, one place of the axis after the other, so that the inner loop reads
 * neighbours; the totals of the stretch wait in scratch. Both combine an item's elements in the order of the axis.
 *
 * A pass's items are [tiles, …items]: the first tile of every item, then the second.
 */
import { sizeMultiply, sizeProduct } from '../../../0-ir/sizes.ts';
import { withoutAxis, type Shape } from '../../../0-ir/types.ts';
import type { Source } from '../../../3-plan/plan.ts';
import { read, type Cursor, type Line } from '../walk/access.ts';
import type { Accumulator } from './combining.ts';
import {
  forItems,
  forLine,
  forManyInRow,
  forRestOfRow,
  forRows,
  lineReaders,
  minimum,
  type Row,
} from '../walk/items.ts';
import type { Kernel, KernelShape } from '../kernel.ts';
import { vectorLanes } from '../scalar/lanes.ts';
import type { Phases } from '../phases.ts';
import { stretchSlots } from './stretch-slots.ts';
import { tileStride, type Tiling } from '../tiles.ts';
import { vectorAcross } from '../walk/vector-access.ts';
import { add, apply, get, i32, type Expression, type Local } from '../wasm/expression.ts';

interface Domain {
  readonly domain: Shape;
  readonly axis: number;
}

export interface Pass {
  readonly total: Accumulator;
  /** Read at every point. */
  readonly inputs: readonly Line[];
  /** Moved with the points, too. */
  readonly others: readonly Line[];
  /** Moved with the tiles and items, whose strides they have. */
  readonly results: readonly Cursor[];
  begin(): void;
  /** At each point in turn, with what the inputs hold there; `place` is the index within the tile. */
  point(inputs: readonly Expression[], place: Local): void;
  /** All elements of a tile of so many, in place of `point` for each where items go one by one. */
  tile?(length: Expression): void;
  /** `point` at a vector of items, whose totals these are; `isEmpty` is the same for all that run together. */
  points?(totals: readonly Local[], inputs: readonly Expression[], isEmpty: Expression | null): void;
  end(): void;
  /** A tile of so many, `begin` and `end` within it, where items go one by one and only a part of the work needs them. */
  staged?(length: Expression, carry: TileCarry): void;
  /** Hands on what a tile will end with, in place of its end. */
  early?(carry: Accumulator): void;
}

/** What a tile begins and ends with. `isFirst`: on the axis. */
export interface TileCarry extends Pick<Pass, 'begin' | 'early' | 'end'> {
  readonly isFirst: Expression;
}

/** So many totals stay in the nearer caches, and so many neighbours are read from memory at its full speed. */
const STRETCH = 2048;

/** Worth it where inputs are contiguous along the items' last axis, and that axis may be long. */
export function runsAcross({ domain, axis, inputs }: Domain & { readonly inputs: readonly Source[] }): boolean {
  const last = domain.length - 1;
  if (axis === last || typeof domain[last] === 'number') return false;
  const contiguous = (along: number) =>
    inputs.filter((input) => input.kind === 'array' && input.strides[along] === 1).length;
  return contiguous(last) > contiguous(axis);
}

/** The tiles of a step: `elements` in each where items go one by one. */
export function tilesOf(
  phases: Phases,
  step: Domain & { readonly inputs: readonly Source[] },
  elements: number,
): Tiling {
  const { domain, axis } = step;
  const items = sizeProduct(withoutAxis(domain, axis));
  const together = runsAcross(step) ? STRETCH : 1;
  return phases.tiles.tiling({ axis: domain[axis]!, items, together, elements });
}

/** All tiles of all items, each with its share of the work. */
export function tiledShape(phases: Phases, { domain, axis }: Domain, tiling: Tiling): KernelShape {
  const abreast = sizeProduct(withoutAxis(domain, axis));
  return { items: sizeMultiply(tiling.count, abreast), abreast, work: phases.work };
}

/** A line whose items are tiles. */
export function tiledLine(line: Line, tiling: Tiling): Line {
  const { item, stride } = line;
  return { ...line, item: { ...item, strides: [tileStride(tiling, stride), ...item.strides] } };
}

/** A tile's first place on the axis, and how many places it has. */
export interface TileExtent {
  readonly first: Cursor;
  /** Where the cursor stands. */
  length(): Expression;
}

export function tileExtent(k: Kernel, { domain }: Domain, tiling: Tiling): TileExtent {
  const others = domain.slice(1).map(() => 0);
  const strides = [tileStride(tiling, 1), ...others];
  const first: Cursor = { at: k.f.local('i32'), start: i32(0), strides, unit: 1, element: 'index' };
  if (tiling.count === 1) return { first, length: () => k.size(tiling.axis) };
  const rest = apply('i32.sub', k.size(tiling.axis), get(first.at));
  return { first, length: () => minimum(k, k.size(tiling.length), rest) };
}

export function passAlong(k: Kernel, domain: Domain, tiling: Tiling, pass: Pass): void {
  const extent = tileExtent(k, domain, tiling);
  const lines = [...pass.inputs, ...pass.others];
  const cursors = [...lines.map((line) => line.item), ...pass.results, extent.first];
  forItems(k, tiledItems(domain, tiling), cursors, () => {
    if (pass.staged) {
      pass.staged(get(k.f.keep(extent.length())), { ...pass, isFirst: apply('i32.eqz', get(extent.first.at)) });
      return;
    }
    pass.begin();
    if (pass.tile) pass.tile(get(k.f.keep(extent.length())));
    else elementsAlong(k, pass, extent);
    pass.end();
  });
}

/** The elements of the tile at hand, from its first to its last, into the pass's total. */
export function elementsAlong(k: Kernel, pass: Pick<Pass, 'inputs' | 'others' | 'point'>, extent: TileExtent): void {
  const readers = lineReaders(k, pass.inputs);
  const length = get(k.f.keep(extent.length()));
  forLine(k, length, [...pass.inputs, ...pass.others], (place) => {
    pass.point(
      readers.map((reader) => reader()),
      place,
    );
  });
}

export function passAcross(k: Kernel, domain: Domain, tiling: Tiling, pass: Pass): void {
  const { f } = k;
  const { total } = pass;
  k.together = STRETCH;
  const extent = tileExtent(k, domain, tiling);
  const slots = stretchSlots(k, total, STRETCH);
  const lines = [...pass.inputs, ...pass.others];
  const items = [...lines.map((line) => line.item), ...pass.results, extent.first];
  // Where the stretch begins at the present place of the axis; `along` walks over the stretch from there.
  const starts = lines.map((line): Line => ({ ...line, along: { ...line.along, at: f.local('i32') } }));
  const walkers = lines.map(({ item, along }): Cursor => ({ ...item, at: along.at }));
  const results = pass.results.map((cursor): Cursor => ({ ...cursor, at: f.local('i32') }));

  const vectorInputs = () => pass.inputs.map(({ item, along }) => vectorAcross(k, { ...item, at: along.at }));

  forRows(k, tiledItems(domain, tiling), items, (row) => {
    const overStretch = (end: Local, cursors: readonly Cursor[], body: () => void, vectors?: () => void) => {
      const stretch: Row = { at: f.keep(get(row.at)), end };
      slots.rewind();
      if (vectors) forManyInRow(k, stretch, [...slots.cursors, ...cursors], vectorLanes.count(k), vectors);
      forRestOfRow(k, stretch, [...slots.cursors, ...cursors], body);
    };
    const rewindTo = (from: readonly Cursor[], to: readonly Cursor[]) =>
      from.forEach((cursor, i) => f.set(cursor.at, get(to[i]!.at)));
    f.loop((repeat) => {
      const end = f.keep(minimum(k, get(row.end), add(get(row.at), i32(STRETCH))));
      const length = get(f.keep(extent.length()));
      rewindTo(results, pass.results);
      overStretch(end, pass.results, () => {
        pass.begin();
        slots.spill();
      });
      rewindTo(pass.results, results);
      forLine(k, length, starts, (place) => {
        walkers.forEach((walker, i) => f.set(walker.at, get(starts[i]!.along.at)));
        const onePoint = () => {
          slots.restore();
          pass.point(
            pass.inputs.map((line) => read(k, line.along)),
            place,
          );
          slots.spill();
        };
        const { points } = pass;
        const vector = points && (() => slots.onVectors((totals, isEmpty) => points(totals, vectorInputs(), isEmpty)));
        overStretch(end, walkers, onePoint, vector);
      });
      overStretch(end, items, () => {
        slots.restore();
        pass.end();
      });
      f.set(row.at, get(end));
      f.branchIf(repeat, apply('i32.lt_s', get(row.at), get(row.end)));
    });
  });
}

export function tiledItems({ domain, axis }: Domain, tiling: Tiling): Shape {
  return [tiling.count, ...withoutAxis(domain, axis)];
}
