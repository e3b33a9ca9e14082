/** f32 by its bits: the tests that a compiler which assumes that there is no NaN cannot take away. */
export const bits = {
  // The host passes both in the parameter block: WGSL refuses constants that are not finite.
  infinity: `fn infinity() -> f32 { return bitcast<f32>(p[0].z); }`,
  // A zero that no compiler knows to be one.
  zero: `fn zero() -> f32 { return bitcast<f32>(p[0].z - 0x7f800000i); }`,
  hidden: `fn hidden(x: f32) -> f32 { return bitcast<f32>(bitcast<i32>(x) | (p[0].z - 0x7f800000i)); }`,
  nan: `fn nan() -> f32 { return bitcast<f32>(p[0].w); }`,

  self_difference: `fn self_difference(x: f32) -> f32 { return zero() * abs(x); }`,
  self_quotient: `fn self_quotient(x: f32) -> f32 { return select(1.0 + zero() * abs(x), nan(), is_zero(x)); }`,

  is_nan: `fn is_nan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }`,
  is_infinite: `fn is_infinite(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) == 0x7f800000u; }`,
  is_zero: `fn is_zero(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) == 0u; }`,
  is_negative: `fn is_negative(x: f32) -> bool { return bitcast<u32>(x) >= 0x80000000u; }`,
  with_sign_of: `fn with_sign_of(x: f32, y: f32) -> f32 {
  return bitcast<f32>((bitcast<u32>(x) & 0x7fffffffu) | (bitcast<u32>(y) & 0x80000000u));
}`,
  upper_half: `fn upper_half(x: f32) -> f32 { return bitcast<f32>(bitcast<u32>(x) & 0xfffff000u); }`,

  // -126 <= n <= 127
  two_to: `fn two_to(n: i32) -> f32 { return bitcast<f32>(u32(n + 127) << 23u); }`,
  // In two steps, so that neither factor over- or underflows: |n| <= 252.
  scale_by_two_to: `fn scale_by_two_to(x: f32, n: i32) -> f32 {
  let half = n / 2;
  return x * two_to(half) * two_to(n - half);
}`,
} as const;
