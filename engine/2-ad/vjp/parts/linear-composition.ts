/**
 * lin_o: composition of affine maps x ↦ b + C·x of d-vectors, (b₁,C₁) ∘ (b₂,C₂) = (b₂ + C₂·b₁, C₂ × C₁), where C has a
 * structure that is closed under the product: components are b₀ … b_{d-1}, then one scalar for each class of C.
 * Paper, figure "scan-gen"; with whole structure it is that figure's operator.
 *
 * An exact zero, of b₁ or of a matrix, contributes zero whatever it meets: where chunks of a scan meet, C₂ is a product of
 * many Jacobians, which may have overflown though nothing flows through them. Sums are formed plainly and again with that
 * guard where they are NaN, so that they cost no more and stay linear in b₁ when differentiated.
 */
import type { Operator } from '../../../0-ir/operators.ts';
import { realLiteral, type ScalarFunction, type ScalarOperand } from '../../../0-ir/scalar.ts';
import { scalarFunction, type ScalarBuilder } from '../../../0-ir/scalar-builder.ts';
import { withoutDeadCode } from '../../../1-optimize/scalar/dead-code.ts';
import { selectResults } from '../../../1-optimize/scalar/edit-function.ts';
import { workOf } from '../../../1-optimize/work.ts';
import { unlessNaN, zeroWith } from '../../scalar/guarded-vjp.ts';
import type { Entry, Structure } from '../../structure.ts';

export function linearComposition(structure: Structure): Operator {
  const { d, representatives } = structure;
  const identity = representatives.map((at) => (Math.floor(at / d) === at % d ? 1 : 0));
  return {
    combine: composition(
      structure,
      (s, plain, guarded) =>
        unlessNaN(
          s,
          () => [plain],
          () => [guarded()],
        )[0] ?? plain,
    ),
    neutral: [...Array.from({ length: d }, () => 0), ...identity],
    commutative: false,
  };
}

/** Scalar operations of lin_o where nothing has overflown. */
export function compositionWork(structure: Structure): number {
  return workOf(plainComposition(structure));
}

/** Those of b alone, which is all that a scan carries on where C is not read. */
export function applicationWork(structure: Structure): number {
  const indices = Array.from({ length: structure.d }, (_, i) => i);
  return workOf(withoutDeadCode(selectResults(plainComposition(structure), indices)));
}

function plainComposition(structure: Structure): ScalarFunction {
  return composition(structure, (_, plain) => plain);
}

type Guard = (s: ScalarBuilder, plain: ScalarOperand, guarded: () => ScalarOperand) => ScalarOperand;
type Factors = readonly [ScalarOperand, ScalarOperand];

function composition({ d, entries, representatives }: Structure, guard: Guard): ScalarFunction {
  const types = Array.from({ length: d + representatives.length }, () => 'real' as const);
  const indices = Array.from({ length: d }, (_, i) => i);
  return scalarFunction([...types, ...types], (s, ...operands) => {
    const left = operands.slice(0, types.length);
    const right = operands.slice(types.length);
    const c1 = matrix(s, entries, left.slice(d));
    const c2 = matrix(s, entries, right.slice(d));
    const total = (pairs: readonly Factors[], start?: ScalarOperand): ScalarOperand =>
      guard(s, sum(s, pairs, product, start), () => sum(s, pairs, guardedProduct, start));
    const b = indices.map((i) =>
      total(
        indices.map((j): Factors => [c2[i * d + j]!, left[j] as ScalarOperand]),
        right[i],
      ),
    );
    const c = representatives.map((at) => {
      const [i, j] = [Math.floor(at / d), at % d];
      return total(indices.map((k): Factors => [c2[i * d + k]!, c1[k * d + j]!]));
    });
    return [...b, ...c];
  });
}

function matrix(s: ScalarBuilder, entries: readonly Entry[], classes: readonly ScalarOperand[]): ScalarOperand[] {
  return entries.map((entry) => {
    if (entry.kind === 'constant') return realLiteral(entry.value);
    const value = classes[entry.index]!;
    return entry.sign === 1 ? value : s.apply('neg', value);
  });
}

type Product = (s: ScalarBuilder, factors: Factors) => ScalarOperand;

const product: Product = (s, [x, y]) => s.apply('mul', x, y);

const guardedProduct: Product = (s, [x, y]) =>
  zeroWith(s, y, 1, () => zeroWith(s, x, 1, () => [product(s, [x, y])]))[0]!;

/** start + Σ x·y without what the structure knows to be zero or one. */
function sum(s: ScalarBuilder, pairs: readonly Factors[], times: Product, start?: ScalarOperand): ScalarOperand {
  const is = (operand: ScalarOperand, value: number): boolean => operand.kind === 'literal' && operand.value === value;
  let total = start;
  for (const [x, y] of pairs) {
    if (is(x, 0) || is(y, 0)) continue;
    const term = is(x, 1) ? y : is(y, 1) ? x : times(s, [x, y]);
    total = total ? s.apply('add', total, term) : term;
  }
  return total ?? realLiteral(0);
}
