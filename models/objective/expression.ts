/** Arithmetic on reals, spelt so that densities written in a builder can be read beside their equations. */
import { realLiteral, type ScalarBuilder, type ScalarOperand, type ScalarOperation } from '../../engine/index.ts';

export interface Expression {
  apply(operation: ScalarOperation, ...operands: ScalarOperand[]): ScalarOperand;
  add(...terms: ScalarOperand[]): ScalarOperand;
  subtract(a: ScalarOperand, b: ScalarOperand): ScalarOperand;
  multiply(...factors: ScalarOperand[]): ScalarOperand;
  divide(a: ScalarOperand, b: ScalarOperand): ScalarOperand;
  choose(condition: ScalarOperand, then: () => ScalarOperand, otherwise: () => ScalarOperand): ScalarOperand;
}

export function expression(builder: ScalarBuilder): Expression {
  const fold = (operation: ScalarOperation, operands: readonly ScalarOperand[], empty: number): ScalarOperand =>
    operands.length === 0 ? realLiteral(empty) : operands.reduce((a, b) => builder.apply(operation, a, b));
  return {
    apply: (operation, ...operands) => builder.apply(operation, ...operands),
    add: (...terms) => fold('add', terms, 0),
    subtract: (a, b) => builder.apply('sub', a, b),
    multiply: (...factors) => fold('mul', factors, 1),
    divide: (a, b) => builder.apply('div', a, b),
    choose(condition, then, otherwise) {
      const [result] = builder.branch(
        condition,
        () => [then()],
        () => [otherwise()],
      );
      return result as ScalarOperand;
    },
  };
}
