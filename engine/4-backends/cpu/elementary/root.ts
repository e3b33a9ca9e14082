/**
 * cbrt x = 2^q·cbrt m, |x| = 2^(3q)·m: a polynomial (build/elementary-coefficients.py) cut to half its bits, t, then one step
 * of Halley's iteration t + t·(m/t² - t)/(2t + m/t²), in which t² is exact, as in fdlibm's s_cbrt.c (Sun Microsystems, 1993).
 *
 * hypot(x, y) = √(x² + y²), scaled where a square would over- or underflow.
 */
import { get, type Expression } from '../wasm/expression.ts';
import type { Algebra } from './algebra.ts';
import { upperHalf } from './double-double.ts';
import { nearestWhole, powerOfTwo } from './exponential.ts';
import { splitBinary } from './logarithm.ts';

/** cbrt on [√½, √2] */
const double = [
  0.4222601754609725, 1.0531519531931615, -0.8304081758819849, 0.5054519098934097, -0.17691088658393453,
  0.0264541540137149,
];
const single = [0.4934133291244507, 0.7369896769523621, -0.2877165973186493, 0.05737916752696037];

export function cbrt(A: Algebra, x: Expression): Expression {
  const { k, m, special } = splitBinary(A, A.keep(A.abs(x)));
  const third = nearestWhole(A, A.mul(k, A.real(1 / 3)));
  const rest = A.keep(A.sub(k, A.mul(third.k, A.real(3))));
  const [under, over] = [A.keep(A.lt(rest, A.real(0))), A.keep(A.lt(A.real(0), rest))];
  const byRest = (low: number, one: number, high: number) => {
    return A.select(under, A.real(low), A.select(over, A.real(high), A.real(one)));
  };
  const value = A.keep(A.mul(m, byRest(0.5, 1, 2)));
  const start = A.mul(A.polynomial(m, A.double ? double : single), byRest(Math.cbrt(0.5), 1, Math.cbrt(2)));
  const t = A.keep(upperHalf(A, start));
  const quotient = A.keep(A.div(value, A.mul(t, t)));
  const step = A.div(A.sub(quotient, t), A.add(A.add(t, t), quotient));
  const root = A.add(t, A.mul(t, step));
  const result = A.variable(A.withSign(A.mul(root, powerOfTwo(A, third)), x));
  A.ifAny(special, () => {
    const itself = A.either(A.eq(x, A.real(0)), A.not(A.lt(A.abs(x), A.real(Infinity))));
    A.set(result, A.select(itself, x, get(result)));
  });
  return get(result);
}

export function hypot(A: Algebra, x: Expression, y: Expression): Expression {
  const infinite = A.either(A.eq(A.abs(x), A.real(Infinity)), A.eq(A.abs(y), A.real(Infinity)));
  const value = A.double ? scaledHypot(A, x, y) : A.throughDouble(plainHypot, x, y);
  return A.select(infinite, A.real(Infinity), value);
}

function plainHypot(A: Algebra, x: Expression, y: Expression): Expression {
  return A.sqrt(A.add(A.mul(x, x), A.mul(y, y)));
}

function scaledHypot(A: Algebra, x: Expression, y: Expression): Expression {
  const larger = A.keep(A.max(A.abs(x), A.abs(y)));
  const scale = A.variable(A.real(1));
  const unscale = A.variable(A.real(1));
  A.ifAny(A.not(A.both(A.lt(A.real(2 ** -450), larger), A.lt(larger, A.real(2 ** 500)))), () => {
    const [huge, tiny] = [A.keep(A.lt(A.real(2 ** 500), larger)), A.keep(A.lt(larger, A.real(2 ** -450)))];
    const choose = (down: number, up: number) => A.select(huge, A.real(down), A.select(tiny, A.real(up), A.real(1)));
    A.set(scale, choose(2 ** -600, 2 ** 600));
    A.set(unscale, choose(2 ** 600, 2 ** -600));
  });
  return A.mul(plainHypot(A, A.keep(A.mul(x, get(scale))), A.keep(A.mul(y, get(scale)))), get(unscale));
}
