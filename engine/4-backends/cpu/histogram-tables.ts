/**
 * Histograms of long data with few bins: every tile fills a table of its own, and the tables of a bin are joined in the
 * order of the tiles. Only for operators that may be regrouped without a doubt: sums, minima, maxima, and those of ints.
 */
import { componentTypes } from '../../0-ir/operators.ts';
import { sizeProduct, type Size } from '../../0-ir/sizes.ts';
import { withoutAxis } from '../../0-ir/types.ts';
import type { Access, HistogramStep, Source } from '../../3-plan/plan.ts';
import { accessCursor, lineOf, read, sourceCursor, write, type Cursor } from './access.ts';
import { accumulate, elementOf, exactStart, newAccumulator, reset, restore, slotBytes, spill } from './combining.ts';
import { forItems, forLine, lineReaders } from './items.ts';
import { isCertain } from './joins.ts';
import type { Kernel } from './kernel.ts';
import { tiledItems, tiledLine, tiledShape, tileExtent } from './passes.ts';
import type { Phases } from './phases.ts';
import type { Tiling } from './tiles.ts';
import { add, apply, get, i32, load, multiply, type Local } from './wasm/expression.ts';

const TILE = 2 ** 17;
/** Enough for every thread to have something to do; each costs a table. */
const MOST_TILES = 16;
/** A tile has so many elements for each bin at least: to clear and to join its table costs little beside them. */
const ELEMENTS_PER_BIN = 16;

interface Tables {
  readonly step: HistogramStep;
  readonly tiling: Tiling;
  /** Where they are in the shared scratch: [tiles, …items, bins]. */
  readonly offset: Size;
  readonly slot: number;
  /** In a slot, whether the bin has an element: where that cannot be seen by its contents. */
  readonly filledAt: number | undefined;
}

/** One tile where tables of their own are not to be had. */
export function histogramTiling(phases: Phases, step: HistogramStep): Tiling {
  const { domain, batch, bins, operator } = step;
  const axis = domain[batch] as Size;
  if (!isCertain(operator)) return { axis, length: axis, count: 1 };
  const items = sizeProduct(withoutAxis(domain, batch));
  const least = sizeProduct([ELEMENTS_PER_BIN, bins]);
  return phases.tiles.tiling({ axis, items, together: 1, elements: TILE, least, most: MOST_TILES });
}

export function emitTables(phases: Phases, step: HistogramStep, tiling: Tiling): void {
  const { domain, batch, bins, operator } = step;
  const items = sizeProduct(withoutAxis(domain, batch));
  const tiles = phases.next(tiledShape(phases, { domain, axis: batch }, tiling));
  const hasFlags = exactStart(operator, true) === undefined;
  const contents = slotBytes(newAccumulator(tiles, operator, false));
  const slot = contents + (hasFlags ? 8 : 0);
  const tables: Tables = {
    step,
    tiling,
    offset: phases.share(sizeProduct([tiling.count, items, bins, slot])),
    slot,
    filledAt: hasFlags ? contents : undefined,
  };
  fillTables(tiles, tables);
  const slots = sizeProduct([items, bins]);
  joinTables(phases.next({ items: slots, work: { points: sizeProduct([tiling.count, slots]), perPoint: 2 } }), tables);
}

function fillTables(k: Kernel, tables: Tables): void {
  const { f } = k;
  const { step, tiling, slot, filledAt } = tables;
  const { batch: axis, domain, operator } = step;
  k.only = { tiles: tiling.count, are: 'several' };
  const inputs = step.inputs.map((source) => tiledLine(lineOf(k, sourceCursor(k, source), axis), tiling));
  // Keys do not know the trailing axes.
  const keySource: Source = { ...step.keys, strides: domain.map((_, at) => step.keys.strides[at] ?? 0) };
  const keys = tiledLine(lineOf(k, sourceCursor(k, keySource), axis), tiling);
  const table = tableCursor(k, tables, withTiles(tables).slice(0, -1));
  const extent = tileExtent(k, { domain, axis }, tiling);
  const bins = k.size(step.bins);
  const bin = newAccumulator(k, operator, false);

  const items = [...inputs.map((line) => line.item), keys.item, table, extent.first];
  forItems(k, tiledItems({ domain, axis }, tiling), items, () => {
    const at = f.keep(get(table.at));
    reset(k, bin);
    forLine(k, bins, [], () => {
      spill(k, bin, at);
      if (filledAt !== undefined) f.store('i32.store', get(at), i32(0), filledAt);
      f.increase(at, i32(slot));
    });
    const readers = lineReaders(k, inputs);
    const length = get(f.keep(extent.length()));
    forLine(k, length, [...inputs, keys], () => {
      const key = f.keep(read(k, keys.along));
      // Unsigned, so that a negative key is out of range too.
      f.if(apply('i32.lt_u', get(key), bins), () => {
        f.set(at, add(get(table.at), multiply(get(key), i32(slot))));
        const element = elementOf(
          k,
          step,
          readers.map((reader) => reader()),
        );
        restore(k, bin, at);
        accumulate(k, bin, element);
        spill(k, bin, at);
        if (filledAt !== undefined) f.store('i32.store', get(at), i32(1), filledAt);
      });
    });
  });
}

function joinTables(k: Kernel, tables: Tables): void {
  const { f } = k;
  const { step, tiling, filledAt } = tables;
  const { batch: axis, domain, operator, bins } = step;
  const types = componentTypes(operator);
  k.only = { tiles: tiling.count, are: 'several' };
  // Bins come last here.
  const turned = ({ strides }: Access | Source) => [...withoutAxis(strides, axis), strides[axis] as Size];
  const outputs = step.outputs.map((access, i) =>
    accessCursor(k, { ...access, strides: turned(access) }, types[i] ?? 'real'),
  );
  const initials = step.initial?.map((source) => sourceCursor(k, { ...source, strides: turned(source) }));
  const strides = withTiles(tables);
  const table = tableCursor(k, tables, strides.slice(1));
  const [part, total] = [newAccumulator(k, operator, false), newAccumulator(k, operator, true)];

  const items = [...withoutAxis(domain, axis), bins];
  forItems(k, items, [...outputs, ...(initials ?? []), table], () => {
    reset(k, total);
    initials?.forEach((cursor, i) => f.set(total.components[i] as Local, read(k, cursor)));
    if (initials && total.empty) f.set(total.empty, i32(0));
    const at = f.keep(get(table.at));
    forLine(k, k.size(tiling.count), [], () => {
      const join = () => {
        restore(k, part, at);
        accumulate(k, total, part.components.map(get));
      };
      if (filledAt === undefined) join();
      else f.if(load('i32.load', get(at), filledAt), join);
      f.increase(at, k.size(strides[0] as Size, table.unit));
    });
    outputs.forEach((cursor, i) => write(k, cursor, get(total.components[i] as Local)));
  });
}

/** Strides over [tiles, …items, bins]. */
function withTiles({ step, tiling }: Tables): Size[] {
  const shape = [tiling.count, ...withoutAxis(step.domain, step.batch), step.bins];
  return shape.map((_, at) => sizeProduct(shape.slice(at + 1)));
}

function tableCursor(k: Kernel, { offset, slot }: Tables, strides: readonly Size[]): Cursor {
  return { at: k.f.local('i32'), start: k.shared(offset), strides, unit: slot, element: 'int' };
}
