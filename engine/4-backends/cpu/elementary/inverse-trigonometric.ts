/**
 * atan q for q = y/x ≥ 0: by t = -1/q above 2 and (y - x)/(y + x) above 1/2, where the difference is exact, one division and
 * one polynomial on |t| ≤ 1/2. asin and acos by a polynomial for |x| ≤ 1/2, else by asin x = π/2 - 2·asin √((1 - x)/2) with a
 * root in two parts, as fdlibm's e_asin.c and e_acos.c (Sun Microsystems, 1993). Polynomials from build/elementary-coefficients.py.
 */
import { get, type Expression } from '../wasm/expression.ts';
import type { Algebra } from './algebra.ts';
import { upperHalf } from './double-double.ts';
import { smallestNormal } from './constants.ts';

/** (atan t - t)/t³ in t² for |t| ≤ 1/2 */
const atanDouble = [
  -0.3333333333333331, 0.19999999999992626, -0.1428571428490889, 0.11111111066348259, -0.0909090761292573,
  0.07692276134386264, -0.06666208371816858, 0.0587768900975648, -0.052293796921449365, 0.04587153641456224,
  -0.03706502533599126, 0.023581692590470507, -0.008321340844931876,
];
const atanSingle = [
  -0.33333325386047363, 0.19999419152736664, -0.142709419131279, 0.10932675004005432, -0.0795581191778183,
  0.038359977304935455,
];

/** (asin t - t)/t³ in t² for |t| ≤ 1/2 */
const asinDouble = [
  0.1666666666666676, 0.07499999999971095, 0.044642857174224136, 0.03038194272950777, 0.022372214318213676,
  0.017351624732641444, 0.013980662389073067, 0.011400238094136402, 0.01077270078341017, 0.0037352343200085705,
  0.021636856974466507, -0.020898809490814328, 0.03256583927490458,
];
const asinSingle = [
  0.16666659712791443, 0.07500515133142471, 0.04451543092727661, 0.03181745857000351, 0.01440940611064434,
  0.03754977136850357,
];

/** π/2, π/4 and π in two parts. */
const halfTurn = {
  high: 3.141592653589793,
  low: 1.2246467991473532e-16,
  single: 3.1415927410125732,
  singleLow: -8.742277657347586e-8,
};

function pi(A: Algebra, factor: number) {
  return {
    high: A.per(halfTurn.high * factor, halfTurn.single * factor),
    low: A.per(halfTurn.low * factor, halfTurn.singleLow * factor),
  };
}

/** atan(y/x) as high + low, for y ≥ 0 and x ≥ 0 whose sum is finite and which are not both zero. */
function angle(A: Algebra, y: Expression, x: Expression) {
  const steep = A.keep(A.lt(A.add(x, x), y));
  const middle = A.keep(A.lt(x, A.add(y, y)));
  const above = A.select(steep, A.neg(x), A.select(middle, A.sub(y, x), y));
  const below = A.select(steep, y, A.select(middle, A.add(y, x), x));
  const t = A.keep(A.div(above, below));
  const z = A.keep(A.mul(t, t));
  const value = A.add(t, A.mul(A.mul(t, z), A.polynomial(z, A.double ? atanDouble : atanSingle)));
  const [half, quarter] = [pi(A, 1 / 2), pi(A, 1 / 4)];
  const base = A.select(steep, half.high, A.select(middle, quarter.high, A.real(0)));
  const rest = A.select(steep, half.low, A.select(middle, quarter.low, A.real(0)));
  return { high: A.keep(base), low: A.keep(A.add(rest, value)) };
}

export function atan(A: Algebra, x: Expression): Expression {
  // ∞ would be divided by itself.
  const size = A.keep(A.min(A.per(1e300, 1e30), A.keep(A.abs(x))));
  const { high, low } = angle(A, size, A.real(1));
  return A.withSign(A.add(high, low), x);
}

export function atan2(A: Algebra, y: Expression, x: Expression): Expression {
  const [height, width] = [A.variable(A.abs(y)), A.variable(A.abs(x))];
  const bound = A.per(2 ** 1000, 2 ** 120);
  const larger = A.keep(A.max(get(height), get(width)));
  const special = A.keep(A.not(A.both(A.lt(A.real(0), larger), A.lt(larger, bound))));
  A.ifAny(special, () => {
    const infinite = A.keep(A.eq(larger, A.real(Infinity)));
    const huge = A.keep(A.le(bound, larger));
    const tame = (v: Expression, other: Expression) => {
      const scaled = A.select(huge, A.mul(v, A.real(0.0625)), v);
      // Of two infinities each counts as 1, and beside one anything else as 0; two zeros have the angle 0.
      return A.select(
        A.both(infinite, A.eq(other, other)),
        A.select(A.eq(v, A.real(Infinity)), A.real(1), A.mul(v, A.real(0))),
        scaled,
      );
    };
    const [h, w] = [A.keep(tame(get(height), get(width))), A.keep(tame(get(width), get(height)))];
    A.set(height, h);
    A.set(width, A.select(A.eq(A.add(h, w), A.real(0)), A.real(1), w));
  });
  const { high, low } = angle(A, get(height), get(width));
  const whole = pi(A, 1);
  const behind = A.lt(A.withSign(A.real(1), x), A.real(0));
  const turned = A.sub(whole.high, A.sub(A.add(high, A.sub(low, whole.low)), A.real(0)));
  return A.withSign(A.select(behind, turned, A.add(high, low)), y);
}

/** The polynomial's part of asin: for |x| ≤ 1/2 of x, else of the root s = high + low of (1 - |x|)/2. */
function asinParts(A: Algebra, x: Expression) {
  const size = A.keep(A.abs(x));
  const small = A.keep(A.lt(size, A.real(0.5)));
  const z = A.keep(A.select(small, A.mul(x, x), A.mul(A.sub(A.real(1), size), A.real(0.5))));
  const s = A.keep(A.select(small, size, A.sqrt(z)));
  const tail = A.keep(A.mul(s, A.mul(z, A.polynomial(z, A.double ? asinDouble : asinSingle))));
  const high = A.keep(upperHalf(A, s));
  // s is zero at |x| = 1
  const low = A.keep(A.div(A.sub(z, A.mul(high, high)), A.max(A.add(s, high), smallestNormal(A))));
  return { small, s, tail, high, low };
}

export function asin(A: Algebra, x: Expression): Expression {
  const { small, s, tail, high, low } = asinParts(A, x);
  const two = (v: Expression) => A.add(v, v);
  const quarter = pi(A, 1 / 4);
  const p = A.sub(two(tail), A.sub(pi(A, 1 / 2).low, two(low)));
  const large = A.sub(quarter.high, A.sub(p, A.sub(quarter.high, two(high))));
  return A.withSign(A.select(small, A.add(s, tail), large), x);
}

export function acos(A: Algebra, x: Expression): Expression {
  const { small, s, tail, high, low } = asinParts(A, x);
  const two = (v: Expression) => A.keep(A.add(v, v));
  const negative = A.keep(A.lt(x, A.real(0)));
  const half = pi(A, 1 / 2);
  const signed = (v: Expression) => A.select(negative, A.neg(v), v);
  const near = A.sub(half.high, A.sub(signed(s), A.sub(half.low, signed(tail))));
  const above = two(A.keep(A.add(high, A.add(low, tail))));
  const below = A.sub(pi(A, 1).high, two(A.keep(A.add(s, A.sub(tail, half.low)))));
  return A.select(small, near, A.select(negative, below, above));
}
