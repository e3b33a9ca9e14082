/**
 * Y = L·R  ⇒  L̄ = Ȳ·Rᵀ,  R̄ = Lᵀ·Ȳ.
 *
 * Of data with missing cells a row of L that no cotangent flows to is taken without them, and a column of R: 0·NaN is 0.
 */
import { realLiteral } from '../../0-ir/scalar.ts';
import { builtinOperator } from '../../0-ir/operators.ts';
import type { ProgramBuilder } from '../../0-ir/builder.ts';
import type { Value } from '../../0-ir/program.ts';
import { expandAxis, sumTo } from '../layout.ts';
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
  cotangents(b, { left, right }, _, [cotangent], [wantLeft, wantRight], { missing }) {
    if (!cotangent) return [];
    const rank = cotangent.type.shape.length;
    const rows = (): Value => (missing ? whereReached(b, left, cotangent, rank - 1) : left);
    const columns = (): Value => (missing ? whereReached(b, right, cotangent, rank - 2) : right);
    return [
      wantLeft ? sumTo(b, b.matmul(cotangent, lastTwoSwapped(b, columns())), left.type.shape) : undefined,
      wantRight ? sumTo(b, b.matmul(lastTwoSwapped(b, rows()), cotangent), right.type.shape) : undefined,
    ];
  },
};

/** The factor, 0 in place of NaN where the cotangent is 0 all along the axis. */
function whereReached(b: ProgramBuilder, factor: Value, cotangent: Value, axis: number): Value {
  const reached = b.elementwise([cotangent], (s, v) => s.apply('real', s.apply('ne', v, realLiteral(0))));
  const [some] = b.reduce(builtinOperator('max'), [reached], axis) as [Value];
  return b.elementwise([factor, expandAxis(b, some, axis)], (s, x, any) =>
    s.either(
      s.apply('and', s.apply('isnan', x), s.apply('eq', any, realLiteral(0))),
      () => realLiteral(0),
      () => x,
    ),
  );
}

function lastTwoSwapped(b: ProgramBuilder, value: Value): Value {
  const rank = value.type.shape.length;
  const axes = Array.from({ length: rank }, (_, axis) => axis);
  return b.transpose(value, [...axes.slice(0, -2), rank - 1, rank - 2]);
}
