/**
 * Scalar operations as instructions. What WebAssembly rounds or decides as the IR wants it is done in place; the rest are
 * calls to the elementary functions of the module.
 */
import type { ScalarOperation } from '../../../0-ir/scalar-operations.ts';
import type { ElementType } from '../../../0-ir/types.ts';
import { exponent, mantissa, scale } from './binary-exponent.ts';
import type { ElementaryOperation } from '../elementary/operation.ts';
import { isElementary } from '../elementary/table.ts';
import type { Kernel } from '../kernel.ts';
import { apply, call, f32, f64, get, i32, select, type Expression } from '../wasm/expression.ts';

/** Operands are constants or locals, so that a rule may use one twice. */
type Rule = (k: Kernel, ...operands: [Expression, Expression, Expression]) => Expression;

type Rules = { readonly [T in ElementType]?: Rule };

const unaryReal = (name: 'neg' | 'abs' | 'sqrt' | 'floor' | 'ceil' | 'trunc' | 'nearest'): Rule => {
  return (k, x) => apply(`${k.precision}.${name}`, x);
};
const binaryReal = (name: 'add' | 'sub' | 'mul' | 'div' | 'lt' | 'le' | 'eq' | 'ne'): Rule => {
  return (k, x, y) => apply(`${k.precision}.${name}`, x, y);
};
const binaryInt = (name: 'add' | 'sub' | 'mul' | 'lt_s' | 'le_s' | 'eq' | 'ne' | 'and' | 'or'): Rule => {
  return (_, x, y) => apply(`i32.${name}`, x, y);
};
const toReal: Rule = (k, x) => apply(`${k.precision}.convert_i32_s`, x);

/** NaN if either is NaN, the first operand on ties: unlike f64.min, which orders the zeros. */
const minReal: Rule = (k, x, y) => select(x, y, orNaN(k, x, apply(`${k.precision}.le`, x, y)));
const maxReal: Rule = (k, x, y) => select(x, y, orNaN(k, x, apply(`${k.precision}.ge`, x, y)));
const minInt: Rule = (_, x, y) => select(x, y, apply('i32.le_s', x, y));
const maxInt: Rule = (_, x, y) => select(x, y, apply('i32.ge_s', x, y));

function orNaN(k: Kernel, x: Expression, condition: Expression): Expression {
  return apply('i32.or', condition, apply(`${k.precision}.ne`, x, x));
}

const zero = (k: Kernel): Expression => (k.precision === 'f64' ? f64(0) : f32(0));
const one = (k: Kernel): Expression => (k.precision === 'f64' ? f64(1) : f32(1));

const rules: { readonly [K in Exclude<ScalarOperation, ElementaryOperation>]: Rules } = {
  neg: { real: unaryReal('neg'), int: (_, x) => apply('i32.sub', i32(0), x) },
  abs: {
    real: unaryReal('abs'),
    int: (_, x) => select(apply('i32.sub', i32(0), x), x, apply('i32.lt_s', x, i32(0))),
  },
  sign: {
    // A zero and a NaN are their own signs.
    real: (k, x) => {
      const nonZero = apply(`${k.precision}.gt`, apply(`${k.precision}.abs`, x), zero(k));
      return select(apply(`${k.precision}.copysign`, one(k), x), x, nonZero);
    },
    int: (_, x) => apply('i32.sub', apply('i32.gt_s', x, i32(0)), apply('i32.lt_s', x, i32(0))),
  },
  add: { real: binaryReal('add'), int: binaryInt('add') },
  sub: { real: binaryReal('sub'), int: binaryInt('sub') },
  mul: { real: binaryReal('mul'), int: binaryInt('mul') },
  div: { real: binaryReal('div') },
  mod: { real: modReal, int: modInt },
  min: { real: minReal, int: minInt },
  max: { real: maxReal, int: maxInt },
  clamp: { real: clamp(maxReal, minReal), int: clamp(maxInt, minInt) },

  sqrt: { real: unaryReal('sqrt') },
  floor: { real: unaryReal('floor') },
  ceil: { real: unaryReal('ceil') },
  round: { real: unaryReal('nearest') },
  trunc: { real: unaryReal('trunc') },
  detach: { real: (_, x) => x },
  mantissa: { real: mantissa },
  exponent: { real: exponent },
  scale: { real: scale },

  lt: { real: binaryReal('lt'), int: binaryInt('lt_s') },
  le: { real: binaryReal('le'), int: binaryInt('le_s') },
  eq: { real: binaryReal('eq'), int: binaryInt('eq'), bool: binaryInt('eq') },
  ne: { real: binaryReal('ne'), int: binaryInt('ne'), bool: binaryInt('ne') },
  and: { bool: binaryInt('and') },
  or: { bool: binaryInt('or') },
  not: { bool: (_, x) => apply('i32.eqz', x) },
  isnan: { real: (k, x) => apply(`${k.precision}.ne`, x, x) },
  real: { int: toReal, bool: toReal },
  int: { real: (k, x) => apply(`i32.trunc_sat_${k.precision}_s`, x), bool: (_, x) => x },
};

/** One operation on operands of type `type`, each a constant or a local. */
export function emitOperation(
  k: Kernel,
  operation: ScalarOperation,
  type: ElementType,
  operands: readonly Expression[],
): Expression {
  if (isElementary(operation)) return call(k.module.library.functionOf(operation, k.precision), ...operands);
  const rule = rules[operation][type];
  if (!rule) throw new TypeError(`${operation} does not take ${type}`);
  return rule(k, ...(operands as [Expression, Expression, Expression]));
}

/** x - y·floor(x/y) */
function modReal(k: Kernel, x: Expression, y: Expression): Expression {
  const p = k.precision;
  return apply(`${p}.sub`, x, apply(`${p}.mul`, y, apply(`${p}.floor`, apply(`${p}.div`, x, y))));
}

/** The remainder with the divisor's sign; 0 for the divisor 0, where rem_s would trap. */
function modInt(k: Kernel, x: Expression, y: Expression): Expression {
  const divisor = get(k.f.keep(select(i32(1), y, apply('i32.eqz', y))));
  const remainder = get(k.f.keep(apply('i32.rem_s', x, divisor)));
  const differ = apply('i32.lt_s', apply('i32.xor', remainder, divisor), i32(0));
  return select(
    apply('i32.add', remainder, divisor),
    remainder,
    apply('i32.and', apply('i32.ne', remainder, i32(0)), differ),
  );
}

/** min(max(x, low), high) */
function clamp(max: Rule, min: Rule): Rule {
  return (k, x, low, high) => min(k, get(k.f.keep(max(k, x, low, high))), high, high);
}
