/** How a batched and a plain operand are brought to one form. */
import type { ProgramBuilder } from '../../0-ir/builder.ts';
import type { Value } from '../../0-ir/program.ts';
import type { Size } from '../../0-ir/sizes.ts';

/** [B, s…] so that s aligns at the right with a domain of `rank` axes: [B, 1…, s…]. Plain operands align as they are. */
export function aligned(b: ProgramBuilder, value: Value, batched: boolean, rank: number): Value {
  if (!batched) return value;
  const [size, ...rest] = value.type.shape;
  const missing = Array.from({ length: rank - rest.length }, (): Size => 1);
  return b.reshape(value, [size!, ...missing, ...rest]);
}

/** An operand with a leading batch axis: its own, or one of the literal size 1. */
export function leading(b: ProgramBuilder, value: Value, batched: boolean): Value {
  return batched ? value : b.reshape(value, [1, ...value.type.shape]);
}

/** The value once for each element of the batch. */
export function withBatch(b: ProgramBuilder, value: Value, size: Size): Value {
  return b.replicate(value, [size, ...value.type.shape]);
}
