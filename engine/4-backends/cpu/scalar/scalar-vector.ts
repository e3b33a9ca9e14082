/**
 * Scalar operations as vector instructions, equal in every lane to what scalar.ts gives at one point. (A NaN is a NaN:
 * its sign and payload are nowhere seen.)
 */
import { operationType, type ScalarOperation } from '../../../0-ir/scalar-operations.ts';
import type { ElementType } from '../../../0-ir/types.ts';
import { exponent, mantissa, scale } from './binary-exponent-vectors.ts';
import { Algebra } from '../elementary/algebra.ts';
import type { ElementaryOperation } from '../elementary/operation.ts';
import { elementaryFunction, isElementary } from '../elementary/table.ts';
import type { Kernel } from '../kernel.ts';
import { emitOperation } from './scalar.ts';
import { intsOfMask, laneOf, maskOfInts, realShape, vectorConstant, vectorCount, vectorOf } from './vector.ts';
import { apply, call, get, type Expression } from '../wasm/expression.ts';

/** Operands are constants or locals, so that a rule may use one twice. */
type Rule = (k: Kernel, ...operands: [Expression, Expression, Expression]) => Expression;

/** `apart`: one lane after the other, by the scalar rule. */
type VectorRules = { readonly [T in ElementType]?: Rule | 'apart' };

const unaryReal = (name: 'neg' | 'abs' | 'sqrt' | 'floor' | 'ceil' | 'trunc' | 'nearest'): Rule => {
  return (k, x) => apply(`${realShape(k.precision)}.${name}`, x);
};
const binaryReal = (name: 'add' | 'sub' | 'mul' | 'div' | 'lt' | 'le' | 'eq' | 'ne'): Rule => {
  return (k, x, y) => apply(`${realShape(k.precision)}.${name}`, x, y);
};
const binaryInt = (name: 'add' | 'sub' | 'mul' | 'min_s' | 'max_s'): Rule => {
  return (_, x, y) => apply(`i32x4.${name}`, x, y);
};
const compareInts = (name: 'lt_s' | 'le_s' | 'eq' | 'ne'): Rule => {
  return (k, x, y) => maskOfInts(k, apply(`i32x4.${name}`, x, y));
};

const real = (k: Kernel, value: number): Expression => vectorConstant(k.precision, { type: 'real', value });
const intZero = (k: Kernel): Expression => vectorConstant(k.precision, { type: 'int', value: 0 });

/**
 * pmin(x, y) is y < x ? y : x: the first operand on ties and where either is NaN. A mask of ones, where y alone may be
 * the NaN, is a NaN.
 */
const minReal: Rule = (k, x, y) => orNaN(k, y, apply(`${realShape(k.precision)}.pmin`, x, y));
const maxReal: Rule = (k, x, y) => orNaN(k, y, apply(`${realShape(k.precision)}.pmax`, x, y));

function orNaN(k: Kernel, y: Expression, value: Expression): Expression {
  return apply('v128.or', value, apply(`${realShape(k.precision)}.ne`, y, y));
}

const rules: { readonly [K in Exclude<ScalarOperation, ElementaryOperation>]: VectorRules } = {
  neg: { real: unaryReal('neg'), int: (_, x) => apply('i32x4.neg', x) },
  abs: { real: unaryReal('abs'), int: (_, x) => apply('i32x4.abs', x) },
  sign: {
    // A zero and a NaN are their own signs.
    real: (k, x) => {
      const nonZero = apply(`${realShape(k.precision)}.gt`, apply(`${realShape(k.precision)}.abs`, x), real(k, 0));
      const unit = apply('v128.or', apply('v128.and', x, real(k, -0)), real(k, 1));
      return apply('v128.bitselect', unit, x, nonZero);
    },
    // A mask is -1.
    int: (k, x) => apply('i32x4.sub', apply('i32x4.lt_s', x, intZero(k)), apply('i32x4.gt_s', x, intZero(k))),
  },
  add: { real: binaryReal('add'), int: binaryInt('add') },
  sub: { real: binaryReal('sub'), int: binaryInt('sub') },
  mul: { real: binaryReal('mul'), int: binaryInt('mul') },
  div: { real: binaryReal('div') },
  mod: { real: modReal, int: 'apart' },
  min: { real: minReal, int: binaryInt('min_s') },
  max: { real: maxReal, int: binaryInt('max_s') },
  clamp: { real: clamp(maxReal, minReal), int: clamp(binaryInt('max_s'), binaryInt('min_s')) },

  sqrt: { real: unaryReal('sqrt') },
  floor: { real: unaryReal('floor') },
  ceil: { real: unaryReal('ceil') },
  round: { real: unaryReal('nearest') },
  trunc: { real: unaryReal('trunc') },
  detach: { real: (_, x) => x },
  mantissa: { real: mantissa },
  exponent: { real: exponent },
  scale: { real: scale },

  lt: { real: binaryReal('lt'), int: compareInts('lt_s') },
  le: { real: binaryReal('le'), int: compareInts('le_s') },
  eq: {
    real: binaryReal('eq'),
    int: compareInts('eq'),
    bool: (_, x, y) => apply('v128.not', apply('v128.xor', x, y)),
  },
  ne: { real: binaryReal('ne'), int: compareInts('ne'), bool: (_, x, y) => apply('v128.xor', x, y) },
  and: { bool: (_, x, y) => apply('v128.and', x, y) },
  or: { bool: (_, x, y) => apply('v128.or', x, y) },
  not: { bool: (_, x) => apply('v128.not', x) },
  isnan: { real: (k, x) => apply(`${realShape(k.precision)}.ne`, x, x) },
  real: {
    int: (k, x) => apply(k.precision === 'f64' ? 'f64x2.convert_low_i32x4_s' : 'f32x4.convert_i32x4_s', x),
    bool: (k, x) => apply('v128.and', x, real(k, 1)),
  },
  int: {
    real: (k, x) => apply(k.precision === 'f64' ? 'i32x4.trunc_sat_f64x2_s_zero' : 'i32x4.trunc_sat_f32x4_s', x),
    bool: (k, x) => apply('i32x4.neg', intsOfMask(k, x)),
  },
};

/** One operation on vectors of elements of type `type`, each a constant or a local. */
export function emitVectorOperation(
  k: Kernel,
  operation: ScalarOperation,
  type: ElementType,
  operands: readonly Expression[],
): Expression {
  if (isElementary(operation)) return elementary(k, operation, operands);
  const rule = rules[operation][type];
  if (!rule) throw new TypeError(`${operation} does not take vectors of ${type}`);
  if (rule === 'apart') return apart(k, operation, type, operands);
  return rule(k, ...(operands as [Expression, Expression, Expression]));
}

/** Functions so short, and so often met, that a call (around which every vector in a register is put aside) would show. */
const inPlace: readonly ElementaryOperation[] = ['exp', 'log'];

function elementary(k: Kernel, operation: ElementaryOperation, operands: readonly Expression[]): Expression {
  const { library } = k.module;
  const shape = realShape(k.precision);
  if (!inPlace.includes(operation)) return call(library.functionOf(operation, shape), ...operands);
  const [first, second] = operands as [Expression, Expression];
  return elementaryFunction(operation)(new Algebra(k.f, shape, library), first, second);
}

function apart(k: Kernel, operation: ScalarOperation, type: ElementType, operands: readonly Expression[]): Expression {
  const result = operationType(
    operation,
    operands.map(() => type),
  )!;
  const values = Array.from({ length: vectorCount(k.precision) }, (_, lane) => {
    const own = operands.map((operand) => get(k.f.keep(laneOf(k, type, operand, lane))));
    return get(k.f.keep(emitOperation(k, operation, type, own)));
  });
  return vectorOf(k, result, values);
}

/** x - y·floor(x/y) */
function modReal(k: Kernel, x: Expression, y: Expression): Expression {
  const shape = realShape(k.precision);
  return apply(`${shape}.sub`, x, apply(`${shape}.mul`, y, apply(`${shape}.floor`, apply(`${shape}.div`, x, y))));
}

/** min(max(x, low), high) */
function clamp(max: Rule, min: Rule): Rule {
  return (k, x, low, high) => min(k, get(k.f.keep(max(k, x, low, high))), high, high);
}
