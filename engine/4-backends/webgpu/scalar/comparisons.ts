/** Comparisons are false with a NaN (ne: true); min and max give it on, and the first operand on ties. */
export const comparisons = {
  lt_f32: `fn lt_f32(x: f32, y: f32) -> bool { return x < y && !is_nan(x) && !is_nan(y); }`,
  le_f32: `fn le_f32(x: f32, y: f32) -> bool { return x <= y && !is_nan(x) && !is_nan(y); }`,
  eq_f32: `fn eq_f32(x: f32, y: f32) -> bool { return x == y && !is_nan(x) && !is_nan(y); }`,

  min_f32: `fn min_f32(x: f32, y: f32) -> f32 {
  if (is_nan(x) || is_nan(y)) { return nan(); }
  return select(x, y, y < x);
}`,
  max_f32: `fn max_f32(x: f32, y: f32) -> f32 {
  if (is_nan(x) || is_nan(y)) { return nan(); }
  return select(x, y, y > x);
}`,
  clamp_f32: `fn clamp_f32(x: f32, low: f32, high: f32) -> f32 { return min_f32(max_f32(x, low), high); }`,
  min_i32: `fn min_i32(x: i32, y: i32) -> i32 { return select(x, y, y < x); }`,
  max_i32: `fn max_i32(x: i32, y: i32) -> i32 { return select(x, y, y > x); }`,
  clamp_i32: `fn clamp_i32(x: i32, low: i32, high: i32) -> i32 { return min_i32(max_i32(x, low), high); }`,

  sign_f32: `fn sign_f32(x: f32) -> f32 {
  if (is_nan(x) || is_zero(x)) { return x; }
  return select(1.0, -1.0, is_negative(x));
}`,
} as const;
