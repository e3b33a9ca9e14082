/**
 * Circular functions: x = q·π/2 + r with |r| ≤ π/4, then the polynomials of Cephes (sinf, cosf, tanf, atanf, asinf).
 * Up to 200 π/2 is subtracted in three parts; beyond, r comes from the bits of 2/π that matter (Payne and Hanek).
 */
import { horner } from './literal.ts';

const sine = [-1.6666654611e-1, 8.3321608736e-3, -1.9515295891e-4];
const cosine = [4.166664568298827e-2, -1.388731625493765e-3, 2.443315711809948e-5];
const tangent = [
  3.33331568548e-1, 1.33387994085e-1, 5.34112807005e-2, 2.44301354525e-2, 3.11992232697e-3, 9.38540185543e-3,
];
const arctangent = [-3.33329491539e-1, 1.99777106478e-1, -1.38776856032e-1, 8.05374449538e-2];
const arcsine = [1.6666752422e-1, 7.4953002686e-2, 4.5470025998e-2, 2.4181311049e-2, 4.21632e-2];

export const trigonometric = {
  high_product: `fn high_product(a: u32, b: u32) -> u32 {
  let low = (a & 0xffffu) * (b & 0xffffu);
  let middle = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
  let other = (a & 0xffffu) * (b >> 16u) + (middle & 0xffffu);
  return (a >> 16u) * (b >> 16u) + (middle >> 16u) + (other >> 16u);
}`,
  // (r, q mod 4) of a finite x with |x| >= 1
  large_angle: `fn large_angle(x: f32) -> vec2<f32> {
  var two_over_pi = array<u32, 7>(0u, 0x28be60dbu, 0x9391054au, 0x7f09d5f4u, 0x7d4d3770u, 0x36d8a566u, 0x4f10e410u);
  let word = bitcast<u32>(x);
  let exponent = ((word >> 23u) & 0xffu) - 126u;
  let mantissa = (word << 8u) | 0x80000000u;
  let at = exponent >> 5u;
  let shift = exponent & 31u;
  var high = two_over_pi[at];
  var middle = two_over_pi[at + 1u];
  var low = two_over_pi[at + 2u];
  if (shift > 0u) {
    high = (high << shift) | (middle >> (32u - shift));
    middle = (middle << shift) | (low >> (32u - shift));
    low = (low << shift) | (two_over_pi[at + 3u] >> (32u - shift));
  }
  // The 64 bits of the product below 2^2: two of quarter turns, the rest their fraction.
  let carry = high_product(mantissa, low);
  var product_low = mantissa * middle + carry;
  var product_high = high_product(mantissa, middle) + select(0u, 1u, product_low < carry) + mantissa * high;
  var quarter = product_high >> 30u;
  product_high &= 0x3fffffffu;
  let beyond = product_high >= 0x20000000u;
  if (beyond) {
    quarter += 1u;
    product_low = ~product_low + 1u;
    product_high = 0x3fffffffu - product_high + select(0u, 1u, product_low == 0u);
  }
  // π/2 in units of 2^62 of a quarter turn.
  let size = (f32(product_high) * 4294967296.0 + f32(product_low)) * 3.4061215800304e-19;
  let turned = select(quarter, 4u - quarter, is_negative(x)) & 3u;
  return vec2<f32>(select(size, -size, beyond != is_negative(x)), f32(turned));
}`,
  angle: `fn angle(x: f32) -> vec2<f32> {
  if (abs(x) >= 200.0) { return large_angle(x); }
  let q = floor(x * 0.636619772 + 0.5);
  let r = ((x - q * 1.5703125) - q * 4.837512969970703e-4) - q * 7.549789948768648e-8;
  return vec2<f32>(r, f32(i32(q) & 3));
}`,
  sin_near_zero: `fn sin_near_zero(r: f32) -> f32 {
  let z = r * r;
  return ${horner(sine, 'z')} * z * r + r;
}`,
  cos_near_zero: `fn cos_near_zero(r: f32) -> f32 {
  let z = r * r;
  return ${horner(cosine, 'z')} * (z * z) - 0.5 * z + 1.0;
}`,
  sin_of_quarter: `fn sin_of_quarter(r: f32, quarter: i32) -> f32 {
  var value = sin_near_zero(r);
  if ((quarter & 1) == 1) { value = cos_near_zero(r); }
  return select(value, -value, (quarter & 2) == 2);
}`,

  sin_f32: `fn sin_f32(x: f32) -> f32 {
  if (is_nan(x) || is_infinite(x)) { return nan(); }
  if (abs(x) < 1e-4) { return x; }
  let parts = angle(x);
  return sin_of_quarter(parts.x, i32(parts.y));
}`,
  cos_f32: `fn cos_f32(x: f32) -> f32 {
  if (is_nan(x) || is_infinite(x)) { return nan(); }
  let parts = angle(x);
  return sin_of_quarter(parts.x, i32(parts.y) + 1);
}`,
  tan_f32: `fn tan_f32(x: f32) -> f32 {
  if (is_nan(x) || is_infinite(x)) { return nan(); }
  if (abs(x) < 1e-4) { return x; }
  let parts = angle(x);
  let r = parts.x;
  let z = r * r;
  let value = ${horner(tangent, 'z')} * z * r + r;
  if ((i32(parts.y) & 1) == 1) { return -1.0 / value; }
  return value;
}`,
} as const;

export const inverseTrigonometric = {
  // x >= 0; tan(π/8) and tan(3π/8) part the ranges
  positive_atan: `fn positive_atan(x: f32) -> f32 {
  var start = 0.0;
  var r = x;
  if (x > 2.41421356) { start = 1.57079633; r = -1.0 / x; }
  else if (x > 0.414213562) { start = 0.785398163; r = (x - 1.0) / (x + 1.0); }
  let z = r * r;
  return start + (${horner(arctangent, 'z')} * z * r + r);
}`,
  atan_f32: `fn atan_f32(x: f32) -> f32 {
  if (is_nan(x)) { return x; }
  if (is_infinite(x)) { return with_sign_of(1.57079633, x); }
  return with_sign_of(positive_atan(abs(x)), x);
}`,
  atan2_f32: `fn atan2_f32(y: f32, x: f32) -> f32 {
  if (is_nan(x) || is_nan(y)) { return nan(); }
  let rise = abs(y);
  let run = abs(x);
  var value = 0.0;
  if (is_infinite(x) && is_infinite(y)) { value = 0.785398163; }
  else if (is_infinite(x) || is_zero(y)) { value = 0.0; }
  else if (is_infinite(y)) { value = 1.57079633; }
  else if (rise > run) { value = 1.57079633 - positive_atan(run / rise); }
  else { value = positive_atan(rise / run); }
  if (is_negative(x)) { value = 3.14159274 - (value + 8.74227766e-8); }
  return with_sign_of(value, y);
}`,
  asin_near_zero: `fn asin_near_zero(x: f32) -> f32 {
  let z = x * x;
  return ${horner(arcsine, 'z')} * z * x + x;
}`,
  asin_f32: `fn asin_f32(x: f32) -> f32 {
  let size = abs(x);
  if (is_nan(x) || size > 1.0) { return nan(); }
  if (size < 1e-4) { return x; }
  if (size <= 0.5) { return asin_near_zero(x); }
  return with_sign_of(1.57079633 - 2.0 * asin_near_zero(sqrt_f32(0.5 * (1.0 - size))), x);
}`,
  acos_f32: `fn acos_f32(x: f32) -> f32 {
  if (is_nan(x) || abs(x) > 1.0) { return nan(); }
  if (x > 0.5) { return 2.0 * asin_near_zero(sqrt_f32(0.5 * (1.0 - x))); }
  if (x < -0.5) { return 3.14159265 - 2.0 * asin_near_zero(sqrt_f32(0.5 * (1.0 + x))); }
  return 1.57079633 - asin_near_zero(x);
}`,
} as const;
