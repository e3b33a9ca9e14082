/** Operators on which the rules are swept, each with elements for which it means something. */
import { builtinOperator, type Operator } from '../../engine/0-ir/operators.ts';
import { scalarFunction } from '../../engine/0-ir/scalar-builder.ts';
import { realLiteral, type ScalarOperand } from '../../engine/0-ir/scalar.ts';

export interface TestOperator {
  readonly name: string;
  readonly operator: Operator;
  /** Range of the elements. */
  readonly range: readonly [low: number, high: number];
}

/** (b₁, c₁) ∘ (b₂, c₂) = (b₂ + c₂·b₁, c₂·c₁), the paper's linFnComp. Does not commute. */
export const linFnComp: Operator = {
  combine: scalarFunction(['real', 'real', 'real', 'real'], (s, b1, c1, b2, c2) => [
    s.apply('add', b2, s.apply('mul', c2, b1)),
    s.apply('mul', c2, c1),
  ]),
  neutral: [0, 1],
  commutative: false,
};

/** The paper's sumOfProd. */
export const sumOfProd: Operator = {
  combine: scalarFunction(['real', 'real', 'real', 'real'], (s, p1, s1, p2, s2) => [
    s.apply('add', s.apply('add', p1, p2), s.apply('mul', s1, s2)),
    s.apply('add', s1, s2),
  ]),
  neutral: [0, 0],
  commutative: true,
};

/** a + b + ab, a group with an inverse; neutral 0. */
const circle: Operator = {
  combine: scalarFunction(['real', 'real'], (s, a, b) => [s.apply('add', s.apply('add', a, b), s.apply('mul', a, b))]),
  neutral: [0],
  commutative: true,
};

/** Saturated addition on [0, ∞): min(a + b, 2.5). */
const satAdd: Operator = {
  combine: scalarFunction(['real', 'real'], (s, a, b) => [s.apply('min', s.apply('add', a, b), realLiteral(2.5))]),
  neutral: [0],
  commutative: true,
};

/** √(a² + b²). */
const hypotenuse: Operator = {
  combine: scalarFunction(['real', 'real'], (s, a, b) => [s.apply('hypot', a, b)]),
  neutral: [0],
  commutative: true,
};

/** 2×2 matrix product. */
export const matMul2: Operator = {
  combine: scalarFunction(
    Array.from({ length: 8 }, () => 'real' as const),
    (s, ...x) => {
      const at = (i: number): ScalarOperand => x[i] as ScalarOperand;
      const entry = (i: number, j: number): ScalarOperand =>
        s.apply('add', s.apply('mul', at(2 * i), at(4 + j)), s.apply('mul', at(2 * i + 1), at(6 + j)));
      return [entry(0, 0), entry(0, 1), entry(1, 0), entry(1, 1)];
    },
  ),
  neutral: [1, 0, 0, 1],
  commutative: false,
};

export const testOperators: readonly TestOperator[] = [
  { name: 'add', operator: builtinOperator('add'), range: [-2, 2] },
  { name: 'multiply', operator: builtinOperator('multiply'), range: [0.5, 1.5] },
  { name: 'min', operator: builtinOperator('min'), range: [-2, 2] },
  { name: 'max', operator: builtinOperator('max'), range: [-2, 2] },
  { name: 'logaddexp', operator: builtinOperator('logaddexp'), range: [-2, 2] },
  { name: 'circle', operator: circle, range: [-0.4, 0.4] },
  { name: 'satAdd', operator: satAdd, range: [0.1, 0.7] },
  { name: 'hypotenuse', operator: hypotenuse, range: [0.5, 2] },
  { name: 'linFnComp', operator: linFnComp, range: [-1, 1] },
  { name: 'sumOfProd', operator: sumOfProd, range: [-1, 1] },
  { name: 'matMul2', operator: matMul2, range: [-1, 1] },
];
