/**
 * Histograms of long data with few bins: every tile fills a table of its own, and the tables of a bin are joined in the
 * order of the tiles. Only for operators that may be regrouped without a doubt: sums, minima, maxima, and those of ints.
 */
import { componentTypes, type Operator } from '../../0-ir/operators.ts';
import { sizeProduct, type Size } from '../../0-ir/sizes.ts';
import { withoutAxis } from '../../0-ir/types.ts';
import { restrictFunction } from '../../1-optimize/scalar/edit-function.ts';
import type { Access, HistogramStep, Source } from '../../3-plan/plan.ts';
import { accessCursor, lineOf, read, sourceCursor, write, type Cursor } from './access.ts';
import { binTable, type BinTable } from './bin-table.ts';
import { binUpdate, type BinUpdate } from './bin-update.ts';
import { accumulate, constants, newAccumulator, reset } from './combining.ts';
import { forItems, forLine } from './items.ts';
import { forKeyedLine } from './keyed-line.ts';
import type { Kernel } from './kernel.ts';
import { beyondDoubt } from './joins.ts';
import { doubtfulPart, emptyBin, isRegroupable, type Winner } from './known-operators.ts';
import { emitFunction } from './scalar-function.ts';
import { tiledItems, tiledLine, tiledShape, tileExtent } from './passes.ts';
import type { Phases } from './phases.ts';
import { winnerOf } from './reduce-winner.ts';
import type { Tiling } from './tiles.ts';
import { apply, get, i32, type Expression, type Local } from './wasm/expression.ts';

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
  /** Bytes of a bin. */
  readonly slot: number;
  /** Where the shared scratch says that a join was in doubt, if one may be. */
  readonly doubtAt: Size | undefined;
}

/** One tile where tables of their own are not to be had. */
export function histogramTiling(phases: Phases, step: HistogramStep): Tiling {
  const { domain, batch, bins, operator } = step;
  const axis = domain[batch] as Size;
  if (!isRegroupable(operator)) return { axis, length: axis, count: 1 };
  const items = sizeProduct(withoutAxis(domain, batch));
  const least = sizeProduct([ELEMENTS_PER_BIN, bins]);
  return phases.tiles.tiling({ axis, items, together: 1, elements: TILE, least, most: MOST_TILES });
}

/** Gives where in the shared scratch it says, not 0, that nothing of this counts; undefined where it always does. */
export function emitTables(phases: Phases, step: HistogramStep, tiling: Tiling): Size | undefined {
  const { domain, batch, bins, operator } = step;
  const items = sizeProduct(withoutAxis(domain, batch));
  const tiles = phases.next(tiledShape(phases, { domain, axis: batch }, tiling));
  const slot = tableOf(tiles, operator).bytes;
  const doubtAt = doubtfulPart(operator) && phases.share(8);
  if (doubtAt !== undefined) tiles.cleared = { kind: 'shared', offset: doubtAt, bytes: 8 };
  const offset = phases.share(sizeProduct([tiling.count, items, bins, Math.ceil(slot / 8) * 8]));
  const tables = { step, tiling, offset, slot, doubtAt };
  fillTables(tiles, tables);
  const slots = sizeProduct([items, bins]);
  joinTables(phases.next({ items: slots, work: { points: sizeProduct([tiling.count, slots]), perPoint: 2 } }), tables);
  return doubtAt;
}

/** In a bin, whether it has an element, where that cannot be seen by its contents. */
function tableOf(k: Kernel, operator: Operator): BinTable {
  return binTable(k, componentTypes(operator), emptyBin(operator) === undefined);
}

function fillTables(k: Kernel, tables: Tables): void {
  const { f } = k;
  const { step, tiling, slot: bytes } = tables;
  const { batch: axis, domain, operator } = step;
  k.only = { tiles: tiling.count, are: 'several' };
  const inputs = step.inputs.map((source) => tiledLine(lineOf(k, sourceCursor(k, source), axis), tiling));
  // Keys do not know the trailing axes.
  const keySource: Source = { ...step.keys, strides: domain.map((_, at) => step.keys.strides[at] ?? 0) };
  const keys = tiledLine(lineOf(k, sourceCursor(k, keySource), axis), tiling);
  const base = tableCursor(k, tables, withTiles(tables).slice(0, -1));
  const extent = tileExtent(k, { domain, axis }, tiling);
  const bins = k.size(step.bins);
  const table = tableOf(k, operator);
  const winner = winnerOf(step, inputs);
  const asked = emptyBin(operator) === undefined;
  const update = winner ? winnerUpdate(k, step, winner) : binUpdate(k, step, asked);

  const items = [...inputs.map((line) => line.item), keys.item, base, extent.first];
  forItems(k, tiledItems({ domain, axis }, tiling), items, () => {
    const start = constants(k, operator, winner ? NOTHING_YET : (emptyBin(operator) ?? operator.neutral));
    const at = f.keep(get(base.at));
    forLine(k, bins, [], () => {
      table.write(at, start);
      table.setFilled(at, false);
      f.increase(at, i32(bytes));
    });
    const length = get(f.keep(extent.length()));
    const bin = (key: Local) => table.bin(table.slot(get(base.at), key));
    forKeyedLine(k, { length, keys, inputs, bins, bin }, update);
  });
}

/** The contents of a bin that no element is asked to beat: its value is not at most (at least) anything. */
const NOTHING_YET: readonly number[] = [0, NaN];

/** Where indices ascend, an element that does not beat the value in its bin changes nothing; few do, so most cost one look. */
function winnerUpdate(k: Kernel, step: HistogramStep, winner: Winner): BinUpdate {
  const stays = `${k.precision}.${winner === 'min' ? 'le' : 'ge'}` as const;
  const valueOf = step.prologue && restrictFunction(step.prologue, [...step.prologue.parameters.keys()], [1]);
  return {
    ...binUpdate(k, step, true),
    usual(bin, inputs, leave) {
      const [value] = valueOf ? emitFunction(k, valueOf, inputs) : inputs.slice(1);
      leave(apply('i32.eqz', apply(stays, bin.read(1), value as Expression)));
    },
    mayLeave: true,
  };
}

function joinTables(k: Kernel, tables: Tables): void {
  const { f } = k;
  const { step, tiling, doubtAt } = tables;
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
  const base = tableCursor(k, tables, strides.slice(1));
  const table = tableOf(k, operator);
  const total = newAccumulator(k, operator, true);
  const inDoubt = doubtfulPart(operator);
  const sayDoubt = () => f.store('i32.store', k.shared(doubtAt as Size), i32(1));

  const items = [...withoutAxis(domain, axis), bins];
  forItems(k, items, [...outputs, ...(initials ?? []), base], () => {
    reset(k, total);
    initials?.forEach((cursor, i) => f.set(total.components[i] as Local, read(k, cursor)));
    if (initials && total.empty) f.set(total.empty, i32(0));
    const at = f.keep(get(base.at));
    forLine(k, k.size(tiling.count), [], () => {
      const join = () => {
        const part = table.read(at);
        const isSure = inDoubt && beyondDoubt(k, inDoubt.operator, [total.components, part].map(inDoubt.of));
        const add = () => accumulate(k, total, part.map(get));
        if (isSure) f.if(isSure, add, sayDoubt);
        else add();
      };
      table.ifFilled(at, join);
      f.increase(at, k.size(strides[0] as Size, base.unit));
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
