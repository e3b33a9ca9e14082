/** The digits by which keys are sorted, and the table that counts them: a 32-bit word for each. */
import type { Size } from '../../../0-ir/sizes.ts';
import type { SortStep } from '../../../3-plan/plan.ts';
import type { Kernel } from '../kernel.ts';
import { forLine } from '../walk/items.ts';
import { status } from '../fault.ts';
import { add, apply, get, i32, load, select, type Expression, type Local } from '../wasm/expression.ts';

/** Bits of a digit at most. In short arrays fewer: clearing the table would take longer than the sort. */
const BITS = { short: 8, long: 11 } as const;
const SHORT = 4096;
export const MOST_DIGITS = 2 ** BITS.long;

/** Of one pass. */
export interface Digits {
  /** How many there are, the place of their lowest bit, and what it takes to keep their bits alone. */
  readonly count: Local;
  readonly shift: Local;
  readonly mask: Local;
  readonly isLastPass: Expression;
}

/** Keys below a bound b have ⌈log₂ b⌉ bits, others 32. */
export function passesAtMost(bound: Size | undefined): number {
  const bits = typeof bound === 'number' ? 32 - Math.clz32(Math.max(0, bound - 1)) : 32;
  return Math.max(1, Math.ceil(bits / BITS.short));
}

/** The digits of a pass. Leaves the kernel where keys have been sorted by then. */
export function digitsOf(k: Kernel, { bound, domain }: SortStep, pass: number): Digits {
  const { f } = k;
  const length = k.size(domain.at(-1)!);
  const bits = f.keep(i32(32));
  if (bound !== undefined) {
    const largest = f.keep(add(k.size(bound), i32(-1)));
    const needed = apply('i32.sub', i32(32), apply('i32.clz', get(largest)));
    f.set(bits, select(needed, i32(0), apply('i32.gt_s', get(largest), i32(0))));
  }
  const most = f.keep(select(i32(BITS.short), i32(BITS.long), apply('i32.lt_s', length, i32(SHORT))));
  const passes = f.keep(quotient(get(bits), get(most)));
  if (pass > 0) f.if(apply('i32.le_s', get(passes), i32(pass)), () => f.return(i32(status.done)));
  else f.set(passes, select(get(passes), i32(1), get(passes)));
  const width = f.keep(quotient(get(bits), get(passes)));
  const count = f.keep(apply('i32.shl', i32(1), get(width)));
  return {
    count,
    shift: f.keep(apply('i32.mul', get(width), i32(pass))),
    mask: f.keep(add(get(count), i32(-1))),
    isLastPass: apply('i32.eq', get(passes), i32(pass + 1)),
  };
}

/** ⌈a / b⌉ */
function quotient(a: Expression, b: Expression): Expression {
  return apply('i32.div_u', add(apply('i32.sub', a, i32(1)), b), b);
}

/** The address of the counter for a key's digit. */
export function counterOf(k: Kernel, { shift, mask }: Digits, table: Local, key: Expression): Local {
  const digit = apply('i32.and', apply('i32.shr_u', key, get(shift)), get(mask));
  return k.f.keep(add(get(table), apply('i32.shl', digit, i32(2))));
}

export function clearTable(k: Kernel, { count }: Digits, table: Local): void {
  const counter = k.f.keep(get(table));
  forLine(k, get(count), [], () => {
    k.f.store('i32.store', get(counter), i32(0));
    k.f.increase(counter, i32(4));
  });
}

/**
 * The counts of so many tables, `apart` bytes each, become the places at which their elements begin: by digit, and by
 * table where digits are equal.
 */
export function turnIntoPlaces(
  k: Kernel,
  { count }: Digits,
  first: Local,
  tables: Expression,
  apart: Expression,
): void {
  const { f } = k;
  const total = f.keep(i32(0));
  const column = f.keep(get(first));
  forLine(k, get(count), [], () => {
    const counter = f.keep(get(column));
    forLine(k, tables, [], () => {
      const here = f.keep(load('i32.load', get(counter)));
      f.store('i32.store', get(counter), get(total));
      f.increase(total, get(here));
      f.increase(counter, apart);
    });
    f.increase(column, i32(4));
  });
}
