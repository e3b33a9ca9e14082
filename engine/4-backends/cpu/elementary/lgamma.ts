/**
 * lgamma x = log |Γ(x)|.
 *
 * Around 2 by its Taylor series (so the zeros at 1 and 2 keep their relative accuracy), from 10 on by Stirling's, between
 * them by Γ(x + 1) = x·Γ(x), below zero by Γ(x)Γ(-x) = -π/(x·sin πx). Near the zeros below -2 the error is absolute.
 */
import { apply, get, type Expression } from '../wasm/expression.ts';
import type { Algebra } from './algebra.ts';
import { choose } from './one-lane.ts';

/** (ζ(k) - 1)/k for k = 2, 3, … */
const taylor = [
  0.3224670334241132, 0.0673523010531981, 0.020580808427784546, 0.007385551028673986, 0.0028905103307415234,
  0.001192753911703261, 0.0005096695247430425, 0.00022315475845357939, 9.945751278180853e-5, 4.492623673813314e-5,
  2.050721277567069e-5, 9.439488275268397e-6, 4.374866789907488e-6, 2.039215753801366e-6, 9.55141213040742e-7,
  4.492469198764566e-7, 2.1207184805554665e-7, 1.0043224823968099e-7, 4.7698101693639804e-8, 2.2711094608943164e-8,
  1.0838659214896955e-8, 5.183475041970047e-9, 2.4836745438024785e-9, 1.1921401405860912e-9, 5.731367241678862e-10,
  2.7595228851242334e-10,
];
const oneMinusEuler = 0.42278433509846713;

/** B₂ₖ/(2k(2k - 1)) */
const stirling = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156];
const halfLogTwoPi = 0.9189385332046728;

export function lgamma(A: Algebra, x: Expression): Expression {
  const value = A.variable(positive(A, A.keep(A.abs(x))));
  A.f.if(A.le(x, A.real(0)), () => A.set(value, belowZero(A, x, get(value))));
  return get(value);
}

/** From lgamma(-x). */
function belowZero(A: Algebra, x: Expression, ofSize: Expression): Expression {
  const past = A.keep(A.abs(A.sub(x, A.nearest(x))));
  const pole = A.either(A.eq(past, A.real(0)), A.eq(x, A.real(-Infinity)));
  const reflected = () => {
    const wave = A.call('sin', A.mul(A.real(Math.PI), past));
    const quotient = A.div(A.real(Math.PI), A.mul(A.neg(x), wave));
    return A.sub(A.call('log', quotient), ofSize);
  };
  // sin πx = πx, and the quotient would overflow.
  const finite = () => choose(A, A.lt(A.real(-1e-17), x), () => ofSize, reflected);
  return choose(A, pole, () => A.real(Infinity), finite);
}

function positive(A: Algebra, x: Expression): Expression {
  const log1p = (s: Expression) => A.call('log1p', s);
  const beyond = () =>
    choose(
      A,
      A.le(A.real(10), x),
      () => large(A, x),
      () => byRecurrence(A, x),
    );
  const aroundOne = () => {
    const s = A.keep(A.sub(x, A.real(1)));
    return A.sub(aroundTwo(A, s), log1p(s));
  };
  const nearOne = () => choose(A, A.lt(x, A.real(1.5)), aroundOne, beyond);
  const nearZero = () => A.sub(A.sub(aroundTwo(A, x), log1p(x)), A.call('log', x));
  return choose(A, A.lt(x, A.real(0.5)), nearZero, nearOne);
}

/** x from 1.5 to 10: down to 2.5 at most, and the logarithm of the product of what was passed. */
function byRecurrence(A: Algebra, x: Expression): Expression {
  const y = A.variable(x);
  const product = A.variable(A.real(1));
  A.f.block((leave) => {
    A.f.loop((repeat) => {
      A.f.branchIf(leave, apply('i32.eqz', A.lt(A.real(2.5), get(y))));
      A.set(y, A.sub(get(y), A.real(1)));
      A.set(product, A.mul(get(product), get(y)));
      A.f.branch(repeat);
    });
  });
  return A.add(aroundTwo(A, A.keep(A.sub(get(y), A.real(2)))), A.call('log', get(product)));
}

/** lgamma(2 + s) = (1 - γ)s + Σ_{k≥2} (ζ(k) - 1)(-s)ᵏ/k for |s| ≤ 1/2. */
function aroundTwo(A: Algebra, s: Expression): Expression {
  const minus = A.keep(A.neg(s));
  const series = A.mul(minus, A.polynomial(minus, taylor));
  return A.mul(s, A.sub(A.real(oneMinusEuler), series));
}

/** (x - 1/2)·log x - x + log(2π)/2 + Σ coefficientₖ/x²ᵏ⁻¹ */
function large(A: Algebra, x: Expression): Expression {
  const logMinusOne = A.keep(A.sub(A.call('log', x), A.real(1)));
  const square = A.keep(A.div(A.real(1), A.mul(x, x)));
  const series = A.div(A.polynomial(square, stirling), x);
  const stirlings = () => A.add(A.mul(A.sub(x, A.real(0.5)), logMinusOne), A.add(A.real(halfLogTwoPi - 0.5), series));
  return choose(A, A.lt(A.real(1e17), x), () => A.mul(x, logMinusOne), stirlings);
}
