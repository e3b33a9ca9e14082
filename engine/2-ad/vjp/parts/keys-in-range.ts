/** Keys of a histogram that lie outside 0 … bins-1: what they belong to has an adjoint of exactly zero. */
import type { ProgramBuilder } from '../../../0-ir/builder.ts';
import type { Value } from '../../../0-ir/program.ts';
import { intLiteral, realLiteral, type ScalarFunction } from '../../../0-ir/scalar.ts';
import { scalarFunction } from '../../../0-ir/scalar-builder.ts';
import type { Size } from '../../../0-ir/sizes.ts';
import { sizeAsValue } from '../../layout.ts';

export function keysInRange(b: ProgramBuilder, keys: Value, bins: Size): Value {
  return b.elementwise([keys, sizeAsValue(b, bins)], (s, k, w) =>
    s.apply('and', s.apply('le', intLiteral(0), k), s.apply('lt', k, w)),
  );
}

/** (inRange, …) ↦ inRange ? fn(…) : zeros, for a function of real results, which is run whatever the key is. */
export function guarded(fn: ScalarFunction): ScalarFunction {
  const types = fn.parameters.map((parameter) => parameter.type);
  return scalarFunction(['bool', ...types], (s, inRange, ...operands) => {
    const results = s.inline(fn, operands);
    return s.branch(
      inRange,
      () => results,
      () => results.map(() => realLiteral(0)),
    );
  });
}
