/** Whole numbers: rounding, remainders, conversion. */
export const rounding = {
  // WGSL's round is half to even too, but some drivers lose the sign of a zero.
  round_f32: `fn round_f32(x: f32) -> f32 {
  if (!(abs(x) < 8388608.0)) { return x; }
  let below = floor(x);
  let past = x - below;
  let odd = (i32(below) & 1) == 1;
  return with_sign_of(select(below, below + 1.0, past > 0.5 || (past == 0.5 && odd)), x);
}`,

  // x - y*floor(x/y), right while the quotient is below 2^24. A quotient that was rounded across a whole number leaves
  // the remainder one y too far.
  mod_f32: `fn mod_f32(x: f32, y: f32) -> f32 {
  let remainder = fma(-y, floor(x / y), x);
  if (remainder != 0.0 && (remainder < 0.0) != (y < 0.0)) { return remainder + y; }
  if (abs(remainder) >= abs(y) && abs(x) >= abs(y)) { return remainder - y; }
  return remainder;
}`,
  // WGSL's % has the sign of x, and leaves division by zero and -2147483648 % -1 to the driver.
  mod_i32: `fn mod_i32(x: i32, y: i32) -> i32 {
  if (y == 0 || y == -1) { return 0; }
  let remainder = x % y;
  return select(remainder, remainder + y, remainder != 0 && (remainder < 0) != (y < 0));
}`,

  // Toward zero, saturating, NaN to 0.
  int_f32: `fn int_f32(x: f32) -> i32 {
  if (is_nan(x)) { return 0; }
  if (x >= 2147483648.0) { return 2147483647; }
  if (x < -2147483648.0) { return -2147483647 - 1; }
  return i32(x);
}`,
} as const;
