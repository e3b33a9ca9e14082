/**
 * A speculative ⊙: it takes the likely side of every `if` and the absence of NaN for granted (likely.ts), and a note beside it
 * says in the end whether that was right, unless what comes of it shows that by itself.
 */
import type { ScalarFunction } from '../../../0-ir/scalar.ts';
import type { Kernel } from '../kernel.ts';
import { vectorLanes } from '../scalar/lanes.ts';
import { likelyPart, withoutNaNTests } from '../scalar/likely.ts';
import { emitFunction } from '../scalar/scalar-function.ts';
import { vectorConstant } from '../scalar/vector.ts';
import { apply, get, i32, type Expression, type Local } from '../wasm/expression.ts';

export interface Speculative {
  /** The note of vectors, undefined where none is needed; and what it says at the end. */
  watch(): Local | undefined;
  wasRight(note: Local | undefined): Expression;
  vectors(operands: readonly Expression[], note: Local | undefined): Expression[];
  /** Of one point; `note` becomes 0 where the speculation was wrong. */
  values(operands: readonly Expression[], note: Local): Expression[];
}

export function speculative(k: Kernel, combine: ScalarFunction): Speculative {
  const { f } = k;
  const plain = withoutNaNTests(combine);
  const likely = plain ? undefined : likelyPart(combine, true);
  const run = plain ?? likely ?? combine;
  const note = (results: Expression[], into: Local | undefined, and: 'i32.and' | 'v128.and') => {
    if (!likely || !into) return results;
    f.set(into, apply(and, get(into), results.at(-1)!));
    return results.slice(0, -1);
  };
  return {
    watch: () => likely && f.keep(vectorConstant(k.precision, { type: 'bool', value: 1 })),
    wasRight: (into) => (into ? apply('i32x4.all_true', get(into)) : i32(1)),
    vectors: (operands, into) => note(emitFunction(k, run, operands, vectorLanes), into, 'v128.and'),
    values: (operands, into) => note(emitFunction(k, run, operands), into, 'i32.and'),
  };
}
