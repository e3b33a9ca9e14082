/** Random scalar functions. */
import {
  boolLiteral,
  intLiteral,
  realLiteral,
  type ScalarFunction,
  type ScalarOperand,
} from '../../../engine/0-ir/scalar.ts';
import { scalarFunction, type ScalarBuilder } from '../../../engine/0-ir/scalar-builder.ts';
import type { ElementType } from '../../../engine/0-ir/types.ts';
import type { Choices } from '../choices.ts';
import type { Style } from './styles.ts';

const elements: readonly ElementType[] = ['real', 'real', 'int', 'bool'];

/** A function of the given types, of up to six operations and an `if` now and then. */
export function randomFunction(
  c: Choices,
  style: Style,
  parameters: readonly ElementType[],
  results: readonly ElementType[],
): ScalarFunction {
  return scalarFunction(parameters, (b, ...given) => {
    const known: ScalarOperand[] = [...given];
    for (let i = c.below(5); i > 0; i--) known.push(randomOperand(b, c, style, known, c.pick(elements)));
    return results.map((type) => {
      const result = randomOperand(b, c, style, known, type);
      return style.bounded ? bounded(b, c, result) : result;
    });
  });
}

/** In -3..3 where its argument is finite. */

function bounded(b: ScalarBuilder, c: Choices, operand: ScalarOperand): ScalarOperand {
  if (operand.type !== 'real') return operand;
  const squashed = b.apply(c.pick(['tanh', 'sin', 'logistic']), operand);
  return c.flip() ? squashed : b.apply('mul', squashed, realLiteral(3));
}

/** An operand of the type: an operation, a branch, something known or a literal. */
function randomOperand(
  b: ScalarBuilder,
  c: Choices,
  style: Style,
  known: readonly ScalarOperand[],
  type: ElementType,
): ScalarOperand {
  const some = (wanted: ElementType): ScalarOperand => {
    const fitting = known.filter((operand) => operand.type === wanted);
    return fitting.length === 0 || c.rarely(5) ? randomLiteral(c, style, wanted) : c.pick(fitting);
  };
  if (c.rarely(8)) {
    const branch = () => [randomOperand(b, c, style, known, type)];
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
  if (c.flip()) return b.apply(c.pick(style.unary), some('real'));
  return b.apply(c.pick(style.binary), some('real'), some('real'));
}

function randomLiteral(c: Choices, style: Style, type: ElementType): ScalarOperand {
  if (type === 'bool') return boolLiteral(c.flip());
  return type === 'int' ? intLiteral(c.below(7) - 2) : realLiteral(c.pick(style.literals));
}

const smoothUnary = ['sin', 'cos', 'tanh', 'logistic', 'atan', 'neg'] as const;
const smoothBinary = ['add', 'mul', 'sub'] as const;

/** A bounded function of reals with derivatives everywhere but where an argument is 0.1, at which it may branch. */
export function smoothFunction(c: Choices, parameters: number, results: number): ScalarFunction {
  const types = Array.from({ length: parameters }, () => 'real' as const);
  return scalarFunction(types, (b, ...given) => {
    const known: ScalarOperand[] = given.length > 0 ? [...given] : [realLiteral(0.5)];
    const step = (): ScalarOperand =>
      c.flip()
        ? b.apply(c.pick(smoothBinary), c.pick(known), c.pick(known))
        : b.apply(c.pick(smoothUnary), c.pick(known));
    for (let i = c.below(3); i > 0; i--) known.push(step());
    const chosen = (): ScalarOperand[] => {
      if (given.length === 0 || !c.rarely(4)) return [step()];
      const condition = b.apply('lt', c.pick(given), realLiteral(0.1));
      return b.branch(
        condition,
        () => [step()],
        () => [step()],
      );
    };
    return Array.from({ length: results }, () => b.apply(c.pick(['tanh', 'sin', 'atan']), chosen()[0]!));
  });
}
