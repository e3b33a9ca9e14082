/**
 * exp and its relatives: x = k·log 2 + r with |r| ≤ log(2)/2, a polynomial for exp(r) - 1 (Cephes, expf), a factor 2ᵏ.
 */
import { horner } from './literal.ts';

/** (exp(r) - 1 - r)/r² */
const tail = [5.0000001201e-1, 1.6666665459e-1, 4.1665795894e-2, 8.3334519073e-3, 1.3981999507e-3, 1.98756915e-4];

export const exponential = {
  expm1_near_zero: `fn expm1_near_zero(r: f32) -> f32 { return ${horner(tail, 'r')} * (r * r) + r; }`,
  // log 2 in two parts: the first has 15 bits, so that k times it is exact.
  past_log_two: `fn past_log_two(x: f32, k: f32) -> f32 { return (x - k * 0.693145752) - k * 1.42860677e-6; }`,

  exp_f32: `fn exp_f32(x: f32) -> f32 {
  if (is_nan(x)) { return x; }
  if (x > 88.72284) { return infinity(); }
  if (x < -103.98) { return 0.0; }
  let k = floor(x * 1.44269504 + 0.5);
  return scale_by_two_to(1.0 + expm1_near_zero(past_log_two(x, k)), i32(k));
}`,
  exp2_f32: `fn exp2_f32(x: f32) -> f32 {
  if (is_nan(x)) { return x; }
  if (x >= 128.0) { return infinity(); }
  if (x < -150.0) { return 0.0; }
  let k = floor(x + 0.5);
  return scale_by_two_to(1.0 + expm1_near_zero((x - k) * 0.693147181), i32(k));
}`,
  expm1_f32: `fn expm1_f32(x: f32) -> f32 {
  if (is_nan(x) || abs(x) < 1e-8) { return x; }
  if (x > 88.72284) { return infinity(); }
  if (x < -17.5) { return -1.0; }
  let k = floor(x * 1.44269504 + 0.5);
  let past = expm1_near_zero(past_log_two(x, k));
  if (k > 60.0) { return scale_by_two_to(1.0 + past, i32(k)); }
  let factor = two_to(i32(k));
  return factor * past + (factor - 1.0);
}`,

  // Written so that neither branch overflows.
  logistic_f32: `fn logistic_f32(x: f32) -> f32 {
  if (x >= 0.0) { return 1.0 / (1.0 + exp_f32(-x)); }
  let odds = exp_f32(x);
  return odds / (1.0 + odds);
}`,
} as const;
