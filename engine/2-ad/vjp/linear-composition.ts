/**
 * lin_o: composition of affine maps x ↦ b + C·x of d-vectors, (b₁,C₁) ∘ (b₂,C₂) = (b₂ + C₂·b₁, C₂ × C₁).
 * Paper, figure "scan-gen". Components: b₀ … b_{d-1}, then C row by row.
 */
import type { Operator } from '../../0-ir/operators.ts';
import type { ScalarOperand } from '../../0-ir/scalar.ts';
import { scalarFunction, type ScalarBuilder } from '../../0-ir/scalar-builder.ts';

export function linearComposition(d: number): Operator {
  const types = Array.from({ length: d + d * d }, () => 'real' as const);
  const rows = Array.from({ length: d }, (_, i) => i);
  const combine = scalarFunction([...types, ...types], (s, ...operands) => {
    const b1 = operands.slice(0, d);
    const c1 = operands.slice(d, d + d * d);
    const b2 = operands.slice(d + d * d, d + d * d + d);
    const c2 = operands.slice(d + d * d + d);
    const b = rows.map((i) => s.apply('add', b2[i] as ScalarOperand, dot(s, row(c2, i, d), b1)));
    const c = rows.flatMap((i) => rows.map((j) => dot(s, row(c2, i, d), column(c1, j, d))));
    return [...b, ...c];
  });
  const identity = rows.flatMap((i) => rows.map((j) => (i === j ? 1 : 0)));
  return { combine, neutral: [...rows.map(() => 0), ...identity], commutative: false };
}

const row = (matrix: readonly ScalarOperand[], i: number, d: number): ScalarOperand[] => matrix.slice(i * d, i * d + d);
const column = (matrix: readonly ScalarOperand[], j: number, d: number): ScalarOperand[] =>
  matrix.filter((_, at) => at % d === j);

function dot(s: ScalarBuilder, x: readonly ScalarOperand[], y: readonly ScalarOperand[]): ScalarOperand {
  return x
    .map((factor, i): ScalarOperand => s.apply('mul', factor, y[i] as ScalarOperand))
    .reduce((total, term) => s.apply('add', total, term));
}
