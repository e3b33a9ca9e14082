/** Operators on which the rules are swept, each with elements for which it means something. */
import { linFnComp, matMul, sumOfProdInvertible as sumOfProd } from '../../src-main/benchmark/operators.ts';
import { builtinOperator, type Operator } from '../../engine/0-ir/operators.ts';
import { scalarFunction, type ScalarBuilder } from '../../engine/0-ir/scalar-builder.ts';
import { realLiteral, type ScalarOperand } from '../../engine/0-ir/scalar.ts';

export { linFnComp, matMul, sumOfProd };

export interface TestOperator {
  readonly name: string;
  readonly operator: Operator;
  /** Range of the elements. */
  readonly range: readonly [low: number, high: number];
}

/** a + b + ab, a group with an inverse; neutral 0. */
export const circle: Operator = {
  combine: scalarFunction(['real', 'real'], (s, a, b) => [s.apply('add', s.apply('add', a, b), s.apply('mul', a, b))]),
  neutral: [0],
  commutative: true,
  inverse: scalarFunction(['real', 'real'], (s, total, b) => [
    s.apply('div', s.apply('sub', total, b), s.apply('add', realLiteral(1), b)),
  ]),
};

/** Saturated addition on [0, ∞). The bound is no multiple of a power of two, so that no sum of such is at the kink. */
export const satAdd: Operator = {
  combine: scalarFunction(['real', 'real'], (s, a, b) => [s.apply('min', s.apply('add', a, b), realLiteral(2.5004))]),
  neutral: [0],
  commutative: true,
};

/** √(a² + b²), invertible by way of the squares. */
export const hypotenuse: Operator = {
  combine: scalarFunction(['real', 'real'], (s, a, b) => [s.apply('hypot', a, b)]),
  neutral: [0],
  commutative: true,
  lift: {
    into: scalarFunction(['real'], (s, a) => [s.apply('mul', a, a)]),
    operator: {
      ...builtinOperator('add'),
      inverse: scalarFunction(['real', 'real'], (s, total, b) => [s.apply('sub', total, b)]),
    },
    back: scalarFunction(['real'], (s, a) => [s.apply('sqrt', a)]),
  },
};

export const matMul2 = matMul(2);

/** Affine maps of q-space: (b, A), (b₁, A₁) ∘ (b₂, A₂) = (b₂ + A₂·b₁, A₂ × A₁). */
export function affine(q: number): Operator {
  const d = q + q * q;
  const sum = (s: ScalarBuilder, terms: ScalarOperand[]): ScalarOperand => terms.reduce((a, b) => s.apply('add', a, b));
  return {
    combine: scalarFunction(
      Array.from({ length: 2 * d }, () => 'real' as const),
      (s, ...x) => {
        const at = (side: number, i: number): ScalarOperand => x[side * d + i] as ScalarOperand;
        const indices = Array.from({ length: q }, (_, i) => i);
        const b = indices.map((i) =>
          sum(s, [at(1, i), ...indices.map((j) => s.apply('mul', at(1, q + i * q + j), at(0, j)))]),
        );
        const a = indices.flatMap((i) =>
          indices.map((j) =>
            sum(
              s,
              indices.map((k) => s.apply('mul', at(1, q + i * q + k), at(0, q + k * q + j))),
            ),
          ),
        );
        return [...b, ...a];
      },
    ),
    neutral: [...Array.from({ length: q }, () => 0), ...matMul(q).neutral],
    commutative: false,
  };
}

/** (a + bi)(c + di). */
export const complexProduct: Operator = {
  combine: scalarFunction(['real', 'real', 'real', 'real'], (s, a, b, c, d) => [
    s.apply('sub', s.apply('mul', a, c), s.apply('mul', b, d)),
    s.apply('add', s.apply('mul', a, d), s.apply('mul', b, c)),
  ]),
  neutral: [1, 0],
  commutative: true,
};

/** Merging (count, mean, sum of squared deviations), Chan et al. */
export const moments: Operator = {
  combine: scalarFunction(
    Array.from({ length: 6 }, () => 'real' as const),
    (s, n1, m1, q1, n2, m2, q2) => {
      const n = s.apply('add', n1, n2);
      const delta = s.apply('sub', m2, m1);
      const mean = s.apply('add', m1, s.apply('mul', delta, s.apply('div', n2, n)));
      const cross = s.apply('mul', s.apply('mul', delta, delta), s.apply('div', s.apply('mul', n1, n2), n));
      return [n, mean, s.apply('add', s.apply('add', q1, q2), cross)];
    },
  ),
  neutral: [0, 0, 0],
  commutative: true,
};
