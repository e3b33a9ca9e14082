/**
 * low ≤ x and x < high, of positive literals, as one comparison of ints: the bits of numbers that are not negative ascend
 * with them, those of negative ones and of NaN, taken without a sign, lie above.
 */
import type { ScalarApply, ScalarOperand, ScalarStatement } from '../../../0-ir/scalar.ts';
import type { Precision } from '../representation.ts';
import { apply, i32, i64, type Expression } from '../wasm/expression.ts';

export interface RangeTest {
  readonly of: ScalarOperand;
  readonly low: number;
  readonly high: number;
}

/** What the statement tests, if it is such a test; `definition` gives the statement that a variable is the result of. */
export function rangeTest(
  precision: Precision,
  { operation, operands }: ScalarApply,
  definition: (id: number) => ScalarStatement | undefined,
): RangeTest | undefined {
  if (operation !== 'and') return undefined;
  const [least, most] = operands.map((operand) => (operand.kind === 'variable' ? definition(operand.id) : undefined));
  if (least?.kind !== 'apply' || most?.kind !== 'apply' || least.operation !== 'le' || most.operation !== 'lt')
    return undefined;
  const [low, x] = least.operands as [ScalarOperand, ScalarOperand];
  const [y, high] = most.operands as [ScalarOperand, ScalarOperand];
  if (low.kind !== 'literal' || high.kind !== 'literal' || x.kind !== 'variable' || y.kind !== 'variable')
    return undefined;
  if (x.type !== 'real' || x.id !== y.id) return undefined;
  const [from, to] = [low.value, high.value].map((value) => (precision === 'f32' ? Math.fround(value) : value)) as [
    number,
    number,
  ];
  return from > 0 && from < to ? { of: x, low: from, high: to } : undefined;
}

export function isInRange(precision: Precision, x: Expression, { low, high }: RangeTest): Expression {
  if (precision === 'f32') {
    const [from, to] = new Int32Array(Float32Array.of(low, high).buffer) as unknown as [number, number];
    return apply('i32.lt_u', apply('i32.sub', apply('i32.reinterpret_f32', x), i32(from)), i32(to - from));
  }
  const [from, to] = new BigInt64Array(Float64Array.of(low, high).buffer) as unknown as [bigint, bigint];
  return apply('i64.lt_u', apply('i64.sub', apply('i64.reinterpret_f64', x), i64(from)), i64(to - from));
}
