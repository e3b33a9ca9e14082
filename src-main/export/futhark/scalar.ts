/** Scalar functions as Futhark expressions. */
import type {
  ElementType,
  ScalarBlock,
  ScalarFunction,
  ScalarOperand,
  ScalarOperation,
} from '../../../engine/index.ts';
import { Refused } from '../../refused.ts';
import type { Identifiers } from '../identifiers.ts';

export const futharkTypes = { real: 'f64', int: 'i32', bool: 'bool' } as const satisfies Record<ElementType, string>;

type Write = (operands: readonly string[], type: ElementType) => string;

const infix =
  (symbol: string): Write =>
  ([x, y]) =>
    `${x} ${symbol} ${y}`;
const real =
  (name: string): Write =>
  (operands) =>
    [`f64.${name}`, ...operands].join(' ');
const helper =
  (name: string): Write =>
  (operands, type) =>
    [`${name}_${futharkTypes[type]}`, ...operands].join(' ');
const missing =
  (name: string): Write =>
  () => {
    throw new Refused(`${name} has no counterpart in Futhark, whose library ends with lgamma`);
  };

const operations: { [Op in ScalarOperation]: Write } = {
  neg: ([x], type) => `${futharkTypes[type]}.neg ${x}`,
  abs: ([x], type) => `${futharkTypes[type]}.abs ${x}`,
  sign: ([x], type) => (type === 'real' ? `sign_f64 ${x}` : `i32.sgn ${x}`),
  add: infix('+'),
  sub: infix('-'),
  mul: infix('*'),
  div: infix('/'),
  mod: helper('mod'),
  pow: infix('**'),
  min: helper('min'),
  max: helper('max'),
  clamp: ([x, low, high], type) => {
    const suffix = futharkTypes[type];
    return `min_${suffix} (max_${suffix} ${x} ${low}) ${high}`;
  },
  exp: real('exp'),
  exp2: ([x]) => `2f64 ** ${x}`,
  expm1: helper('expm1'),
  log: real('log'),
  log2: real('log2'),
  log10: real('log10'),
  log1p: real('log1p'),
  sqrt: real('sqrt'),
  cbrt: real('cbrt'),
  hypot: real('hypot'),
  sin: real('sin'),
  cos: real('cos'),
  tan: real('tan'),
  asin: real('asin'),
  acos: real('acos'),
  atan: real('atan'),
  atan2: real('atan2'),
  sinh: real('sinh'),
  cosh: real('cosh'),
  tanh: real('tanh'),
  floor: real('floor'),
  ceil: real('ceil'),
  round: real('round'),
  trunc: real('trunc'),
  detach: ([x = '']) => x,
  mantissa: missing('mantissa'),
  exponent: missing('exponent'),
  scale: missing('scale'),
  erf: real('erf'),
  erfc: real('erfc'),
  lgamma: real('lgamma'),
  digamma: missing('digamma'),
  polygamma: missing('polygamma'),
  xlogy: helper('xlogy'),
  logistic: ([x]) => `1f64 / (1f64 + f64.exp (f64.neg ${x}))`,
  logaddexp: helper('logaddexp'),
  lt: infix('<'),
  le: infix('<='),
  eq: infix('=='),
  ne: infix('!='),
  and: infix('&&'),
  or: infix('||'),
  not: ([x]) => `!${x}`,
  isnan: real('isnan'),
  real: ([x], type) => (type === 'bool' ? `f64.bool ${x}` : `f64.i32 ${x}`),
  int: ([x], type) => (type === 'bool' ? `i32.bool ${x}` : `int_f64 ${x}`),
};

/** What the operations above call, with what each calls in turn before it. */
export const futharkHelpers = {
  min_f64: 'def min_f64 (x: f64) (y: f64): f64 = if x <= y || f64.isnan x then x else y',
  max_f64: 'def max_f64 (x: f64) (y: f64): f64 = if x >= y || f64.isnan x then x else y',
  min_i32: 'def min_i32 (x: i32) (y: i32): i32 = i32.min x y',
  max_i32: 'def max_i32 (x: i32) (y: i32): i32 = i32.max x y',
  sign_f64: 'def sign_f64 (x: f64): f64 = if x > 0 then 1 else if x < 0 then -1 else x',
  mod_f64: 'def mod_f64 (x: f64) (y: f64): f64 = x - y * f64.floor (x / y)',
  mod_i32: 'def mod_i32 (x: i32) (y: i32): i32 = if y == 0 then 0 else x % y',
  expm1_f64: 'def expm1_f64 (x: f64): f64 = if f64.abs x < 1e-5 then x * (1 + x / 2 * (1 + x / 3)) else f64.exp x - 1',
  xlogy_f64: 'def xlogy_f64 (x: f64) (y: f64): f64 = if x == 0 && !(f64.isnan y) then 0 else x * f64.log y',
  logaddexp_f64: `def logaddexp_f64 (x: f64) (y: f64): f64 =
  let (high, low) = if x < y then (y, x) else (x, y)
  in if high == low then high + f64.log 2 else high + f64.log1p (f64.exp (low - high))`,
  int_f64: `def int_f64 (x: f64): i32 =
  if f64.isnan x then 0 else if x >= 2147483647 then i32.highest
  else if x <= -2147483648 then i32.lowest else i32.f64 x`,
} as const;

export function futharkNumber(value: number, type: ElementType): string {
  if (type === 'bool') return value === 0 ? 'false' : 'true';
  if (type === 'int') return value < 0 ? `(${value}i32)` : `${value}i32`;
  if (Number.isNaN(value)) return 'f64.nan';
  if (!Number.isFinite(value)) return value > 0 ? 'f64.inf' : '(f64.neg f64.inf)';
  const text = `${Object.is(value, -0) ? '-0.0' : value}f64`.replace('e+', 'e');
  return text.startsWith('-') ? `(${text})` : text;
}

/** An expression for the tuple of the function's results on these arguments, each an atom. */
export function futharkScalar(fn: ScalarFunction, args: readonly string[], names: Identifiers): string {
  return block(fn.body, new Map(fn.parameters.map(({ id }, i) => [id, args[i]!] as const)), names.inner());
}

function block(body: ScalarBlock, outside: ReadonlyMap<number, string>, names: Identifiers): string {
  const known = new Map(outside);
  const operandOf = (operand: ScalarOperand): string =>
    operand.kind === 'literal' ? futharkNumber(operand.value, operand.type) : known.get(operand.id)!;
  const lets: string[] = [];
  for (const statement of body.statements) {
    const results = statement.kind === 'apply' ? [statement.result] : statement.results;
    const targets = results.map(() => names.take('v'));
    const value =
      statement.kind === 'apply'
        ? operations[statement.operation](statement.operands.map(operandOf), statement.operands[0]?.type ?? 'real')
        : `if ${operandOf(statement.condition)} then ${block(statement.then, known, names.inner())} else ${block(statement.else, known, names.inner())}`;
    lets.push(`let ${futharkTuple(targets)} = ${value}`);
    results.forEach((result, i) => known.set(result.id, targets[i]!));
  }
  const given = futharkTuple(body.results.map(operandOf));
  return lets.length === 0 ? given : `(${lets.join(' ')} in ${given})`;
}

export const futharkTuple = (items: readonly string[]): string =>
  items.length === 1 ? items[0]! : `(${items.join(', ')})`;
