/** log and its relatives: x = 2ᵏ(1 + f) with √½ ≤ 1 + f < √2, and the series of FreeBSD's logf for log(1 + f). */
export const logarithm = {
  // s = f/(2 + f), so that log(1 + f) = 2 artanh(s)
  log1p_near_zero: `fn log1p_near_zero(f: f32) -> f32 {
  let s = f / (2.0 + f);
  let z = s * s;
  let w = z * z;
  let tail = z * (0.66666662693 + w * 0.28498786688) + w * (0.40000972152 + w * 0.24279078841);
  let half_square = 0.5 * f * f;
  return f - (half_square - s * (half_square + tail));
}`,
  // (f, k) of a positive finite x. Subnormals go through an integer, since the GPU may take them for zero.
  log_parts: `fn log_parts(x: f32) -> vec2<f32> {
  var word = bitcast<u32>(x);
  var k = -127;
  if (word < 0x00800000u) { word = bitcast<u32>(f32(word)); k -= 149; }
  word += 0x3f800000u - 0x3f3504f3u;
  k += i32(word >> 23u);
  return vec2<f32>(bitcast<f32>((word & 0x007fffffu) + 0x3f3504f3u) - 1.0, f32(k));
}`,
  // Where log, log2 and log10 have no finite value: the value, or 0.
  log_edge: `fn log_edge(x: f32) -> f32 {
  if (is_nan(x)) { return x; }
  if (is_zero(x)) { return -infinity(); }
  if (is_negative(x)) { return nan(); }
  if (is_infinite(x)) { return x; }
  return 0.0;
}`,

  log_f32: `fn log_f32(x: f32) -> f32 {
  let edge = log_edge(x);
  if (!is_zero(edge)) { return edge; }
  let parts = log_parts(x);
  return parts.y * 0.693138123 + (log1p_near_zero(parts.x) + parts.y * 9.0580006145e-6);
}`,
  log2_f32: `fn log2_f32(x: f32) -> f32 {
  let edge = log_edge(x);
  if (!is_zero(edge)) { return edge; }
  let parts = log_parts(x);
  return parts.y + log1p_near_zero(parts.x) * 1.44269504;
}`,
  log10_f32: `fn log10_f32(x: f32) -> f32 {
  let edge = log_edge(x);
  if (!is_zero(edge)) { return edge; }
  let parts = log_parts(x);
  return parts.y * 0.301029205 + (log1p_near_zero(parts.x) * 0.434294482 + parts.y * 7.9034151668e-7);
}`,
  // The rounding error of 1 + x comes back as its share of the logarithm.
  log1p_f32: `fn log1p_f32(x: f32) -> f32 {
  if (is_nan(x) || is_infinite(x)) { return select(x, nan(), is_negative(x)); }
  if (x <= -1.0) { return select(nan(), -infinity(), x == -1.0); }
  if (x > -0.29 && x < 0.41) { return log1p_near_zero(x); }
  let sum = 1.0 + x;
  let lost = select(x - (sum - 1.0), 1.0 - (sum - x), x > 1.0);
  let parts = log_parts(sum);
  return parts.y * 0.693138123 + (log1p_near_zero(parts.x) + (parts.y * 9.0580006145e-6 + lost / sum));
}`,

  xlogy_f32: `fn xlogy_f32(x: f32, y: f32) -> f32 {
  if (is_zero(x) && !is_nan(y)) { return 0.0; }
  return x * log_f32(y);
}`,
  // max + log(1 + exp(min - max)); two equal infinities have no difference.
  logaddexp_f32: `fn logaddexp_f32(a: f32, b: f32) -> f32 {
  if (is_nan(a) || is_nan(b)) { return nan(); }
  if (a == b) { return a + 0.693147181; }
  if (a > b) { return a + log1p_f32(exp_f32(b - a)); }
  return b + log1p_f32(exp_f32(a - b));
}`,
} as const;
