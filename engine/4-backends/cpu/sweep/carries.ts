/**
 * What each tile of a sweep begins with: the totals of tiles, in any order; then, from either end, each total combined with
 * what comes before it in that direction. Where a join is in doubt (joins.ts), the tile is combined element by element.
 */
import { mayLose } from '../../../0-ir/certainty.ts';
import { sizeMultiply, sizeSubtract, type Size } from '../../../0-ir/sizes.ts';
import type { SweepStep } from '../../../3-plan/plan.ts';
import { accumulate, elementOf, newAccumulator, reset, restore, slotBytes, spill } from '../combine/combining.ts';
import { doubts, slotBefore, slotCursor, tileSlots, type TileSlots } from '../combine/joins.ts';
import { elementsAlong, passAlong, tiledItems, tiledLine, tiledShape, tileExtent } from '../combine/passes.ts';
import type { Kernel } from '../kernel.ts';
import type { Phases } from '../phases.ts';
import { reduceVectors } from '../reduce/reduce-vectors.ts';
import type { Tiling } from '../tiles.ts';
import { lineOf, sourceCursor, type Cursor } from '../walk/access.ts';
import { turnedLines } from '../walk/blocks.ts';
import { forItems } from '../walk/items.ts';
import { add, apply, get, type Expression, type Local } from '../wasm/expression.ts';
import { elementFor } from './element.ts';
import type { Swept } from './swept.ts';

/** Of each tile all that comes up to it and itself, from the first tile on and from the last. */
export interface Carries {
  readonly along: TileSlots;
  readonly against: TileSlots;
}

export function emitCarries(phases: Phases, step: SweepStep, swept: Swept, tiling: Tiling): Carries {
  const k = phases.next(tiledShape(phases, step, tiling));
  k.only = { tiles: tiling.count, are: 'several' };
  const total = newAccumulator(k, swept.operator, false);
  const totals = tileSlots(phases, step.domain, step.axis, tiling, slotBytes(total));
  const slot = slotCursor(k, totals);
  const inputs = inputLines(k, step, swept, tiling);
  passAlong(k, step, tiling, {
    total,
    inputs,
    others: [],
    results: [slot],
    begin: () => reset(k, total),
    point: (values) => accumulate(k, total, elementOf(k, swept, values)),
    tile: (length) => reduceVectors(k, swept, total, inputs, length),
    end: () => spill(k, total, slot.at),
  });
  const joined = (direction: Direction) => emitJoins(phases, step, swept, tiling, totals, direction);
  return { along: joined('along'), against: joined('against') };
}

type Direction = 'along' | 'against';

function emitJoins(
  phases: Phases,
  step: SweepStep,
  swept: Swept,
  tiling: Tiling,
  totals: TileSlots,
  direction: Direction,
): TileSlots {
  const k = phases.next(tiledShape(phases, step, tiling));
  const { f } = k;
  k.sharing = 'one';
  k.only = { tiles: tiling.count, are: 'several' };
  const { scan, part } = swept[direction];
  const ordered = <C extends Cursor>(cursor: C): C =>
    direction === 'along' ? cursor : fromLastTile(k, cursor, tiling);
  const total = newAccumulator(k, scan.operator, scan.exclusive, part);
  const tile = newAccumulator(k, swept.operator, false);
  const carries = tileSlots(phases, step.domain, step.axis, tiling, slotBytes(total));
  const [from, to] = [ordered(slotCursor(k, totals)), ordered(slotCursor(k, carries))];
  const extent = tileExtent(k, step, tiling);
  const first = ordered(extent.first);
  const inputs = inputLines(k, step, swept, tiling).map((line) => ({ ...line, item: ordered(line.item) }));
  const doubt = doubts(k, scan.operator);
  const inDoubt = (values: readonly Expression[]) => doubt.among(part.kept).map((i) => values[i]!);
  const ofTile = mayLose(swept.operator);
  const combine = (values: readonly Expression[]) => accumulate(k, total, elementFor(k, swept[direction], values));

  forItems(k, tiledItems(step, tiling), [...inputs.map((line) => line.item), from, to, first], () => {
    const length = get(f.keep(extent.length()));
    const held = () => tile.components.map(get);
    // Its total, too, was combined in the other direction than one of the scans has.
    const isFirst =
      direction === 'along'
        ? apply('i32.eqz', get(first.at))
        : apply('i32.ge_s', add(get(first.at), length), k.size(tiling.axis));
    const before = slotBefore(k, to);
    const begin = () =>
      f.if(
        isFirst,
        () => reset(k, total),
        () => restore(k, total, before),
      );
    restore(k, tile, from.at);
    begin();
    const small = f.keep(doubt.areSmall(inDoubt(total.components.map(get))));
    combine(held());
    const finite = apply(
      'i32.and',
      doubt.areFinite(held().filter((_, i) => ofTile[i])),
      doubt.areFinite(inDoubt(total.components.map(get))),
    );
    f.if(apply('i32.eqz', apply('i32.and', get(small), finite)), () => {
      begin();
      elementsAlong(
        k,
        {
          inputs: direction === 'along' ? inputs : turnedLines(k, inputs, length),
          others: [],
          point: (values) => combine(kept(k, elementOf(k, swept, values))),
        },
        extent,
      );
    });
    spill(k, total, to.at);
  });
  return carries;
}

/** Each expression once. */
function kept(k: Kernel, values: readonly Expression[]): Expression[] {
  return values.map((value) => get(k.f.keep(value)));
}

/** The same from the last tile to the first. */
function fromLastTile<C extends Cursor>(k: Kernel, cursor: C, tiling: Tiling): C {
  const [stride, ...others] = cursor.strides as readonly [Size, ...Size[]];
  const last = sizeMultiply(sizeSubtract(tiling.count, 1), stride);
  return {
    ...cursor,
    start: add(cursor.start, k.size(last, cursor.unit)),
    strides: [sizeMultiply(-1, stride), ...others],
  };
}

export function inputLines(k: Kernel, step: SweepStep, swept: Swept, tiling: Tiling) {
  return swept.inputs.map((source) => tiledLine(lineOf(k, sourceCursor(k, source), step.axis), tiling));
}

/** The address of the slot one tile after. */
export function slotAfter(k: Kernel, slot: Cursor): Local {
  return k.f.keep(add(get(slot.at), k.size(slot.strides[0]!, slot.unit)));
}
