/**
 * digamma x = Γ'(x)/Γ(x).
 *
 * Measured from its positive zero x₀, because every term then has the sign of d = x - x₀ and nothing cancels:
 *
 *     digamma(x) = Σ_{n<N} d/((n + x₀)(n + x)) + [digamma(x + N) - digamma(x₀ + N)]
 *
 * and the bracket by the difference of two asymptotic series, each of whose terms has the factor d as well. Below zero by
 * digamma(x) = digamma(1 - x) - π·cot πx, where the error is a few units in the last place of the larger term.
 */
import { get, type Expression } from '../wasm/expression.ts';
import type { Algebra } from './algebra.ts';
import { choose } from './one-lane.ts';

/** x₀ = zero + zeroLow. */
const zero = 1.4616321449683622;
const zeroLow = 9.549995429965697e-17;
const shift = 12;

/** B₂ₖ/2k: digamma(x) ~ log x - 1/(2x) - Σ coefficientₖ/x²ᵏ. */
const asymptotic = [1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12];

export function digamma(A: Algebra, x: Expression): Expression {
  const below = A.keep(A.le(x, A.real(0)));
  const y = A.keep(A.select(below, A.sub(A.real(1), x), x));
  const value = A.variable(
    choose(
      A,
      A.lt(y, A.real(10)),
      () => fromZero(A, y),
      () => large(A, y),
    ),
  );
  A.f.if(below, () => A.set(value, belowZero(A, x, get(value))));
  return get(value);
}

/** From digamma(1 - x). At zero the side from which the pole is approached decides; at the other poles nothing does. */
function belowZero(A: Algebra, x: Expression, reflected: Expression): Expression {
  const past = A.keep(A.sub(x, A.nearest(x)));
  const pole = A.either(A.eq(past, A.real(0)), A.eq(x, A.real(-Infinity)));
  const atPole = () => A.select(A.eq(x, A.real(0)), A.div(A.real(-1), x), A.real(NaN));
  return choose(A, pole, atPole, () => A.sub(reflected, A.mul(A.real(Math.PI), cotangentOfPiTimes(A, past))));
}

/** cot(πp) for |p| ≤ 1/2, exact at 1/2 where tan of the rounded π/2 is not. */
function cotangentOfPiTimes(A: Algebra, p: Expression): Expression {
  const size = A.keep(A.abs(p));
  const tanOfPiTimes = (v: Expression) => A.call('tan', A.mul(A.real(Math.PI), v));
  const near = () => A.div(A.real(1), tanOfPiTimes(size));
  const far = () => tanOfPiTimes(A.sub(A.real(0.5), size));
  return A.withSign(choose(A, A.lt(size, A.real(0.25)), near, far), p);
}

function large(A: Algebra, x: Expression): Expression {
  const square = A.keep(A.div(A.real(1), A.mul(x, x)));
  const series = A.mul(square, A.polynomial(square, asymptotic));
  return A.sub(A.sub(A.call('log', x), A.div(A.real(0.5), x)), series);
}

function fromZero(A: Algebra, x: Expression): Expression {
  const d = A.keep(A.sub(A.sub(x, A.real(zero)), A.real(zeroLow)));
  let sum = A.real(0);
  for (let n = shift - 1; n >= 0; n--) {
    const product = A.mul(A.real(n + zero), A.add(A.real(n), x));
    sum = A.keep(A.add(sum, A.div(A.real(1), product)));
  }
  const a = zero + shift;
  const b = A.keep(A.add(x, A.real(shift)));
  // uᵏ - vᵏ = (u - v)(uᵏ⁻¹ + … + vᵏ⁻¹) with u = 1/b², v = 1/a²; u - v = -d(a + b)/(ab)².
  const u = A.keep(A.div(A.real(1), A.mul(b, b)));
  const v = 1 / (a * a);
  let powers = A.real(0);
  let series = A.real(0);
  asymptotic.forEach((coefficient, k) => {
    powers = A.keep(A.add(A.mul(powers, u), A.real(v ** k)));
    series = A.keep(A.add(series, A.mul(A.real(coefficient), powers)));
  });
  const bySeries = A.mul(A.mul(A.mul(A.add(A.real(a), b), u), A.real(v)), series);
  const slope = A.add(A.add(sum, A.div(A.real(0.5), A.mul(A.real(a), b))), bySeries);
  return A.add(A.mul(d, slope), A.call('log1p', A.div(d, A.real(a))));
}
