/** lgamma, digamma and polygamma: the reference's formulas with as many terms as f32 can tell. */
import { f32Literal, horner } from './literal.ts';

/** (ζ(k) - 1)/k for k = 2, 3, … */
const zeta = [
  0.64493406684822643647, 0.2020569031595942854, 0.082323233711138191516, 0.036927755143369926331,
  0.017343061984449139715, 0.0083492773819228268398, 0.0040773561979443393787, 0.0020083928260822144179,
  0.00099457512781808533715, 0.0004941886041194645587, 0.00024608655330804829864, 0.00012271334757848914675,
  0.000061248135058704829259, 0.000030588236307020493552,
].map((value, i) => value / (i + 2));

/** x₀ with digamma(x₀) = 0, as two f32. */
const zero = 1.4616321449683623;
const zeroHigh = Math.fround(zero);

/** A loop over the whole shift: 1/((n + x₀)(n + x)), smallest first. */
const shift = 12;

export const gamma = {
  // lgamma(2 + s), |s| <= 1/2
  lgamma_around_two: `fn lgamma_around_two(s: f32) -> f32 {
  let t = -s;
  return s * (0.42278433509846714 - ${horner(zeta, 't')} * t);
}`,
  large_lgamma: `fn large_lgamma(x: f32) -> f32 {
  if (x > 1e10) { return x * (log_f32(x) - 1.0); }
  let inverse = 1.0 / x;
  let z = inverse * inverse;
  return (x - 0.5) * (log_f32(x) - 1.0) + (0.41893853320467274 + ${horner([1 / 12, -1 / 360, 1 / 1260], 'z')} * inverse);
}`,
  positive_lgamma: `fn positive_lgamma(x: f32) -> f32 {
  if (x < 0.5) { return lgamma_around_two(x) - log1p_f32(x) - log_f32(x); }
  if (x < 1.5) { return lgamma_around_two(x - 1.0) - log1p_f32(x - 1.0); }
  if (x >= 10.0) { return large_lgamma(x); }
  var y = x;
  var product = 1.0;
  while (y > 2.5) { y -= 1.0; product *= y; }
  return lgamma_around_two(y - 2.0) + log_f32(product);
}`,
  lgamma_f32: `fn lgamma_f32(x: f32) -> f32 {
  if (is_nan(x)) { return x; }
  if (is_infinite(x) || is_zero(x)) { return infinity(); }
  if (x > 0.0) { return positive_lgamma(x); }
  let past = abs(x - round_f32(x));
  if (past == 0.0) { return infinity(); }
  if (x > -1e-8) { return -log_f32(-x); }
  return log_f32(3.14159265 / (-x * sin_f32(3.14159265 * past))) - positive_lgamma(-x);
}`,

  // Measured from the zero at x₀, because every term then has the sign of x - x₀ and nothing cancels.
  positive_digamma: `fn positive_digamma(x: f32) -> f32 {
  if (x >= 10.0) {
    let inverse = 1.0 / x;
    let z = inverse * inverse;
    return log_f32(x) - 0.5 * inverse - ${horner([1 / 12, -1 / 120, 1 / 252], 'z')} * z;
  }
  let d = (x - ${f32Literal(zeroHigh)}) - ${f32Literal(zero - zeroHigh)};
  var sum = 0.0;
  for (var n = ${shift - 1}.0; n >= 0.0; n -= 1.0) { sum += 1.0 / ((n + ${f32Literal(zero)}) * (n + x)); }
  let a = ${f32Literal(zero + shift)};
  let b = x + ${shift}.0;
  let u = 1.0 / (b * b);
  let v = 1.0 / (a * a);
  let series = ${f32Literal(1 / 12)} + ${f32Literal(-1 / 120)} * (u + v);
  return d * (sum + 0.5 / (a * b) + (a + b) * u * v * series) + log1p_f32(d / a);
}`,
  digamma_f32: `fn digamma_f32(x: f32) -> f32 {
  if (is_nan(x)) { return x; }
  if (is_zero(x)) { return with_sign_of(infinity(), -x); }
  if (x > 0.0) { return select(positive_digamma(x), x, is_infinite(x)); }
  let past = x - round_f32(x);
  if (past == 0.0 || is_infinite(x)) { return nan(); }
  return positive_digamma(1.0 - x) - 3.14159265 / tan_f32(3.14159265 * past);
}`,

  // m!/x^(m+1), without overflow on the way
  factorial_over_power: `fn factorial_over_power(m: i32, x: f32) -> f32 {
  var result = 1.0 / x;
  for (var k = 1; k <= m; k++) { result *= f32(k) / x; }
  return result;
}`,
  // The sum over k >= 0 of m!/(x + k)^(m+1), x > 0, by Euler and Maclaurin.
  polygamma_sum: `fn polygamma_sum(m: i32, x: f32) -> f32 {
  if (is_infinite(x)) { return 0.0; }
  let shift = max(0, i32(ceil(f32(8 + m) - min(x, 1024.0))));
  let a = x + f32(shift);
  let integral = factorial_over_power(m - 1, a);
  let first = integral * f32(m) / a;
  let order = f32(m);
  let z = 1.0 / (a * a);
  var term = first * (order + 1.0) / a;
  var tail = integral + first / 2.0 + ${f32Literal(1 / 12)} * term;
  term *= (order + 2.0) * (order + 3.0) * z;
  tail += ${f32Literal(-1 / 720)} * term;
  term *= (order + 4.0) * (order + 5.0) * z;
  tail += ${f32Literal(1 / 30240)} * term;
  for (var k = shift - 1; k >= 0; k--) { tail += factorial_over_power(m, x + f32(k)); }
  return tail;
}`,
  // Orders above 64 leave the range of f32 for all but a few x; they give NaN rather than a long loop.
  polygamma_f32: `fn polygamma_f32(order: f32, x: f32) -> f32 {
  if (is_nan(order) || is_nan(x) || order < 0.0 || order > 64.0 || order != floor(order)) { return nan(); }
  let m = i32(order);
  if (m == 0) { return digamma_f32(x); }
  let odd = (m & 1) == 1;
  if (is_zero(x)) { return select(with_sign_of(infinity(), -x), infinity(), odd); }
  if (x > 0.0) { let sum = polygamma_sum(m, x); return select(-sum, sum, odd); }
  if (is_infinite(x)) { return nan(); }
  let above = x - floor(x);
  let below = ceil(x) - x;
  if (above == 0.0) { return select(nan(), infinity(), odd); }
  let rest = polygamma_sum(m, below) - polygamma_sum(m, 1.0 - x);
  let sum = polygamma_sum(m, above);
  return select(rest - sum, sum + rest, odd);
}`,
} as const;
