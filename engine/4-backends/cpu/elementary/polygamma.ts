/**
 * polygamma(m, x) = dᵐ/dxᵐ digamma(x) = (-1)ᵐ⁺¹ h(x), h(x) = Σ_{k≥0} m!/(x + k)ᵐ⁺¹ (m ≥ 1: m! times Hurwitz's zeta).
 *
 * For x > 0 by Euler–Maclaurin; below zero the sum over all integers k is periodic in x, which leaves three values of
 * h at positive places, and only for even m any cancellation (there h has zeros). Terms are added from the smallest on.
 */
import { apply, get, i32, select, type Expression } from '../wasm/expression.ts';
import type { Algebra } from './algebra.ts';
import { choose } from './one-lane.ts';

/** B₂ₖ/(2k)! */
const eulerMaclaurin = [
  1 / 12,
  -1 / 720,
  1 / 30240,
  -1 / 1209600,
  1 / 47900160,
  -691 / 1307674368000,
  1 / 74724249600,
  -3617 / 10670622842880000,
];

/** Up to this order m!/xᵐ⁺¹ is a product of m + 1 factors; above, by logarithms, within m·log m·2⁻⁵³. */
const largestProduct = 1000;
const termsAbove = 40;

/** NaN unless m is a whole number ≥ 0. At a pole: ∞ for odd m; for even m the side of zero decides, else NaN. */
export function polygamma(A: Algebra, m: Expression, x: Expression): Expression {
  const whole = A.both(A.both(A.le(A.real(0), m), A.lt(m, A.real(Infinity))), A.eq(A.floor(m), m));
  const defined = A.both(whole, A.both(A.eq(x, x), A.lt(A.real(-Infinity), x)));
  const derivative = () =>
    choose(
      A,
      A.eq(m, A.real(0)),
      () => A.call('digamma', x),
      () => higher(A, m, x),
    );
  return choose(A, defined, derivative, () => A.real(NaN));
}

function higher(A: Algebra, m: Expression, x: Expression): Expression {
  const half = A.keep(A.mul(m, A.real(0.5)));
  const odd = A.keep(A.ne(A.floor(half), half));
  const pole = A.both(A.le(x, A.real(0)), A.eq(A.floor(x), x));
  const atZero = A.select(A.eq(x, A.real(0)), A.div(A.real(-1), x), A.real(NaN));
  return choose(
    A,
    pole,
    () => A.select(odd, A.real(Infinity), atZero),
    () => byPlaces(A, m, x, odd),
  );
}

/** ±h(x), or below zero ±h(x - ⌊x⌋) + h(⌈x⌉ - x) - h(1 - x), where the sign is that of an odd m. */
function byPlaces(A: Algebra, m: Expression, x: Expression, odd: Expression): Expression {
  const below = A.keep(A.lt(x, A.real(0)));
  const sign = A.select(odd, A.real(1), A.real(-1));
  const place = A.variable(A.select(below, A.sub(x, A.floor(x)), x));
  const weight = A.variable(sign);
  const total = A.variable(A.real(-0));
  const placesLeft = A.f.keep(select(i32(2), i32(0), below));
  A.f.loop((repeat) => {
    A.set(total, A.add(get(total), A.mul(get(weight), sum(A, m, get(place)))));
    A.f.if(get(placesLeft), () => {
      const second = A.keep(apply('i32.eq', get(placesLeft), i32(2)));
      A.set(place, A.select(second, A.sub(A.neg(A.floor(A.neg(x))), x), A.sub(A.real(1), x)));
      A.set(weight, A.select(second, A.real(1), A.real(-1)));
      A.f.increase(placesLeft, i32(-1));
      A.f.branch(repeat);
    });
  });
  return get(total);
}

/** h(x) for x > 0. */
function sum(A: Algebra, m: Expression, x: Expression): Expression {
  const byTerms = () =>
    choose(
      A,
      A.lt(A.real(largestProduct), m),
      () => sumByLogs(A, m, x),
      () => sumByProducts(A, m, x),
    );
  return choose(A, A.eq(x, A.real(Infinity)), () => A.real(0), byTerms);
}

function sumByProducts(A: Algebra, m: Expression, x: Expression): Expression {
  const up = (v: Expression) => A.neg(A.floor(A.neg(v)));
  const one = A.real(1);
  const wanted = A.keep(A.max(A.real(0), A.keep(up(A.sub(A.add(A.real(12), m), x)))));
  // Terms below 2⁻⁶⁰ of the first are left out, and then the rest of the series too.
  const ratio = A.call('exp2', A.div(A.real(60), A.add(m, one)));
  const seen = A.keep(A.add(one, up(A.mul(x, A.sub(ratio, one)))));
  const whole = A.keep(A.le(wanted, seen));
  const k = A.variable(A.select(whole, wanted, seen));
  const result = A.variable(
    choose(
      A,
      whole,
      () => rest(A, m, A.keep(A.add(x, wanted))),
      () => A.real(0),
    ),
  );
  A.f.block((leave) => {
    A.f.loop((repeat) => {
      A.f.branchIf(leave, A.le(get(k), A.real(0)));
      A.set(k, A.sub(get(k), one));
      A.set(result, A.add(get(result), factorialOverPower(A, m, A.keep(A.add(x, get(k))))));
      A.f.branch(repeat);
    });
  });
  return get(result);
}

/** ∫ m!/tᵐ⁺¹ from a, half the first term, then its odd derivatives: each next one multiplies by (its order)/a. */
function rest(A: Algebra, m: Expression, a: Expression): Expression {
  const integral = A.keep(factorialOverPower(A, A.keep(A.sub(m, A.real(1))), a));
  const first = A.keep(A.div(A.mul(integral, m), a));
  const square = A.keep(A.mul(a, a));
  let term = A.keep(A.div(A.mul(first, A.add(m, A.real(1))), a));
  let tail = A.keep(A.add(integral, A.mul(A.real(0.5), first)));
  eulerMaclaurin.forEach((coefficient, k) => {
    tail = A.keep(A.add(tail, A.mul(A.real(coefficient), term)));
    const orders = A.mul(A.add(m, A.real(2 * k + 2)), A.add(m, A.real(2 * k + 3)));
    term = A.keep(A.div(A.mul(term, orders), square));
  });
  return tail;
}

/** m!/xᵐ⁺¹: with m! exact where xᵐ⁺¹ cannot overflow, else factor by factor. */
function factorialOverPower(A: Algebra, m: Expression, x: Expression): Expression {
  const small = A.both(A.le(m, A.real(18)), A.lt(x, A.real(1e10)));
  return choose(
    A,
    small,
    () => smallQuotient(A, m, x),
    () => longProduct(A, m, x),
  );
}

function smallQuotient(A: Algebra, m: Expression, x: Expression): Expression {
  const factorial = A.variable(A.real(1));
  const power = A.variable(x);
  countTo(A, m, (k) => {
    A.set(factorial, A.mul(get(factorial), k));
    A.set(power, A.mul(get(power), x));
  });
  return A.div(get(factorial), get(power));
}

/** Where x is large the product is smallest in its middle, and starts at 2⁴⁰⁰ so as not to underflow there. */
function longProduct(A: Algebra, m: Expression, x: Expression): Expression {
  const large = A.keep(A.lt(A.real(256), x));
  const result = A.variable(A.div(A.select(large, A.real(2 ** 400), A.real(1)), x));
  countTo(A, m, (k) => A.set(result, A.mul(get(result), A.div(k, x))));
  return A.mul(get(result), A.select(large, A.real(2 ** -400), A.real(1)));
}

/** For k = 1, 2, …, m. */
function countTo(A: Algebra, m: Expression, write: (k: Expression) => void): void {
  const k = A.variable(A.real(1));
  A.f.block((leave) => {
    A.f.loop((repeat) => {
      A.f.branchIf(leave, A.lt(m, get(k)));
      write(get(k));
      A.set(k, A.add(get(k), A.real(1)));
      A.f.branch(repeat);
    });
  });
}

/** Where h is neither infinite nor zero, x is about m/e, and a term e⁻ᵉ of the one before it. */
function sumByLogs(A: Algebra, m: Expression, x: Expression): Expression {
  const power = A.keep(A.add(m, A.real(1)));
  const factorial = A.keep(A.call('lgamma', power));
  const result = A.variable(A.real(0));
  const k = A.variable(A.real(termsAbove));
  A.f.loop((repeat) => {
    A.set(k, A.sub(get(k), A.real(1)));
    const logarithm = A.sub(factorial, A.mul(power, A.call('log', A.add(x, get(k)))));
    A.set(result, A.add(get(result), A.call('exp', logarithm)));
    A.f.branchIf(repeat, A.lt(A.real(0), get(k)));
  });
  return get(result);
}
