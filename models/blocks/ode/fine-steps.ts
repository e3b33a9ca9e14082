/** What is known at knots, [M, …rest], at the S fine steps of each: [M·S, …rest], the missing batch axes between. */
import { sizeMultiply, type ScalarBuilder, type ScalarOperand, type Size, type Value } from '../../../engine/index.ts';
import type { AxisSize, LowerContext } from '../kind.ts';

export interface FineSteps {
  /** M·S */
  readonly size: Size;
  readonly repeated: (value: Value) => Value;
  /** Elementwise over values at knots and the number of the step within its interval. */
  readonly over: (
    values: readonly Value[],
    write: (s: ScalarBuilder, step: ScalarOperand, ...values: ScalarOperand[]) => ScalarOperand,
  ) => Value;
}

export function fineSteps(context: LowerContext, knots: AxisSize, substeps: Size, batchRank: number): FineSteps {
  const b = context.builder;
  const count = context.size(knots);
  const size = sizeMultiply(count, substeps);
  const ones = new Array<number>(batchRank).fill(1);
  const index = b.reshape(b.iota(substeps), [1, substeps, ...ones]);
  const over: FineSteps['over'] = (values, write) => {
    const columns = values.map((value) => {
      const rest = value.type.shape.slice(1);
      return b.reshape(value, [count, 1, ...ones.slice(rest.length), ...rest]);
    });
    const fine = b.elementwise([index, ...columns], write);
    return b.reshape(fine, [size, ...fine.type.shape.slice(2)]);
  };
  return { size, over, repeated: (value) => over([value], (_, __, same) => same) };
}
