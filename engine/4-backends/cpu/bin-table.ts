/** A table of what stands in each bin, in scratch: a bin's components side by side, so that it is one line of the cache. */
import { sizeMultiply, type Size } from '../../0-ir/sizes.ts';
import type { ElementType } from '../../0-ir/types.ts';
import { readAt, writeAt } from './access.ts';
import type { Kernel } from './kernel.ts';
import { bytesPerElement } from './representation.ts';
import { add, get, i32, load, multiply, type Expression, type Local } from './wasm/expression.ts';

export interface BinTable {
  /** Where a bin is. */
  slot(bin: Local): Local;
  /** Whether a bin holds something; always, in a table without flags. */
  ifFilled(slot: Local, then: () => void, otherwise: () => void): void;
  setFilled(slot: Local, filled: boolean): void;
  read(slot: Local): Expression[];
  write(slot: Local, values: readonly Expression[]): void;
}

/** `flagged`: bins know whether they hold something. */
export function binTable(k: Kernel, types: readonly ElementType[], bins: Size, flagged: boolean): BinTable {
  const { f } = k;
  const { real, int } = bytesPerElement(k.precision);
  // Reals first, so that each is aligned.
  const reals = types.filter((type) => type === 'real').length;
  const offsets = types.map((type, i) => {
    const before = types.slice(0, i).filter((other) => (other === 'real') === (type === 'real')).length;
    return type === 'real' ? real * before : real * reals + int * before;
  });
  const flagAt = real * reals + int * (types.length - reals);
  const bytes = Math.ceil((flagAt + (flagged ? int : 0)) / real) * real;
  const base = k.scratch(sizeMultiply(bins, bytes));
  const place = (slot: Local, i: number): Expression => add(get(slot), i32(offsets[i] as number));
  return {
    slot: (bin) => f.keep(add(base, multiply(get(bin), i32(bytes)))),
    ifFilled(slot, then, otherwise) {
      if (flagged) f.if(load('i32.load', get(slot), flagAt), then, otherwise);
      else then();
    },
    setFilled(slot, filled) {
      if (flagged) f.store('i32.store', get(slot), i32(filled ? 1 : 0), flagAt);
    },
    read: (slot) => types.map((type, i) => get(f.keep(readAt(k, type, place(slot, i))))),
    write: (slot, values) => types.forEach((type, i) => writeAt(k, type, place(slot, i), values[i] as Expression)),
  };
}
