const integral = 2 ** 52;

/** To the nearest integer, a half to the even one; keeps the sign of zero. */
export function round(x: number): number {
  const magnitude = Math.abs(x);
  if (!(magnitude < integral)) return x;
  // Beyond 2⁵² doubles are integers, so the addition itself rounds, half to even.
  const rounded = magnitude + integral - integral;
  return x < 0 || Object.is(x, -0) ? -rounded : rounded;
}
