/** Y = L·R  ⇒  L̄ = Ȳ·Rᵀ,  R̄ = Lᵀ·Ȳ. */
import type { ProgramBuilder } from '../../0-ir/builder.ts';
import type { Value } from '../../0-ir/program.ts';
import { sumTo } from '../layout.ts';
import type { VjpRule } from '../rule.ts';

export const matmul: VjpRule<'matmul'> = {
  name: 'matmul',
  construct: 'matmul',
  example: `program (%0 l: real[n, 2], %1 r: real[2, m]) {
  %2: real[n, m] = matmul (%0, %1)
  yield y = %2
}`,
  matches: () => true,
  cost: () => ({ traffic: 9, operations: 6, passes: 3 }),
  cotangents(b, { left, right }, _, [cotangent], [wantLeft, wantRight]) {
    if (!cotangent) return [];
    return [
      wantLeft ? sumTo(b, b.matmul(cotangent, lastTwoSwapped(b, right)), left.type.shape) : undefined,
      wantRight ? sumTo(b, b.matmul(lastTwoSwapped(b, left), cotangent), right.type.shape) : undefined,
    ];
  },
};

function lastTwoSwapped(b: ProgramBuilder, value: Value): Value {
  const rank = value.type.shape.length;
  const axes = Array.from({ length: rank }, (_, axis) => axis);
  return b.transpose(value, [...axes.slice(0, -2), rank - 1, rank - 2]);
}
