/** Hyperbolic functions, by expm1 where it keeps the digits, by Cephes' polynomials (sinhf, tanhf) near zero. */
import { horner } from './literal.ts';

const sinhTail = [1.66667160211e-1, 8.33028376239e-3, 2.03721912945e-4];
const tanhTail = [-3.33332819422e-1, 1.33314422036e-1, -5.37397155531e-2, 2.06390887954e-2, -5.70498872745e-3];

export const hyperbolic = {
  // exp(x)/2 without overflow before the halving
  half_exp: `fn half_exp(x: f32) -> f32 {
  let root = exp_f32(0.5 * x);
  return (0.5 * root) * root;
}`,
  sinh_f32: `fn sinh_f32(x: f32) -> f32 {
  if (is_nan(x) || is_infinite(x)) { return x; }
  let size = abs(x);
  if (size < 1e-4) { return x; }
  if (size < 1.0) { let z = x * x; return ${horner(sinhTail, 'z')} * z * x + x; }
  if (size > 88.0) { return with_sign_of(half_exp(size), x); }
  let e = expm1_f32(size);
  return with_sign_of(0.5 * (e + e / (e + 1.0)), x);
}`,
  cosh_f32: `fn cosh_f32(x: f32) -> f32 {
  if (is_nan(x)) { return x; }
  if (is_infinite(x)) { return infinity(); }
  let size = abs(x);
  if (size > 88.0) { return half_exp(size); }
  let e = exp_f32(size);
  return 0.5 * e + 0.5 / e;
}`,
  tanh_f32: `fn tanh_f32(x: f32) -> f32 {
  if (is_nan(x)) { return x; }
  let size = abs(x);
  if (size < 1e-4) { return x; }
  if (size < 0.625) { let z = x * x; return ${horner(tanhTail, 'z')} * z * x + x; }
  if (size > 9.1) { return with_sign_of(1.0, x); }
  return with_sign_of(1.0 - 2.0 / (exp_f32(2.0 * size) + 1.0), x);
}`,
} as const;
