/** What random programs are made of: values, operations, operators. */
import { builtinOperator, recognise, type Operator } from '../../../engine/0-ir/operators.ts';
import { intLiteral } from '../../../engine/0-ir/scalar.ts';
import { scalarFunction } from '../../../engine/0-ir/scalar-builder.ts';
import type { ScalarOperation } from '../../../engine/0-ir/scalar-operations.ts';
import { linFnComp } from '../operators.ts';

export interface Style {
  /** Elements of real inputs. */
  readonly reals: readonly number[];
  /** Real literals. */
  readonly literals: readonly number[];
  /** Operations on reals. */
  readonly unary: readonly ScalarOperation[];
  readonly binary: readonly ScalarOperation[];
  /** Whether functions give reals in -3..3, so that programs of many stay comparable between precisions. */
  readonly bounded: boolean;
  /** Associative on such elements, and their neutral elements neutral. */
  readonly operators: readonly Operator[];
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
export const argmax: Operator = {
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

const operators: readonly Operator[] = [
  builtinOperator('add'),
  builtinOperator('max'),
  builtinOperator('min'),
  builtinOperator('multiply'),
  builtinOperator('add', 'int'),
  builtinOperator('max', 'int'),
  linFnComp,
  last,
  builtinOperator('logaddexp'),
];

/** Finite values and smooth functions. */
export const tame: Style = {
  reals: [1, -1, 0.5, 0, 0.25, -2, 1.5, -0.75, 2, 0.125, -0.5],
  literals: [0, 1, -1, 0.5, 2, 1.5, -0.125, 0.75, -2, -0, 1e-7, -3],
  unary: ['neg', 'abs', 'sin', 'cos', 'tanh', 'logistic', 'atan'],
  binary: ['add', 'sub', 'mul', 'min', 'max'],
  bounded: true,
  operators: [...operators, argmax],
};

/** Values with signs of zero, infinities and NaN among them, so that equal means equal in every bit. */
export const awkward: Style = {
  reals: [0, -0, 1, -1, 2, 0.5, 3, Infinity, -Infinity, NaN],
  literals: [0, 1, -0, -1, 2, 0.5, 3, Infinity, NaN],
  unary: ['neg', 'abs', 'exp', 'sqrt', 'floor'],
  // Not pow: simplification makes products of it, equal to a few units in the last place only.
  binary: ['add', 'sub', 'mul', 'div', 'min', 'max'],
  bounded: false,
  operators,
};

/** Powers of two and what is exact on few of them, so that sums and products come out alike in any order. */
export const exact: Style = {
  reals: [1, -1, 0.5, 0, 0.25, -2, 2, 4, -0.5],
  literals: [0, 1, -1, 0.5, 2, -2, -0],
  unary: ['neg', 'abs', 'floor'],
  binary: ['add', 'sub', 'mul', 'min', 'max'],
  bounded: false,
  operators: [...operators.filter((operator) => recognise(operator) !== 'logaddexp'), argmax],
};
