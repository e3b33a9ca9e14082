/**
 * The two orders in which reduce and scan walk their domain.
 *
 * *Along*: one item after the other, each from end to end of the axis. *Across*: where memory runs along the items
 * instead, a stretch of items advances together, one place of the axis after the other, so that the inner loop reads
 * neighbours; the totals of the stretch wait in scratch. Both combine an item's elements in the order of the axis.
 */
import type { Size } from '../../0-ir/sizes.ts';
import { withoutAxis, type Shape } from '../../0-ir/types.ts';
import type { Source } from '../../3-plan/plan.ts';
import { read, type Cursor, type Line } from './access.ts';
import { restore, slotBytes, spill, type Accumulator } from './combining.ts';
import { forEachInRow, forItems, forLine, forRows, lineReaders, minimum, type Row } from './items.ts';
import type { Kernel } from './kernel.ts';
import { add, apply, get, i32, type Expression, type Local } from './wasm/expression.ts';

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
  /** Moved with the items. */
  readonly results: readonly Cursor[];
  begin(): void;
  /** At each point in turn, with what the inputs hold there; `place` is the index along the axis. */
  point(inputs: readonly Expression[], place: Local): void;
  end(): void;
}

/** So many totals stay in the first-level cache. */
const STRETCH = 512;

/** Worth it where inputs are contiguous along the items' last axis, and that axis may be long. */
export function runsAcross({ domain, axis, inputs }: Domain & { readonly inputs: readonly Source[] }): boolean {
  const last = domain.length - 1;
  if (axis === last || typeof domain[last] === 'number') return false;
  const contiguous = (along: number) =>
    inputs.filter((input) => input.kind === 'array' && input.strides[along] === 1).length;
  return contiguous(last) > contiguous(axis);
}

export function passAlong(k: Kernel, { domain, axis }: Domain, pass: Pass): void {
  const lines = [...pass.inputs, ...pass.others];
  const cursors = [...lines.map((line) => line.item), ...pass.results];
  forItems(k, withoutAxis(domain, axis), cursors, () => {
    pass.begin();
    const readers = lineReaders(k, pass.inputs);
    forLine(k, k.size(domain[axis] as Size), lines, (place) => {
      pass.point(
        readers.map((reader) => reader()),
        place,
      );
    });
    pass.end();
  });
}

export function passAcross(k: Kernel, { domain, axis }: Domain, pass: Pass): void {
  const { f } = k;
  const { total } = pass;
  const bytes = slotBytes(total);
  k.together = STRETCH;
  const slots = k.scratch(STRETCH * bytes);
  const slot: Cursor = { at: f.local('i32'), start: slots, strides: [1], unit: bytes, element: 'int' };
  const lines = [...pass.inputs, ...pass.others];
  const items = [...lines.map((line) => line.item), ...pass.results];
  // Where the stretch begins at the present place of the axis; `along` walks over the stretch from there.
  const starts = lines.map((line): Line => ({ ...line, along: { ...line.along, at: f.local('i32') } }));
  const walkers = lines.map(({ item, along }): Cursor => ({ ...item, at: along.at }));

  forRows(k, withoutAxis(domain, axis), items, (row) => {
    const overStretch = (end: Local, cursors: readonly Cursor[], body: () => void) => {
      const stretch: Row = { at: f.keep(get(row.at)), end };
      f.set(slot.at, slots);
      forEachInRow(k, stretch, [slot, ...cursors], body);
    };
    f.loop((repeat) => {
      const end = f.keep(minimum(k, get(row.end), add(get(row.at), i32(STRETCH))));
      pass.begin();
      overStretch(end, [], () => spill(k, total, slot.at));
      forLine(k, k.size(domain[axis] as Size), starts, (place) => {
        walkers.forEach((walker, i) => f.set(walker.at, get((starts[i] as Line).along.at)));
        overStretch(end, walkers, () => {
          restore(k, total, slot.at);
          pass.point(
            pass.inputs.map((line) => read(k, line.along)),
            place,
          );
          spill(k, total, slot.at);
        });
      });
      overStretch(end, items, () => {
        restore(k, total, slot.at);
        pass.end();
      });
      f.set(row.at, get(end));
      f.branchIf(repeat, apply('i32.lt_s', get(row.at), get(row.end)));
    });
  });
}
