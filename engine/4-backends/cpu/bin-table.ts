/** A table of what stands in each bin: a bin's components side by side, so that it is one line of the cache. */
import type { ElementType } from '../../0-ir/types.ts';
import { readAt, writeAt } from './access.ts';
import type { Bin } from './bin-update.ts';
import type { Kernel } from './kernel.ts';
import { bytesPerElement } from './representation.ts';
import { add, get, i32, load, multiply, type Expression, type Local } from './wasm/expression.ts';

export interface BinTable {
  /** Of one bin. */
  readonly bytes: number;
  /** Where a bin is in the table that begins at `base`. */
  slot(base: Expression, bin: Local): Local;
  bin(slot: Local): Bin;
  /** Whether a bin holds something; always, in a table without flags. */
  ifFilled(slot: Local, then: () => void, otherwise?: () => void): void;
  setFilled(slot: Local, filled: boolean): void;
  read(slot: Local): Local[];
  write(slot: Local, values: readonly Expression[]): void;
}

/** `flagged`: bins know whether they hold something. */
export function binTable(k: Kernel, types: readonly ElementType[], flagged: boolean): BinTable {
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
  const isFilled = (slot: Local) => load('i32.load', get(slot), flagAt);
  const setFilled = (slot: Local, filled: boolean): void => {
    if (flagged) f.store('i32.store', get(slot), i32(filled ? 1 : 0), flagAt);
  };
  const bin = (slot: Local): Bin => ({
    read: (i) => readAt(k, types[i] as ElementType, get(slot), offsets[i]),
    write: (i, value) => writeAt(k, types[i] as ElementType, get(slot), value, offsets[i]),
    filled: flagged ? { is: isFilled(slot), set: () => setFilled(slot, true) } : null,
  });
  return {
    bytes,
    slot: (base, at) => f.keep(add(base, multiply(get(at), i32(bytes)))),
    bin,
    ifFilled(slot, then, otherwise) {
      if (flagged) f.if(isFilled(slot), then, otherwise);
      else then();
    },
    setFilled,
    read: (slot) => types.map((_, i) => f.keep(bin(slot).read(i))),
    write: (slot, values) => values.forEach((value, i) => bin(slot).write(i, value)),
  };
}
