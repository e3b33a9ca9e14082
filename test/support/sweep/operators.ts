/**
 * Random operators of each class that a rule is for: the ones of `operators.ts` and those made from them, which keep their
 * laws: side by side on a tuple, read from right to left, and seen through a change of coordinates,
 * a ⊙ b = φ⁻¹(φ(a) ⊕ φ(b)).
 */
import {
  builtinOperator,
  componentTypes,
  flipped,
  productOperator,
  type Operator,
} from '../../../engine/0-ir/operators.ts';
import { realLiteral, type ScalarFunction, type ScalarOperand } from '../../../engine/0-ir/scalar.ts';
import { identityFunction, scalarFunction, type ScalarBuilder } from '../../../engine/0-ir/scalar-builder.ts';
import type { OperatorClass } from '../../../engine/2-ad/rule.ts';
import type { Choices } from '../choices.ts';
import {
  circle,
  complexProduct,
  hypotenuse,
  linFnComp,
  matMul2,
  moments,
  satAdd,
  sumOfProd,
  type TestOperator,
} from '../operators.ts';
import { argmax } from '../random/styles.ts';

type Range = TestOperator['range'];

export interface SweptOperator {
  readonly name: string;
  readonly operator: Operator;
  /** Of each component's elements; int components are drawn as ints. */
  readonly ranges: readonly Range[];
  /** Whether two equal elements make a kink. */
  readonly ties: boolean;
}

function swept(name: string, operator: Operator, range: Range, ties = false): SweptOperator {
  return { name, operator, ranges: operator.neutral.map(() => range), ties };
}

/** × with a declared lift that has an inverse, for elements other than 0. */
const liftedProduct: Operator = {
  ...builtinOperator('multiply'),
  lift: {
    into: identityFunction(['real']),
    operator: {
      ...builtinOperator('multiply'),
      inverse: scalarFunction(['real', 'real'], (s, total, x) => [s.apply('div', total, x)]),
    },
    back: identityFunction(['real']),
  },
};

const nearOne = [0.5, 1.5] as const;
const invertible = [swept('sumOfProd', sumOfProd, [-1, 1]), swept('circle', circle, [-0.4, 0.4])];
const minMax = [
  swept('min', builtinOperator('min'), [-2, 2], true),
  swept('max', builtinOperator('max'), [-2, 2], true),
];
const add = swept('add', builtinOperator('add'), [-2, 2]);
const multiply = swept('multiply', builtinOperator('multiply'), nearOne);

/** Small enough that two of them make a tuple of at most four. */
const simple: readonly SweptOperator[] = [
  add,
  multiply,
  ...minMax,
  ...invertible,
  swept('logaddexp', builtinOperator('logaddexp'), [-2, 2]),
  swept('satAdd', satAdd, [0.1, 0.7]),
  swept('complex product', complexProduct, [-1, 1]),
  swept('linFnComp', linFnComp, [-1, 1]),
  swept('argmax', argmax, [-2, 2], true),
];

const known: { readonly [C in OperatorClass]: readonly SweptOperator[] } = {
  add: [add],
  'min or max': minMax,
  multiply: [multiply],
  invertible,
  lifted: [swept('hypotenuse', hypotenuse, [0.5, 2]), swept('a lifted product', liftedProduct, nearOne)],
  any: [...simple, swept('matMul2', matMul2, [-1, 1]), swept('moments', moments, [0.5, 2])],
};

/** Of a class, commuting if it must, and such that `fits` holds. The first choices take the plain ones. */
export function randomOperator(
  c: Choices,
  of: OperatorClass,
  commutes: boolean,
  fits: (operator: Operator) => boolean,
): SweptOperator {
  const allowed = ({ operator }: SweptOperator): boolean => (!commutes || operator.commutative) && fits(operator);
  const plain = known[of].filter(allowed);
  const made =
    of === 'any' || of === 'invertible'
      ? [sideBySide(c, of, commutes), turned(c, c.pick(known[of])), moved(c, c.pick(known[of]))].filter(allowed)
      : [];
  return c.flip() || made.length === 0 ? c.pick(plain) : c.pick(made);
}

/** On a tuple of at most four components. */
function sideBySide(c: Choices, of: OperatorClass, commutes: boolean): SweptOperator {
  const parts = (of === 'any' ? simple : known[of]).filter(({ operator }) => !commutes || operator.commutative);
  const [first, second] = [c.pick(parts), c.pick(parts)];
  const operators = [first.operator, second.operator];
  const inverses = operators.flatMap(({ inverse, ...operator }) =>
    inverse ? [{ ...operator, combine: inverse }] : [],
  );
  return {
    name: `(${first.name}, ${second.name})`,
    operator: {
      ...productOperator(operators),
      ...(inverses.length === 2 && { inverse: productOperator(inverses).combine }),
    },
    ranges: [...first.ranges, ...second.ranges],
    ties: first.ties || second.ties,
  };
}

function turned(c: Choices, given: SweptOperator): SweptOperator {
  if (given.operator.commutative) return moved(c, given);
  return { ...given, name: `${given.name} from right to left`, operator: flipped(given.operator) };
}

/** By φ(x) = αx + β of every real component, α a power of two and β a quarter, so that no rounding makes or breaks a tie. */
function moved(c: Choices, { name, operator, ranges, ties }: SweptOperator): SweptOperator {
  const types = componentTypes(operator);
  const alpha = types.map(() => c.pick([-1, 0.5, 2, -2]));
  const beta = types.map(() => c.pick([0, 0.25, -0.5]));
  const isReal = (i: number): boolean => types[i] === 'real';
  const there = (s: ScalarBuilder, x: ScalarOperand, i: number): ScalarOperand =>
    isReal(i) ? s.apply('add', s.apply('mul', x, literal(alpha, i)), literal(beta, i)) : x;
  const back = (s: ScalarBuilder, x: ScalarOperand, i: number): ScalarOperand =>
    isReal(i) ? s.apply('div', s.apply('sub', x, literal(beta, i)), literal(alpha, i)) : x;
  const number = (x: number, i: number): number => (isReal(i) ? (x - at(beta, i)) / at(alpha, i) : x);
  const through = (fn: ScalarFunction): ScalarFunction =>
    scalarFunction([...types, ...types], (s, ...x) =>
      s
        .inline(
          fn,
          x.map((operand, i) => there(s, operand, i % types.length)),
        )
        .map((result, i) => back(s, result, i)),
    );
  const { combine, inverse, neutral, commutative } = operator;
  return {
    name: `${name} moved by ${alpha.join(', ')}; ${beta.join(', ')}`,
    operator: {
      combine: through(combine),
      neutral: neutral.map(number),
      commutative,
      ...(inverse && { inverse: through(inverse) }),
    },
    ranges: ranges.map(([low, high], i): Range => {
      const [a, b] = [number(low, i), number(high, i)];
      return [Math.min(a, b), Math.max(a, b)];
    }),
    ties,
  };
}

const at = (list: readonly number[], i: number): number => list[i]!;
const literal = (list: readonly number[], i: number): ScalarOperand => realLiteral(at(list, i));
