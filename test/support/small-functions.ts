/** Random scalar code and operators, over few operations whose results are exact. */
import { builtinOperator, productOperator, type Operator } from '../../engine/0-ir/operators.ts';
import {
  boolLiteral,
  intLiteral,
  realLiteral,
  type ScalarFunction,
  type ScalarOperand,
} from '../../engine/0-ir/scalar.ts';
import { scalarFunction, type ScalarBuilder } from '../../engine/0-ir/scalar-builder.ts';
import type { ElementType } from '../../engine/0-ir/types.ts';
import { ints, reals, type Pick } from './small-choices.ts';

export function scalarCode(pick: Pick, types: readonly ElementType[], results: readonly ElementType[]): ScalarFunction {
  return scalarFunction(types, (s, ...parameters) => {
    const known: ScalarOperand[] = [...parameters];
    const of = (type: ElementType): ScalarOperand => {
      const fit = known.filter((operand) => operand.type === type);
      if (fit.length > 0 && pick([true, true, true, false])) return pick(fit);
      if (type === 'real') return realLiteral(pick(reals));
      return type === 'int' ? intLiteral(pick(ints)) : boolLiteral(pick([true, false]));
    };
    const writeOne = (): ScalarOperand[] => scalarStatement(s, pick, of);
    for (let i = pick([0, 1, 2, 3, 4]); i > 0; i--) known.push(...writeOne());
    if (pick([false, true])) {
      const [type, other] = [pick<ElementType>(['real', 'int']), pick<ElementType>(['real', 'bool'])];
      const branch = () => {
        const own = writeOne();
        return [own.find((result) => result.type === type) ?? of(type), of(other)];
      };
      known.push(...s.branch(of('bool'), branch, branch));
    }
    return results.map(of);
  });
}

function scalarStatement(s: ScalarBuilder, pick: Pick, of: (type: ElementType) => ScalarOperand): ScalarOperand[] {
  switch (pick(['real', 'real', 'unary', 'int', 'compare', 'bool', 'convert'] as const)) {
    case 'real':
      return [s.apply(pick(['add', 'sub', 'mul', 'div', 'min', 'max', 'pow'] as const), of('real'), of('real'))];
    case 'unary':
      return [s.apply(pick(['neg', 'abs', 'exp', 'sqrt', 'floor'] as const), of('real'))];
    case 'int':
      return [s.apply(pick(['add', 'sub', 'mul', 'min', 'mod'] as const), of('int'), of('int'))];
    case 'compare':
      return [
        s.apply(
          pick(['lt', 'le', 'eq', 'ne'] as const),
          ...(pick([true, false]) ? [of('real'), of('real')] : [of('int'), of('int')]),
        ),
      ];
    case 'bool':
      return pick([true, false])
        ? [s.apply('not', of('bool'))]
        : [s.apply(pick(['and', 'or'] as const), of('bool'), of('bool'))];
    case 'convert':
      return pick([true, false]) ? [s.apply('real', of('int'))] : [s.apply('int', of('bool'))];
  }
}

/** Operators on the elements of one or two components, some of which do not commute. */
export function operatorFor(pick: Pick, types: readonly ElementType[]): Operator | undefined {
  if (types.includes('bool')) return undefined;
  if (types.length === 2 && types.every((type) => type === 'real') && pick([true, false])) {
    const combine = scalarFunction(['real', 'real', 'real', 'real'], (s, a, b, c, d) => [
      s.apply('mul', a, c),
      s.apply('add', s.apply('mul', b, c), d),
    ]);
    return { combine, neutral: [1, 0], commutative: false };
  }
  return productOperator(types.map((type) => builtinOperator(pick(['add', 'max', 'min', 'multiply'] as const), type)));
}
