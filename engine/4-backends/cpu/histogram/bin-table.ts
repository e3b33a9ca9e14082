/**
 * A table of what stands in each bin. What most elements touch of a bin is side by side, and nothing else is between one
 * bin's and the next one's, so that many bins fit a cache; the rest of all bins comes after it.
 */
import { sizeMultiply, type Size } from '../../../0-ir/sizes.ts';
import type { ElementType } from '../../../0-ir/types.ts';
import { readAt, writeAt } from '../walk/access.ts';
import type { Bin } from './bin-update.ts';
import type { Kernel } from '../kernel.ts';
import { bytesPerElement } from '../representation.ts';
import { add, get, i32, load, multiply, type Expression, type Local } from '../wasm/expression.ts';

export interface TableRule {
  readonly types: readonly ElementType[];
  readonly bins: Size;
  /** Components that most elements touch; all, unless said. */
  readonly hot?: readonly number[];
  /** Whether bins can be marked; where most elements look at the mark, it is hot. */
  readonly mark: 'none' | 'hot' | 'cold';
  /** Reals are held in f64, whatever the precision. */
  readonly wide?: boolean;
}

export interface BinTable {
  /** For each bin. */
  readonly bytes: number;
  /** A bin of the table that begins at `base`. */
  bin(base: Expression, at: Local): Bin;
}

interface Part {
  readonly bytes: number;
  readonly offsets: ReadonlyMap<number | 'mark', number>;
}

export function binTable(k: Kernel, { types, bins, hot = [...types.keys()], mark, wide = false }: TableRule): BinTable {
  const { f } = k;
  const { real, int } = { ...bytesPerElement(k.precision), ...(wide && { real: 8 }) };
  const part = (components: readonly number[], marked: boolean): Part => {
    // Reals first, so that each is aligned.
    const isReal = (i: number) => types[i] === 'real';
    const [reals, others] = [components.filter(isReal), components.filter((i) => !isReal(i))];
    const small = [...others, ...(marked ? (['mark'] as const) : [])];
    const offsets = new Map([
      ...reals.map((i, at) => [i, real * at] as const),
      ...small.map((i, at) => [i, real * reals.length + int * at] as const),
    ]);
    return { offsets, bytes: Math.ceil((real * reals.length + int * small.length) / real) * real };
  };
  const near = part(hot, mark === 'hot');
  const far = part(
    [...types.keys()].filter((i) => !hot.includes(i)),
    mark === 'cold',
  );
  const farAt = k.size(sizeMultiply(bins, near.bytes));
  return {
    bytes: near.bytes + far.bytes,
    bin(base, at) {
      const slot = f.keep(add(base, multiply(get(at), i32(near.bytes))));
      const place = (what: number | 'mark') => {
        const offset = near.offsets.get(what);
        if (offset !== undefined) return { address: get(slot), offset };
        const address = add(add(base, farAt), multiply(get(at), i32(far.bytes)));
        return { address, offset: far.offsets.get(what)! };
      };
      const isWide = (i: number) => wide && types[i] === 'real';
      return {
        read(i) {
          const { address, offset } = place(i);
          return isWide(i) ? load('f64.load', address, offset) : readAt(k, types[i]!, address, offset);
        },
        write(i, value) {
          const { address, offset } = place(i);
          if (isWide(i)) f.store('f64.store', address, value, offset);
          else writeAt(k, types[i]!, address, value, offset);
        },
        mark: mark === 'none' ? null : markAt(k, place('mark')),
      };
    },
  };
}

function markAt(
  k: Kernel,
  { address, offset }: { readonly address: Expression; readonly offset: number },
): Bin['mark'] {
  return {
    is: load('i32.load', address, offset),
    set: (marked = true) => k.f.store('i32.store', address, i32(marked ? 1 : 0), offset),
  };
}
