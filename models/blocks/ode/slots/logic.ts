/** Conditions in scalar code, and what is compared: never differentiated. */
import { realLiteral, type ScalarBuilder, type ScalarOperand } from '../../../../engine/index.ts';
import { expression, type Expression } from '../../../objective/expression.ts';

type Of<N extends number> = N extends 1
  ? (x: ScalarOperand) => ScalarOperand
  : (a: ScalarOperand, b: ScalarOperand) => ScalarOperand;

export interface Logic {
  readonly e: Expression;
  readonly real: (value: number) => ScalarOperand;
  readonly never: ScalarOperand;
  readonly detach: Of<1>;
  /** Of a condition that is carried as a number. */
  readonly is: Of<1>;
  readonly asReal: Of<1>;
  readonly not: Of<1>;
  readonly and: Of<2>;
  readonly or: Of<2>;
  readonly less: Of<2>;
  /** At most. */
  readonly most: Of<2>;
  readonly either: (condition: ScalarOperand, a: ScalarOperand, b: ScalarOperand) => ScalarOperand;
}

export function logicOf(s: ScalarBuilder): Logic {
  const e = expression(s);
  const real = realLiteral;
  const detach: Of<1> = (x) => e.apply('detach', x);
  const either: Logic['either'] = (condition, a, b) =>
    e.choose(
      condition,
      () => a,
      () => b,
    );
  return {
    ...{ e, real, detach, either },
    never: e.apply('lt', real(1), real(0)),
    is: (x) => e.apply('eq', x, real(1)),
    asReal: (condition) => either(condition, real(1), real(0)),
    not: (a) => e.apply('not', a),
    and: (a, b) => e.apply('and', a, b),
    or: (a, b) => e.apply('or', a, b),
    less: (a, b) => e.apply('lt', detach(a), detach(b)),
    most: (a, b) => e.apply('le', detach(a), detach(b)),
  };
}
