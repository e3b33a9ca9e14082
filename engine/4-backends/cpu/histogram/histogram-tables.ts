/**
 * Histograms of long data with few bins: every tile fills a table of its own, and the tables of a bin are joined in the
 * order of the tiles. Only for operators that may be regrouped without a doubt: sums, minima, maxima, and those of ints.
 */
import { componentTypes } from '../../../0-ir/operators.ts';
import { sizeMultiply, sizeProduct, type Size } from '../../../0-ir/sizes.ts';
import { withoutAxis } from '../../../0-ir/types.ts';
import { restrictFunction } from '../../../1-optimize/scalar/edit-function.ts';
import type { Access, HistogramStep, Source } from '../../../3-plan/plan.ts';
import { accessCursor, lineOf, read, sourceCursor, write, type Cursor, type Line } from '../walk/access.ts';
import { markingZeros, wideSums, withoutSign } from './bin-sums.ts';
import { binTable, type TableRule } from './bin-table.ts';
import { binUpdate, type BinUpdate } from './bin-update.ts';
import { accumulate, newAccumulator, reset, type Combining } from '../combine/combining.ts';
import { forItems, forLine } from '../walk/items.ts';
import { keyedElementBytes, keyedElements, type KeyedElements } from './keyed-elements.ts';
import type { KeyedLine } from './keyed-line.ts';
import type { Kernel } from '../kernel.ts';
import { beyondDoubt } from '../combine/joins.ts';
import { doubtfulPart, emptyBin, isRegroupable, type Winner } from '../combine/known-operators.ts';
import { constant, type Precision } from '../representation.ts';
import { emitFunction } from '../scalar/scalar-function.ts';
import { tiledItems, tiledLine, tiledShape, tileExtent } from '../combine/passes.ts';
import type { Phases } from '../phases.ts';
import { winnerOf } from '../reduce/reduce-winner.ts';
import type { Tiling } from '../tiles.ts';
import { apply, f64, get, i32, type Expression, type Local } from '../wasm/expression.ts';

const TILE = 2 ** 17;
/** Enough for every thread to have something to do; each costs a table. */
const MOST_TILES = 16;
/** A tile has so many elements for each bin at least: to clear and to join its table costs little beside them. */
const ELEMENTS_PER_BIN = 16;

interface Tables {
  readonly step: HistogramStep;
  readonly tiling: Tiling;
  /** Where they are in the shared scratch: [tiles, …items], each so long. */
  readonly offset: Size;
  readonly bytes: Size;
  readonly rule: TableRule;
  /** What bins begin with. */
  readonly start: readonly number[];
  /** Components that are sums and begin with -0. */
  readonly sums: readonly number[];
  /** Where the shared scratch says that a join was in doubt, if one may be. */
  readonly doubtAt: Size | undefined;
}

/** One tile where tables of their own are not to be had. */
export function histogramTiling(phases: Phases, step: HistogramStep): Tiling {
  const { domain, batch, bins, operator } = step;
  const axis = domain[batch]!;
  // Of many items, one whose products are in doubt would have all of them done again.
  const isRisky = doubtfulPart(operator) !== undefined && domain.length > 1;
  if (!isRegroupable(operator) || isRisky) return { axis, length: axis, count: 1 };
  const items = sizeProduct(withoutAxis(domain, batch));
  const least = sizeProduct([ELEMENTS_PER_BIN, bins]);
  return phases.tiles.tiling({ axis, items, together: 1, elements: TILE, least, most: MOST_TILES });
}

/** Whether even one tile has a table: in f32, for sums alone, which are held in f64. */
export function wantsTables(precision: Precision, { operator }: HistogramStep): boolean {
  return precision === 'f32' && emptyBin(operator)?.sums.length === operator.neutral.length;
}

/** Gives where in the shared scratch it says, not 0, that nothing of this counts; undefined where it always does. */
export function emitTables(phases: Phases, step: HistogramStep, tiling: Tiling): Size | undefined {
  const { domain, batch, bins, operator } = step;
  const items = sizeProduct(withoutAxis(domain, batch));
  const wide = wantsTables(phases.precision, step);
  const filling = phases.next(tiledShape(phases, { domain, axis: batch }, tiling));
  const joining = phases.next({
    items: sizeProduct([items, bins]),
    work: { points: sizeProduct([tiling.count, items, bins]), perPoint: 2 },
  });
  for (const k of [filling, joining]) if (!wide) k.only = { tiles: tiling.count, are: 'several' };

  const inputs = step.inputs.map((source) => tiledLine(lineOf(filling, sourceCursor(filling, source), batch), tiling));
  const bytesOfElements = keyedElementBytes(step);
  const elements = keyedElements(
    filling,
    step,
    inputs,
    bytesOfElements > 0 ? filling.scratch(bytesOfElements) : undefined,
  );
  const { update, ...how } = updateOf(filling, step, elements, wide);
  const rule: TableRule = { types: componentTypes(operator), bins, hot: update.touched, mark: how.mark, wide };
  const doubtAt = doubtfulPart(operator) && phases.share(8);
  if (doubtAt !== undefined) filling.cleared = { kind: 'shared', offset: doubtAt, bytes: 8 };
  const bytes = sizeMultiply(bins, Math.ceil(binTable(filling, rule).bytes / 8) * 8);
  const offset = phases.share(sizeProduct([tiling.count, items, bytes]));
  const tables: Tables = { step, tiling, offset, bytes, rule, start: how.start, sums: how.sums, doubtAt };
  fillTables(filling, tables, inputs, (line) => elements.forEach(line, update));
  joinTables(joining, tables);
  return doubtAt;
}

/** How a bin takes an element in, what it begins with, and what its mark is for. */
function updateOf(
  k: Kernel,
  { operator, initial }: HistogramStep,
  { taken, inputs }: KeyedElements,
  wide: boolean,
): Pick<Tables, 'start' | 'sums'> & { readonly update: BinUpdate; readonly mark: TableRule['mark'] } {
  const winner = winnerOf(taken, inputs);
  if (winner) return { update: winnerUpdate(k, taken, winner), start: NOTHING_YET, sums: [], mark: 'cold' };
  const empty = emptyBin(operator);
  if (!empty) return { update: binUpdate(k, taken, true), start: operator.neutral, sums: [], mark: 'hot' };
  const { start } = empty;
  // Where bins begin with contents, no sum is shown that is none.
  const sums = initial ? [] : empty.sums;
  const update = wide ? wideSums(k, taken) : binUpdate(k, taken, false);
  if (sums.length === 0) return { update, start, sums, mark: 'none' };
  return { update: markingZeros(k, taken, sums, update), start, sums, mark: 'cold' };
}

function fillTables(
  k: Kernel,
  tables: Tables,
  inputs: readonly Line[],
  forEach: (line: Omit<KeyedLine, 'inputs'>) => void,
): void {
  const { f } = k;
  const { step, tiling, rule, start } = tables;
  const { batch: axis, domain } = step;
  // Keys do not know the trailing axes.
  const keySource: Source = { ...step.keys, strides: domain.map((_, at) => step.keys.strides[at] ?? 0) };
  const keys = tiledLine(lineOf(k, sourceCursor(k, keySource), axis), tiling);
  const base = tableCursor(k, tables);
  const extent = tileExtent(k, { domain, axis }, tiling);
  const bins = k.size(step.bins);
  const table = binTable(k, rule);

  const items = [...inputs.map((line) => line.item), keys.item, base, extent.first];
  forItems(k, tiledItems({ domain, axis }, tiling), items, () => {
    forLine(k, bins, [], (at) => {
      const bin = table.bin(get(base.at), at);
      start.forEach((value, i) => bin.write(i, startValue(k, rule, i, value)));
      bin.mark?.set(false);
    });
    const length = get(f.keep(extent.length()));
    const bin = (key: Local) => table.bin(get(base.at), key);
    forEach({ length, keys, bins, bin });
  });
}

function startValue(k: Kernel, { types, wide = false }: TableRule, component: number, value: number): Expression {
  return constant(wide ? 'f64' : k.precision, { type: types[component]!, value });
}

/** The contents of a bin that no element is asked to beat: its value is not at most (at least) anything. */
const NOTHING_YET: readonly number[] = [0, NaN];

/** Where indices ascend, an element that does not beat the value in its bin changes nothing; few do, so most cost one look. */
function winnerUpdate(k: Kernel, step: Combining, winner: Winner): BinUpdate {
  const stays = `${k.precision}.${winner === 'min' ? 'le' : 'ge'}` as const;
  const valueOf = step.prologue && restrictFunction(step.prologue, [...step.prologue.parameters.keys()], [1]);
  return {
    ...binUpdate(k, step, true),
    usual(bin, inputs, leave) {
      const [value] = valueOf ? emitFunction(k, valueOf, inputs) : inputs.slice(1);
      leave(apply('i32.eqz', apply(stays, bin.read(1), value!)));
    },
    mayLeave: true,
    touched: [1],
  };
}

function joinTables(k: Kernel, tables: Tables): void {
  const { f } = k;
  const { step, tiling, rule, sums } = tables;
  const { batch: axis, domain, operator, bins } = step;
  const types = componentTypes(operator);
  // Bins come last here.
  const turned = ({ strides }: Access | Source) => [...withoutAxis(strides, axis), strides[axis]!];
  const outputs = step.outputs.map((access, i) =>
    accessCursor(k, { ...access, strides: turned(access) }, types[i] ?? 'real'),
  );
  const initials = step.initial?.map((source) => sourceCursor(k, { ...source, strides: turned(source) }));
  const across = withoutAxis(domain, axis);
  const { strides, ...first } = tableCursor(k, tables);
  const base: Cursor = { ...first, strides: [...strides.slice(1), 0] };
  const place: Cursor = {
    ...{ at: f.local('i32'), start: i32(0), strides: [...across.map(() => 0), 1] },
    ...{ unit: 1, element: 'index' },
  };
  const table = binTable(k, rule);
  const total = rule.wide ? wideTotal(k, tables) : groupedTotal(k, tables);

  forItems(k, [...across, bins], [...outputs, ...(initials ?? []), base, place], () => {
    total.begin(initials?.map((cursor) => read(k, cursor)));
    const at = f.keep(get(base.at));
    const marked = sums.length > 0 ? f.keep(i32(0)) : undefined;
    forLine(k, k.size(tiling.count), [], () => {
      const bin = table.bin(get(at), place.at);
      const join = () => total.add(rule.types.map((_, i) => f.keep(bin.read(i))));
      if (bin.mark && marked) f.set(marked, apply('i32.or', get(marked), bin.mark.is));
      if (bin.mark && !marked) f.if(bin.mark.is, join);
      else join();
      f.increase(at, k.size(strides[0]!, base.unit));
    });
    if (marked)
      f.if(apply('i32.eqz', get(marked)), () => {
        for (const i of sums) f.set(total.components[i]!, withoutSign(get(total.components[i]!)));
      });
    outputs.forEach((cursor, i) => {
      const value = get(total.components[i]!);
      write(k, cursor, rule.wide ? apply('f32.demote_f64', value) : value);
    });
  });
}

/** What the tables of a bin come to, in the order of the tiles. */
interface Total {
  readonly components: readonly Local[];
  begin(initial: readonly Expression[] | undefined): void;
  add(part: readonly Local[]): void;
}

function wideTotal(k: Kernel, { start }: Tables): Total {
  const { f } = k;
  const components = start.map(() => f.local('f64'));
  return {
    components,
    begin: (initial) =>
      components.forEach((local, i) => {
        const contents = initial?.[i];
        f.set(local, contents ? apply('f64.promote_f32', contents) : f64(start[i]!));
      }),
    add: (part) => components.forEach((local, i) => f.set(local, apply('f64.add', get(local), get(part[i]!)))),
  };
}

function groupedTotal(k: Kernel, { step: { operator }, doubtAt }: Tables): Total {
  const { f } = k;
  const total = newAccumulator(k, operator, true);
  const doubt = doubtfulPart(operator);
  const sayDoubt = () => f.store('i32.store', k.shared(doubtAt!), i32(1));
  return {
    components: total.components,
    begin(initial) {
      reset(k, total);
      initial?.forEach((value, i) => f.set(total.components[i]!, value));
      if (initial && total.empty) f.set(total.empty, i32(0));
    },
    add(part) {
      const isSure = doubt && beyondDoubt(k, doubt.operator, [total.components, part].map(doubt.of));
      const add = () => accumulate(k, total, part.map(get));
      if (isSure) f.if(isSure, add, sayDoubt);
      else add();
    },
  };
}

/** Over [tiles, …items], the first table of each. */
function tableCursor(k: Kernel, { step, tiling, offset, bytes }: Tables): Cursor {
  const shape = [tiling.count, ...withoutAxis(step.domain, step.batch)];
  const strides = shape.map((_, at) => sizeProduct([...shape.slice(at + 1), bytes]));
  return { at: k.f.local('i32'), start: k.shared(offset), strides, unit: 1, element: 'int' };
}
