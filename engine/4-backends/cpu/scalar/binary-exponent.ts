/** mantissa, exponent and scale by the bits of an f64; in f32 the operands are promoted, and the result is rounded once. */
import type { Kernel } from '../kernel.ts';
import { apply, f64, get, i32, select, type Expression } from '../wasm/expression.ts';

type Rule = (k: Kernel, ...operands: [Expression, Expression, Expression]) => Expression;

const smallestNormal = f64(2 ** -1022);

export const mantissa: Rule = inDouble((k, x) => {
  const { normal, biased, special } = split(k, x);
  const change = apply('i32.xor', biased, i32(1022));
  const bits = apply('i64.xor', apply('i64.reinterpret_f64', normal), atExponent(change));
  return select(x, apply('f64.reinterpret_i64', bits), special);
});

export const exponent: Rule = inDouble((k, x) => {
  const { biased, special, small } = split(k, x);
  const bias = select(i32(1022 + 54), i32(1022), small);
  return apply('f64.convert_i32_s', select(i32(0), apply('i32.sub', biased, bias), special));
});

/** As the reference: three factors, of which one alone rounds. */
export const scale: Rule = inDouble((k, x, by) => {
  const keep = (value: Expression): Expression => get(k.f.keep(value));
  const wanted = keep(apply('i32.trunc_sat_f64_s', by));
  const n = keep(atLeast(keep(atMost(wanted, 2200)), -2200));
  const step = (left: Expression): Expression =>
    keep(select(i32(-969), atMost(left, 1023), apply('i32.lt_s', left, i32(-1022))));
  const first = step(n);
  const afterFirst = keep(apply('i32.sub', n, first));
  const second = step(afterFirst);
  const third = atLeast(keep(apply('i32.sub', afterFirst, second)), -1022);
  return [first, second, third].reduce((product, power) => apply('f64.mul', product, powerOfTwo(power)), x);
});

/** The operand with subnormal numbers times 2⁵⁴, and its biased exponent; whether x is zero, infinite or NaN. */
function split(k: Kernel, x: Expression) {
  const keep = (value: Expression): Expression => get(k.f.keep(value));
  const small = keep(apply('f64.lt', apply('f64.abs', x), smallestNormal));
  const normal = keep(select(apply('f64.mul', x, f64(2 ** 54)), x, small));
  const bits = apply('i64.shr_u', apply('i64.reinterpret_f64', normal), apply('i64.extend_i32_s', i32(52)));
  const biased = keep(apply('i32.and', apply('i32.wrap_i64', bits), i32(0x7ff)));
  const special = apply('i32.or', apply('i32.eqz', biased), apply('i32.eq', biased, i32(0x7ff)));
  return { normal, biased, special, small };
}

/** -1022 ≤ n ≤ 1023 */
function powerOfTwo(n: Expression): Expression {
  return apply('f64.reinterpret_i64', atExponent(apply('i32.add', n, i32(1023))));
}

function atExponent(value: Expression): Expression {
  return apply('i64.shl', apply('i64.extend_i32_s', value), apply('i64.extend_i32_s', i32(52)));
}

function atMost(n: Expression, limit: number): Expression {
  return select(n, i32(limit), apply('i32.le_s', n, i32(limit)));
}

function atLeast(n: Expression, limit: number): Expression {
  return select(n, i32(limit), apply('i32.ge_s', n, i32(limit)));
}

function inDouble(rule: Rule): Rule {
  return (k, ...operands) => {
    if (k.precision === 'f64') return rule(k, ...operands);
    const promoted = operands.map((x) => get(k.f.keep(apply('f64.promote_f32', x))));
    return apply('f32.demote_f64', rule(k, ...(promoted as typeof operands)));
  };
}
