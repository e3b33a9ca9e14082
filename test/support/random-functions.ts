/** Random scalar functions and associative operators. */
import { builtinOperator, type Operator } from '../../engine/0-ir/operators.ts';
import {
  boolLiteral,
  intLiteral,
  realLiteral,
  type ScalarFunction,
  type ScalarOperand,
} from '../../engine/0-ir/scalar.ts';
import { scalarFunction, type ScalarBuilder } from '../../engine/0-ir/scalar-builder.ts';
import type { ElementType } from '../../engine/0-ir/types.ts';
import type { Choices } from './choices.ts';
import { linFnComp } from './operators.ts';

const elements: readonly ElementType[] = ['real', 'real', 'int', 'bool'];

/**
 * A function of the given types, of up to six operations and an `if` now and then. Its real results lie in -3..3 where
 * its arguments are finite, so that programs of many such functions stay comparable between precisions.
 */
export function randomFunction(
  c: Choices,
  parameters: readonly ElementType[],
  results: readonly ElementType[],
): ScalarFunction {
  return scalarFunction(parameters, (b, ...given) => {
    const known: ScalarOperand[] = [...given];
    for (let i = c.below(5); i > 0; i--) known.push(randomOperand(b, c, known, c.pick(elements)));
    return results.map((type) => bounded(b, c, randomOperand(b, c, known, type)));
  });
}

function bounded(b: ScalarBuilder, c: Choices, operand: ScalarOperand): ScalarOperand {
  if (operand.type !== 'real') return operand;
  const squashed = b.apply(c.pick(['tanh', 'sin', 'logistic']), operand);
  return c.flip() ? squashed : b.apply('mul', squashed, realLiteral(3));
}

/** An operand of the type: an operation, a branch, something known or a literal. */
function randomOperand(
  b: ScalarBuilder,
  c: Choices,
  known: readonly ScalarOperand[],
  type: ElementType,
): ScalarOperand {
  const some = (wanted: ElementType): ScalarOperand => {
    const fitting = known.filter((operand) => operand.type === wanted);
    return fitting.length === 0 || c.rarely(5) ? randomLiteral(c, wanted) : c.pick(fitting);
  };
  if (c.rarely(8)) {
    const branch = () => [randomOperand(b, c, known, type)];
    return b.branch(some('bool'), branch, branch)[0] as ScalarOperand;
  }
  if (type === 'bool') {
    if (c.rarely(4)) return b.apply(c.pick(['and', 'or']), some('bool'), some('bool'));
    if (c.rarely(4)) return b.apply('not', some('bool'));
    const compared = c.pick(['real', 'int'] as const);
    return b.apply(c.pick(['lt', 'le', 'eq', 'ne']), some(compared), some(compared));
  }
  if (type === 'int') {
    if (c.rarely(5)) return b.apply('int', some('bool'));
    return b.apply(c.pick(['add', 'sub', 'mul', 'min', 'max', 'mod']), some('int'), some('int'));
  }
  if (c.rarely(6)) return b.apply('real', some(c.pick(['int', 'bool'] as const)));
  if (c.flip()) return b.apply(c.pick(['neg', 'abs', 'sin', 'cos', 'tanh', 'logistic', 'atan']), some('real'));
  return b.apply(c.pick(['add', 'sub', 'mul', 'min', 'max']), some('real'), some('real'));
}

function randomLiteral(c: Choices, type: ElementType): ScalarOperand {
  if (type === 'bool') return boolLiteral(c.flip());
  return type === 'int' ? intLiteral(c.below(7) - 2) : realLiteral((c.below(33) - 16) / 8);
}

/** The last of ints, -1 standing for none: associative, not commutative. */
const last: Operator = {
  combine: scalarFunction(['int', 'int'], (b, left, right) =>
    b.branch(
      b.apply('eq', right, intLiteral(-1)),
      () => [left],
      () => [right],
    ),
  ),
  neutral: [-1],
  commutative: false,
};

/** The larger real with its int, the first on ties: components of different types. */
const argmax: Operator = {
  combine: scalarFunction(['real', 'int', 'real', 'int'], (b, x, i, y, j) =>
    b.branch(
      b.apply('lt', x, y),
      () => [y, j],
      () => [x, i],
    ),
  ),
  neutral: [-Infinity, -1],
  commutative: false,
};

/** For finite elements of any size; each is associative and its neutral element neutral. */
export const mixedOperators: readonly Operator[] = [
  builtinOperator('add'),
  builtinOperator('max'),
  builtinOperator('min'),
  builtinOperator('multiply'),
  builtinOperator('add', 'int'),
  builtinOperator('max', 'int'),
  linFnComp,
  argmax,
  last,
  builtinOperator('logaddexp'),
];
