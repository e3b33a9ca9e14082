/**
 * Both scans of a domain in one step, which stays in a tile: what its tiles begin with from either end (carries.ts), then each
 * tile by itself, prefixes and suffixes and what the epilogue makes of them, in scratch that a cache holds. So elements are
 * read twice and results written once, whatever the operators are.
 *
 * Tiles are short, and any thread may take any of them. Where there is but one, it begins with nothing.
 */
import { resultTypes } from '../../0-ir/scalar.ts';
import { readParameters } from '../../1-optimize/scalar/dead-code.ts';
import type { ScanStep, SweepStep } from '../../3-plan/plan.ts';
import { accumulate, newAccumulator, reset, restore } from './combine/combining.ts';
import { slotBefore, slotCursor } from './combine/joins.ts';
import { runsAcross, tiledItems, tiledLine, tiledShape, tileExtent } from './combine/passes.ts';
import type { Kernel } from './kernel.ts';
import { awayFromEnds, mapLine } from './map/map-line.ts';
import type { Phases } from './phases.ts';
import { emitCarries, inputLines, slotAfter, type Carries } from './sweep/carries.ts';
import { elementFor } from './sweep/element.ts';
import { LEAST_PLACES, sweepForm, sweepRows, type SweepForm } from './sweep/sweep-rows.ts';
import { sweepStrips } from './sweep/sweep-strips.ts';
import { sweptOf, type Swept, type SweptPart } from './sweep/swept.ts';
import type { Tiling } from './tiles.ts';
import { accessCursor, lineOf, read, sourceCursor, writeAt, type Line } from './walk/access.ts';
import { movableLines, moveLines, turnedLines, type Written } from './walk/blocks.ts';
import { forItems, forLine, minimum } from './walk/items.ts';
import { add, apply, get, i32, select, type Expression } from './wasm/expression.ts';

/** Where memory runs along the items, scans advance many of them together, and are better apart. */
export function sweepsSuit(step: ScanStep): boolean {
  return !runsAcross(step);
}

export function emitSweep(phases: Phases, step: SweepStep): void {
  const swept = sweptOf(step);
  const form = sweepForm(step, swept, phases.precision);
  // A tile stays in scratch whole: however many items there are, it is no longer than that.
  const axis = step.domain[step.axis]!;
  const tiling = phases.tiles.tiling({ axis, items: 1, together: 1, elements: form.elements });
  const carries = tiling.count === 1 ? undefined : emitCarries(phases, step, swept, tiling);
  emitTiles(phases.next(tiledShape(phases, step, tiling)), step, swept, form, tiling, carries);
}

function emitTiles(
  k: Kernel,
  step: SweepStep,
  swept: Swept,
  tileForm: SweepForm,
  tiling: Tiling,
  carries: Carries | undefined,
): void {
  const tile = tileOf(k, step, swept, tileForm, tiling, carries);
  const { inputs, beside, results, extent, slots } = tile;
  const cursors = [...inputs, ...beside, ...linesOf(results)].map((line) => line.item);
  const all = [...cursors, extent.first, ...(slots ? [slots.along, slots.against] : [])];
  forItems(k, tiledItems(step, tiling), all, () => emitTile(tile));
}

const linesOf = (written: readonly Written[]): Line[] => written.map(({ line }) => line);

type Tile = ReturnType<typeof tileOf>;

/** The lines of a tile, in memory and in scratch, and what its scans go on from. */
function tileOf(
  k: Kernel,
  step: SweepStep,
  swept: Swept,
  tileForm: SweepForm,
  tiling: Tiling,
  carries: Carries | undefined,
) {
  const tiled = (line: Line) => tiledLine(line, tiling);
  const inputs = inputLines(k, step, swept, tiling);
  const beside = step.epilogue.inputs.map((source) => tiled(lineOf(k, sourceCursor(k, source), step.axis)));
  const types = resultTypes(step.epilogue.function);
  const results = step.outputs.map((access, i): Written => {
    const type = types[i] ?? 'real';
    return { line: tiled(lineOf(k, accessCursor(k, access, type), step.axis)), type };
  });
  // Of an index that is only asked whether it is at an end nothing is read between the ends.
  const seen = [...swept.along.shown, ...swept.against.shown];
  const whole = awayFromEnds(swept.epilogue.function, [...seen.map(() => undefined), ...beside]);
  const isReadInside = readParameters(whole.fn).slice(seen.length);
  const slots = carries && { along: slotCursor(k, carries.along), against: slotCursor(k, carries.against) };
  const extent = tileExtent(k, step, tiling);
  const totalOf = ({ scan, part }: SweptPart) => newAccumulator(k, scan.operator, scan.exclusive, part);
  const [along, against] = [totalOf(swept.along), totalOf(swept.against)];
  const form = { ...tileForm, beside: tileForm.beside.filter((i) => isReadInside[i]) };
  const rows = sweepRows(k, swept, form, tiling.length);
  const [elements, there, back] = [linesOf(rows.elements), linesOf(rows.there), linesOf(rows.back)];
  /** Whether what strips have assumed still holds. */
  const sure = k.f.local('i32');
  const strips = sweepStrips({ k, swept, form, rows, along, against, sure });
  return {
    ...{ k, step, swept, tiling, form, rows, strips, sure, extent, slots, along, against },
    ...{ inputs, beside, results, elements, there, back },
  };
}

function moved(k: Kernel, from: readonly Line[], places: Expression): Line[] {
  const movable = movableLines(k, from);
  moveLines(k, movable, places);
  return movable;
}

/** The places from `from` to `until` of a scan one after the other, in its direction; what is seen goes into scratch. */
function singly(
  { k, swept, along, against, elements, there, back }: Tile,
  direction: 'along' | 'against',
  from: Expression,
  until: Expression,
): void {
  const { f } = k;
  const { scan, part, shown } = swept[direction];
  const [total, seen] = direction === 'along' ? [along, there] : [against, back];
  const length = get(f.keep(apply('i32.sub', until, from)));
  const forwards = moved(k, [...elements, ...seen], from);
  const walked = direction === 'along' ? forwards : turnedLines(k, forwards, length);
  forLine(k, length, walked, () => {
    const values = walked.slice(0, elements.length).map(({ along: walk }) => get(f.keep(read(k, walk))));
    const show = () =>
      walked.slice(elements.length).forEach(({ along: walk }, i) => {
        const at = part.kept.indexOf(shown[i]!);
        writeAt(k, total.types[at] ?? 'real', get(walk.at), get(total.components[at]!));
      });
    if (scan.exclusive) show();
    accumulate(k, total, elementFor(k, swept[direction], values));
    if (!scan.exclusive) show();
  });
}

/** What the epilogue makes of the places from `from` to `until`. */
function epilogueOf({ k, swept, results, there, back, beside }: Tile, from: Expression, until: Expression): void {
  const written = moved(k, linesOf(results), from).map((line, i): Written => ({ line, type: results[i]!.type }));
  const given = moved(k, [...there, ...back, ...beside], from);
  mapLine(k, swept.epilogue.function, given, written, apply('i32.sub', until, from));
}

/**
 * Along, then against with the epilogue. The first element of all, and the last, are taken up by themselves; what lies
 * between goes in strips of `each` places, or where that turns out not to hold, once more without them.
 */
function emitTile(tile: Tile): void {
  const { k, step, swept, tiling, form, rows, strips, sure, extent, slots, along, against } = tile;
  const { inputs, beside, results, elements, there, back } = tile;
  const { f } = k;
  const length = get(f.keep(extent.length()));
  const isFirst = get(f.keep(apply('i32.eqz', get(extent.first.at))));
  const isLast = get(f.keep(apply('i32.ge_s', add(get(extent.first.at), length), k.size(tiling.axis))));
  const beginAlong = () => {
    reset(k, along);
    if (slots) f.if(apply('i32.eqz', isFirst), () => restore(k, along, slotBefore(k, slots.along)));
  };
  const beginAgainst = () => {
    reset(k, against);
    if (slots) f.if(apply('i32.eqz', isLast), () => restore(k, against, slotAfter(k, slots.against)));
  };
  mapLine(k, swept.prologue, inputs, rows.elements, length);

  const each = f.keep(i32(0));
  const ends = add(isFirst, isLast);
  const fitting = apply('i32.div_s', apply('i32.sub', length, ends), i32(rows.count * rows.lanes));
  const places = get(f.keep(minimum(k, i32(form.most), apply('i32.mul', fitting, i32(rows.lanes)))));
  // Two lanes gain what strips cost by several threads alone, so not in a single tile.
  const isWorth = rows.lanes > 2 ? i32(1) : apply('i32.gt_s', k.size(tiling.count), i32(1));
  f.if(apply('i32.and', apply('i32.ge_s', places, i32(LEAST_PLACES)), isWorth), () => f.set(each, places));
  const inside = awayFromEnds(swept.epilogue.function, moved(k, [...there, ...back, ...beside], isFirst));
  const taken = () => apply('i32.mul', get(each), i32(rows.count));
  if (inside.isTrue)
    f.if(get(each), () => f.set(each, select(get(each), i32(0), inside.isTrue!(k, get(f.keep(taken()))))));

  const [from, until] = [f.local('i32'), f.local('i32')];
  const behindStrips = f.local('i32');
  const goAlong = () => {
    beginAlong();
    f.set(from, i32(0));
    f.set(until, select(isFirst, length, get(each)));
    f.loop((repeat) => {
      singly(tile, 'along', get(from), get(until));
      f.if(apply('i32.lt_s', get(until), length), () => {
        const stretch = moved(k, [...elements, ...form.beside.map((i) => beside[i]!)], isFirst);
        strips.begin(stretch.slice(0, elements.length), stretch.slice(elements.length), get(each));
        strips.there(get(each));
        f.set(from, get(behindStrips));
        f.set(until, length);
        f.branchIf(repeat, apply('i32.and', get(sure), apply('i32.lt_s', get(from), length)));
      });
    });
  };
  const goAgainst = () => {
    beginAgainst();
    f.set(from, get(behindStrips));
    f.set(until, length);
    f.loop((repeat) => {
      singly(tile, 'against', get(from), get(until));
      epilogueOf(tile, get(from), get(until));
      f.if(get(from), () => {
        strips.back(inside.fn, constantLines(step, beside), get(each));
        f.if(get(sure), () => {
          const written = moved(k, linesOf(results), isFirst).map((line, i) => ({ line, type: results[i]!.type }));
          strips.out(written, get(each));
          f.set(until, isFirst);
          f.set(from, i32(0));
          f.branchIf(repeat, get(until));
        });
      });
    });
  };
  f.loop((again) => {
    f.set(sure, i32(1));
    f.set(behindStrips, select(add(isFirst, taken()), i32(0), get(each)));
    goAlong();
    f.if(get(sure), goAgainst);
    f.if(apply('i32.eqz', get(sure)), () => {
      f.set(each, i32(0));
      f.branch(again);
    });
  });
}

/** The epilogue's inputs that do not move along the axis. */
function constantLines(step: SweepStep, beside: readonly Line[]): ReadonlyMap<number, Line> {
  return new Map(
    beside.flatMap((line, i) => (step.epilogue.inputs[i]?.strides[step.axis] === 0 ? [[i, line] as const] : [])),
  );
}
