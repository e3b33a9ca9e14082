/** Asking a device for more of a size that grows (5-runtime/growth.ts), where a run has found it too small. */
import {
  builtinOperator,
  realLiteral,
  type ScalarBuilder,
  type ScalarOperand,
  type Size,
  type Value,
} from '../../../engine/index.ts';
import type { LowerContext } from '../kind.ts';

/**
 * 0, or a fault that makes the device take more: where `short` says that `value` came of too few, and there are fewer than
 * `most`. Every use of what was found is to hang on it.
 */
export function enough(
  context: LowerContext,
  value: Value,
  size: Size,
  most: number,
  short: (s: ScalarBuilder, value: ScalarOperand) => ScalarOperand,
): Value {
  const b = context.builder;
  const ones = b.replicate(b.literal(1), [size]);
  const [total] = b.reduce(builtinOperator('add'), [ones], 0) as [Value];
  const index = b.elementwise([value, total], (s, each, count) =>
    s.apply('int', s.apply('and', short(s, each), s.apply('lt', count, realLiteral(most)))),
  );
  return b.gather(b.replicate(b.literal(0, 'int'), [1]), index, 'fault');
}
