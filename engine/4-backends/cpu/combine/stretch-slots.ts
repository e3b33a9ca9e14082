/** The totals of a stretch of items that advance together: in scratch, the neighbours of each component side by side. */
import type { ElementType } from '../../../0-ir/types.ts';
import { readAt, writeAt, type Cursor } from '../walk/access.ts';
import { slotBytes, type Accumulator } from './combining.ts';
import type { Kernel } from '../kernel.ts';
import { vectorLanes } from '../scalar/lanes.ts';
import { bytesPerElement } from '../representation.ts';
import { readVectorAt, writeVectorAt } from '../walk/vector-access.ts';
import { add, get, i32, type Expression, type Local } from '../wasm/expression.ts';

export interface StretchSlots {
  /** Moved with the items. */
  readonly cursors: readonly Cursor[];
  /** To the stretch's first item. */
  rewind(): void;
  /** The accumulator of the item at hand. */
  restore(): void;
  spill(): void;
  /** The totals of a vector of items, as `body` leaves them; whether those items were empty, if that is asked. */
  onVectors(body: (totals: readonly Local[], isEmpty: Expression | null) => void): void;
}

export function stretchSlots(k: Kernel, total: Accumulator, length: number): StretchSlots {
  const { f } = k;
  const { components, empty } = total;
  const types: ElementType[] = [...total.types, ...(empty ? (['int'] as const) : [])];
  const locals = [...components, ...(empty ? [empty] : [])];
  const scratch = k.scratch(length * slotBytes(total));
  const cursors = types.map((element, i): Cursor => ({
    at: f.local('i32'),
    start: add(scratch, i32(8 * length * i)),
    strides: [1],
    unit: bytesPerElement(k.precision)[element],
    element,
  }));
  const address = (i: number) => get(cursors[i]!.at);
  return {
    cursors,
    rewind: () => cursors.forEach(({ at, start }) => f.set(at, start)),
    restore: () => locals.forEach((local, i) => f.set(local, readAt(k, types[i]!, address(i)))),
    spill: () => locals.forEach((local, i) => writeAt(k, types[i]!, address(i), get(local))),
    onVectors(body) {
      const totals = components.map((_, i) => f.keep(readVectorAt(k, types[i]!, address(i), 1)));
      body(totals, empty && readAt(k, 'int', address(components.length)));
      totals.forEach((vector, i) => writeVectorAt(k, types[i]!, address(i), 1, get(vector)));
      if (empty)
        writeVectorAt(k, 'int', address(components.length), 1, vectorLanes.constant(k, { type: 'int', value: 0 }));
    },
  };
}
