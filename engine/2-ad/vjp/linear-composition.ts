/**
 * lin_o: composition of affine maps x ↦ b + C·x of d-vectors, (b₁,C₁) ∘ (b₂,C₂) = (b₂ + C₂·b₁, C₂ × C₁), where C has a
 * structure that is closed under the product: components are b₀ … b_{d-1}, then one scalar for each class of C.
 * Paper, figure "scan-gen"; with whole structure it is that figure's operator.
 *
 * A component of b₁ that is an exact zero contributes zero whatever C₂ is: where chunks of a scan meet, C₂ is a product of
 * many Jacobians, which may have overflown though nothing flows through them.
 */
import type { Operator } from '../../0-ir/operators.ts';
import { realLiteral, type ScalarOperand } from '../../0-ir/scalar.ts';
import { scalarFunction, type ScalarBuilder } from '../../0-ir/scalar-builder.ts';
import type { Entry, Structure } from '../structure.ts';

export function linearComposition({ d, entries, representatives }: Structure): Operator {
  const types = Array.from({ length: d + representatives.length }, () => 'real' as const);
  const indices = Array.from({ length: d }, (_, i) => i);
  const combine = scalarFunction([...types, ...types], (s, ...operands) => {
    const left = operands.slice(0, types.length);
    const right = operands.slice(types.length);
    const c1 = matrix(s, entries, left.slice(d));
    const c2 = matrix(s, entries, right.slice(d));
    const zero = indices.map((j) => s.apply('eq', left[j] as ScalarOperand, realLiteral(0)));
    const b = indices.map((i) => {
      const carried = indices.flatMap((j) => {
        const [factor, carry] = [c2[i * d + j] as ScalarOperand, left[j] as ScalarOperand];
        if (factor.kind !== 'literal') return [unless(s, zero[j] as ScalarOperand, s.apply('mul', factor, carry))];
        return dot(s, [[factor, carry]]) ?? [];
      });
      return carried.reduce((total, term) => s.apply('add', total, term), right[i] as ScalarOperand);
    });
    const c = representatives.map((at) => {
      const [i, j] = [Math.floor(at / d), at % d];
      const product = indices.map((k): [ScalarOperand, ScalarOperand] => [
        c2[i * d + k] as ScalarOperand,
        c1[k * d + j] as ScalarOperand,
      ]);
      return dot(s, product) ?? realLiteral(0);
    });
    return [...b, ...c];
  });
  const identity = representatives.map((at) => (Math.floor(at / d) === at % d ? 1 : 0));
  return { combine, neutral: [...indices.map(() => 0), ...identity], commutative: false };
}

function unless(s: ScalarBuilder, condition: ScalarOperand, value: ScalarOperand): ScalarOperand {
  return s.branch(
    condition,
    () => [realLiteral(0)],
    () => [value],
  )[0] as ScalarOperand;
}

function matrix(s: ScalarBuilder, entries: readonly Entry[], classes: readonly ScalarOperand[]): ScalarOperand[] {
  return entries.map((entry) => {
    if (entry.kind === 'constant') return realLiteral(entry.value);
    const value = classes[entry.index] as ScalarOperand;
    return entry.sign === 1 ? value : s.apply('neg', value);
  });
}

/** Σ x·y without what the structure knows to be zero or one; undefined where nothing is left. */
function dot(s: ScalarBuilder, pairs: readonly (readonly [ScalarOperand, ScalarOperand])[]): ScalarOperand | undefined {
  const is = (operand: ScalarOperand, value: number): boolean => operand.kind === 'literal' && operand.value === value;
  let total: ScalarOperand | undefined;
  for (const [x, y] of pairs) {
    if (is(x, 0) || is(y, 0)) continue;
    const term = is(x, 1) ? y : is(y, 1) ? x : s.apply('mul', x, y);
    total = total ? s.apply('add', total, term) : term;
  }
  return total;
}
