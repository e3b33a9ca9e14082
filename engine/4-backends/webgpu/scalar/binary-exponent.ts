/** x = m·2ᵉ with ½ ≤ |m| < 1, by the bits; a zero, an infinity and a NaN are their own mantissas, their exponent is 0. */
export const binaryExponent = {
  // The places by which a subnormal number is to be shifted for its leading bit to become the hidden one; else 0.
  missing_places: `fn missing_places(magnitude: u32) -> u32 { return max(countLeadingZeros(magnitude), 8u) - 8u; }`,

  mantissa_f32: `fn mantissa_f32(x: f32) -> f32 {
  let all = bitcast<u32>(x);
  let magnitude = all & 0x7fffffffu;
  if (magnitude == 0u || magnitude >= 0x7f800000u) { return x; }
  let fraction = (magnitude << missing_places(magnitude)) & 0x007fffffu;
  return bitcast<f32>((all & 0x80000000u) | 0x3f000000u | fraction);
}`,
  exponent_f32: `fn exponent_f32(x: f32) -> f32 {
  let magnitude = bitcast<u32>(x) & 0x7fffffffu;
  if (magnitude == 0u || magnitude >= 0x7f800000u) { return 0.0; }
  let places = missing_places(magnitude);
  return f32(select(i32(magnitude >> 23u) - 126, -125 - i32(places), places > 0u));
}`,
  // Three equal steps reach from the smallest number to beyond the largest.
  scale_f32: `fn scale_f32(x: f32, k: f32) -> f32 {
  let n = clamp(int_f32(k), -375, 375);
  let third = n / 3;
  return x * two_to(third) * two_to(third) * two_to(n - 2 * third);
}`,
} as const;
