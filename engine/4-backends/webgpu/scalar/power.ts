/** Powers and roots. */
export const power = {
  sqrt_f32: `fn sqrt_f32(x: f32) -> f32 {
  if (is_nan(x) || is_zero(x)) { return x; }
  if (is_negative(x)) { return nan(); }
  if (is_infinite(x)) { return x; }
  return sqrt(x);
}`,
  // Newton's steps from a guess that divides the exponent by three; each doubles its 5 digits.
  cbrt_f32: `fn cbrt_f32(x: f32) -> f32 {
  if (is_nan(x) || is_zero(x) || is_infinite(x)) { return x; }
  var word = bitcast<u32>(x) & 0x7fffffffu;
  var factor = 1.0;
  if (word < 0x00800000u) { word = bitcast<u32>(f32(word) * 2.0); factor = two_to(-50); }
  let a = bitcast<f32>(word);
  var root = bitcast<f32>(word / 3u + 709958130u);
  for (var step = 0; step < 3; step++) { root -= (root - a / (root * root)) / 3.0; }
  return with_sign_of(root * factor, x);
}`,
  hypot_f32: `fn hypot_f32(x: f32, y: f32) -> f32 {
  if (is_infinite(x) || is_infinite(y)) { return infinity(); }
  if (is_nan(x) || is_nan(y)) { return nan(); }
  let large = max(abs(x), abs(y));
  if (is_zero(large)) { return 0.0; }
  let ratio = min(abs(x), abs(y)) / large;
  return large * sqrt(1.0 + ratio * ratio);
}`,

  /*
   * log2 x as a sum of two f32, after FreeBSD's powf: y·log2 x needs its absolute error far below one unit of y·log2 x.
   * With t = (m - c)/(m + c), c = 1 or 1.5: log2 x = n + log2 c + 2/(3 log 2)·t(3 + t² + …).
   */
  log2_in_two: `fn log2_in_two(x: f32) -> vec2<f32> {
  var word = bitcast<u32>(x);
  var n = -127;
  if (word < 0x00800000u) { word = bitcast<u32>(f32(word)); n -= 149; }
  n += i32(word >> 23u);
  let fraction = word & 0x007fffffu;
  word = fraction | 0x3f800000u;
  var c = 1.0;
  if (fraction > 0x1cc471u) {
    if (fraction < 0x5db3d7u) { c = 1.5; } else { n += 1; word -= 0x00800000u; }
  }
  let m = bitcast<f32>(word);
  let inverse = 1.0 / (m + c);
  let t = (m - c) * inverse;
  let t_high = upper_half(t);
  let sum_high = upper_half(m + c);
  let sum_low = m - (sum_high - c);
  let t_low = inverse * (((m - c) - t_high * sum_high) - t_high * sum_low);
  var square = t * t;
  var series = square * square * (0.6 + square * (0.428571433 + square * (0.333333343
    + square * (0.272728115 + square * (0.230660751 + square * 0.206975013)))));
  series += t_low * (t_high + t);
  square = t_high * t_high;
  let s_high = upper_half(3.0 + square + series);
  let s_low = series - ((s_high - 3.0) - square);
  let product = t_high * s_high;
  let rest = t_low * s_high + s_low * t;
  let sum = upper_half(product + rest);
  let sum_rest = rest - (sum - product);
  let z_high = 0.961914063 * sum;
  let z_low = -0.000117368574 * sum + sum_rest * 0.961796701 + select(0.0, 1.56322085e-6, c == 1.5);
  let base = select(0.0, 0.584960938, c == 1.5);
  let high = upper_half(((z_high + z_low) + base) + f32(n));
  return vec2<f32>(high, z_low - (((high - f32(n)) - base) - z_high));
}`,
  // 0 < x < infinity, x != 1
  positive_pow: `fn positive_pow(x: f32, exponent: f32) -> f32 {
  // Beyond 2^35 every x != 1 saturates; a larger y would overflow inside.
  let y = clamp(exponent, -34359738368.0, 34359738368.0);
  let logarithm = log2_in_two(x);
  let y_high = upper_half(y);
  let low = (y - y_high) * logarithm.x + y * logarithm.y;
  let high = y_high * logarithm.x;
  if (low + high >= 128.0) { return infinity(); }
  if (low + high < -150.0) { return 0.0; }
  let n = floor(low + high + 0.5);
  return scale_by_two_to(1.0 + expm1_near_zero(((high - n) + low) * 0.693147181), i32(n));
}`,
  pow_f32: `fn pow_f32(x: f32, y: f32) -> f32 {
  if (is_zero(y)) { return 1.0; }
  if (is_nan(x) || is_nan(y)) { return nan(); }
  let size = abs(x);
  if (is_infinite(y)) {
    if (size == 1.0) { return nan(); }
    return select(0.0, infinity(), (size > 1.0) == (y > 0.0));
  }
  let whole = y == floor(y);
  let odd = whole && abs(y) < 16777216.0 && (i32(y) & 1) == 1;
  if (is_negative(x) && !whole && !is_zero(x) && !is_infinite(x)) { return nan(); }
  var result = 1.0;
  if (is_zero(x) || is_infinite(x)) { result = select(0.0, infinity(), is_zero(x) == (y < 0.0)); }
  else if (size != 1.0) { result = positive_pow(size, y); }
  return select(result, -result, odd && is_negative(x));
}`,
} as const;
