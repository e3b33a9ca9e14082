/** mantissa, exponent and scale by the bits of every lane: as binary-exponent.ts, but in the lanes' own precision. */
import type { Kernel } from '../kernel.ts';
import type { Precision } from '../representation.ts';
import { intsOfMask, realShape, vectorConstant } from './vector.ts';
import { apply, get, i32, i32x4, i64x2, type Expression } from '../wasm/expression.ts';

type Rule = (k: Kernel, ...operands: [Expression, Expression, Expression]) => Expression;

interface Format {
  readonly ints: 'i64x2' | 'i32x4';
  /** Bits of a fraction; what is added to the exponent of 1 ≤ |x| < 2. */
  readonly fraction: number;
  readonly bias: number;
  bits(value: bigint): Expression;
}

const formats: { readonly [P in Precision]: Format } = {
  f64: { ints: 'i64x2', fraction: 52, bias: 1023, bits: (value) => i64x2(value, value) },
  f32: {
    ints: 'i32x4',
    fraction: 23,
    bias: 127,
    bits: (value) => {
      const lane = Number(BigInt.asIntN(32, value));
      return i32x4(lane, lane, lane, lane);
    },
  },
};

export const mantissa: Rule = (k, x) => {
  const { fraction, bias, bits } = formats[k.precision];
  const { normal, special } = split(k, x);
  const ofHalf = apply(
    'v128.or',
    apply('v128.andnot', normal, exponentMask(k)),
    bits(BigInt(bias - 1) << BigInt(fraction)),
  );
  return apply('v128.bitselect', x, ofHalf, special);
};

export const exponent: Rule = (k, x) => {
  const { ints, bias, bits } = formats[k.precision];
  const { biased, special, small } = split(k, x);
  const excess = apply('v128.bitselect', bits(BigInt(bias - 1 + UP)), bits(BigInt(bias - 1)), small);
  const powers = get(k.f.keep(apply('v128.andnot', apply(`${ints}.sub`, biased, excess), special)));
  return k.precision === 'f64'
    ? apply('f64x2.convert_low_i32x4_s', intsOfMask(k, powers))
    : apply('f32x4.convert_i32x4_s', powers);
};

/**
 * In three factors, of which one alone rounds: a step downwards stops a fraction's bits above the smallest normal number,
 * so that what it makes subnormal the next one makes 0.
 */
export const scale: Rule = (k, x, by) => {
  const { fraction, bias } = formats[k.precision];
  const keep = (value: Expression): Expression => get(k.f.keep(value));
  const all = (value: number): Expression => i32x4(value, value, value, value);
  const atMost = (n: Expression, limit: number) => apply('i32x4.min_s', n, all(limit));
  const atLeast = (n: Expression, limit: number) => apply('i32x4.max_s', n, all(limit));
  const wanted = apply(k.precision === 'f64' ? 'i32x4.trunc_sat_f64x2_s_zero' : 'i32x4.trunc_sat_f32x4_s', by);
  const n = keep(atLeast(atMost(wanted, 3 * bias), -3 * bias));
  const least = 1 - bias;
  const step = (left: Expression): Expression =>
    keep(apply('v128.bitselect', all(least + fraction + 1), atMost(left, bias), apply('i32x4.lt_s', left, all(least))));
  const first = step(n);
  const afterFirst = keep(apply('i32x4.sub', n, first));
  const second = step(afterFirst);
  const third = atMost(atLeast(apply('i32x4.sub', afterFirst, second), least), bias);
  return [first, second, third].reduce(
    (product, power) => apply(`${realShape(k.precision)}.mul`, product, powerOfTwo(k, power)),
    x,
  );
};

/** Subnormal numbers are taken times 2ᵁᴾ, which makes them normal. */
const UP = 54;

/** As `split` of one point: masks say which lanes are small, and which hold a zero, an infinity or a NaN. */
function split(k: Kernel, x: Expression) {
  const { ints, fraction, bias, bits } = formats[k.precision];
  const shape = realShape(k.precision);
  const keep = (value: Expression): Expression => get(k.f.keep(value));
  const real = (value: number) => vectorConstant(k.precision, { type: 'real', value });
  const small = keep(apply(`${shape}.lt`, apply(`${shape}.abs`, x), real(2 ** (1 - bias))));
  const normal = keep(apply('v128.bitselect', apply(`${shape}.mul`, x, real(2 ** UP)), x, small));
  const exponents = keep(apply('v128.and', normal, exponentMask(k)));
  const biased = keep(apply(`${ints}.shr_u`, exponents, i32(fraction)));
  const special = keep(
    apply('v128.or', apply(`${ints}.eq`, exponents, bits(0n)), apply(`${ints}.eq`, exponents, exponentMask(k))),
  );
  return { normal, biased, special, small };
}

function exponentMask(k: Kernel): Expression {
  const { fraction, bias, bits } = formats[k.precision];
  return bits(BigInt(2 * bias + 1) << BigInt(fraction));
}

/** 1 - bias ≤ n ≤ bias, ints. */
function powerOfTwo(k: Kernel, n: Expression): Expression {
  const { ints, fraction, bias } = formats[k.precision];
  const biased = apply('i32x4.add', n, i32x4(bias, bias, bias, bias));
  const wide = k.precision === 'f64' ? apply('i64x2.extend_low_i32x4_s', biased) : biased;
  return apply(`${ints}.shl`, wide, i32(fraction));
}
