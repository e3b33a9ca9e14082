/** The operators of the paper's evaluation (figure "fig-eval-ops") that are no built-ins. */
import { type Operator, realLiteral, type ScalarOperand, scalarFunction } from '../../engine/index.ts';

/** (b₁, c₁) ∘ (b₂, c₂) = (b₂ + c₂·b₁, c₂·c₁): composition of linear functions. Does not commute. */
export const linFnComp: Operator = {
  combine: scalarFunction(['real', 'real', 'real', 'real'], (s, b1, c1, b2, c2) => [
    s.apply('add', b2, s.apply('mul', c2, b1)),
    s.apply('mul', c2, c1),
  ]),
  neutral: [0, 1],
  commutative: false,
};

/** (p₁, s₁) ⊙ (p₂, s₂) = (p₁ + p₂ + s₁·s₂, s₁ + s₂): the sum of all products of pairs. */
export const sumOfProd: Operator = {
  combine: scalarFunction(['real', 'real', 'real', 'real'], (s, p1, s1, p2, s2) => [
    s.apply('add', s.apply('add', p1, p2), s.apply('mul', s1, s2)),
    s.apply('add', s1, s2),
  ]),
  neutral: [0, 0],
  commutative: true,
};

export const sumOfProdInvertible: Operator = {
  ...sumOfProd,
  inverse: scalarFunction(['real', 'real', 'real', 'real'], (s, p, total, p2, s2) => {
    const rest = s.apply('sub', total, s2);
    return [s.apply('sub', s.apply('sub', p, p2), s.apply('mul', rest, s2)), rest];
  }),
};

/** Addition that saturates at a million. */
export const satAdd: Operator = {
  combine: scalarFunction(['real', 'real'], (s, a, b) => {
    const [limit, sum] = [realLiteral(1e6), s.apply('add', a, b)];
    return s.branch(
      s.apply('lt', limit, sum),
      () => [limit],
      () => [sum],
    );
  }),
  neutral: [0],
  commutative: true,
};

/** q × q matrix product on q² components, row by row. */
export function matMul(q: number): Operator {
  const size = q * q;
  return {
    combine: scalarFunction(
      Array.from({ length: 2 * size }, () => 'real' as const),
      (s, ...x) =>
        Array.from({ length: size }, (_, at) => {
          const [i, j] = [Math.floor(at / q), at % q];
          return Array.from({ length: q }, (__, k): ScalarOperand =>
            s.apply('mul', x[i * q + k] as ScalarOperand, x[size + k * q + j] as ScalarOperand),
          ).reduce((total, term) => s.apply('add', total, term));
        }),
    ),
    neutral: Array.from({ length: size }, (_, at) => (Math.floor(at / q) === at % q ? 1 : 0)),
    commutative: false,
  };
}
