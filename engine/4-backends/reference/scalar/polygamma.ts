/**
 * polygamma(m, x) = dᵐ/dxᵐ digamma(x) = (-1)ᵐ⁺¹ h(x), h(x) = Σ_{k≥0} m!/(x + k)ᵐ⁺¹ (m ≥ 1: m! times Hurwitz's zeta).
 *
 * For x > 0 by Euler–Maclaurin; below zero the sum over all integers k is periodic in x, which leaves three values of
 * h at positive places, and only for even m any cancellation (there h has zeros).
 */
import { digamma } from './digamma.ts';

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

/** NaN unless m is a whole number ≥ 0. At a pole: ∞ for odd m; for even m the side of zero decides, else NaN. */
export function polygamma(m: number, x: number): number {
  if (!(m >= 0) || Math.floor(m) !== m || m === Infinity || Number.isNaN(x)) return NaN;
  if (m === 0) return digamma(x);
  const odd = m % 2 === 1;
  if (x === 0) return odd ? Infinity : -1 / x;
  if (x > 0) return odd ? sum(m, x) : -sum(m, x);
  const above = x - Math.floor(x);
  const below = Math.ceil(x) - x;
  if (x === -Infinity) return NaN;
  if (above === 0) return odd ? Infinity : NaN;
  const rest = sum(m, below) - sum(m, 1 - x);
  return odd ? sum(m, above) + rest : rest - sum(m, above);
}

/** h(x) for x > 0. */
function sum(m: number, x: number): number {
  if (x === Infinity) return 0;
  const shift = Math.max(0, Math.ceil(12 + m - x));
  const a = x + shift;
  // ∫ m!/tᵐ⁺¹ from a, half the first term, then its odd derivatives: each next one multiplies by (its order)/a.
  const integral = factorialOverPower(m - 1, a);
  const first = (integral * m) / a;
  let term = (first * (m + 1)) / a;
  let tail = integral + first / 2;
  for (const [k, coefficient] of eulerMaclaurin.entries()) {
    tail += coefficient * term;
    term *= ((m + 2 * k + 2) * (m + 2 * k + 3)) / (a * a);
  }
  for (let k = shift - 1; k >= 0; k--) tail += factorialOverPower(m, x + k);
  return tail;
}

/** m!/xᵐ⁺¹, without overflow on the way. */
function factorialOverPower(m: number, x: number): number {
  let result = 1 / x;
  for (let k = 1; k <= m; k++) result *= k / x;
  return result;
}
