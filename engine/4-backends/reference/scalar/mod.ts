/** x - y·floor(x/y): the sign of y. NaN where y is 0 or x is infinite. */
export function mod(x: number, y: number): number {
  return x - y * Math.floor(x / y);
}

/** The same on 32-bit ints, and 0 for y = 0. */
export function modInt(x: number, y: number): number {
  if (y === 0) return 0;
  const remainder = x % y;
  return (remainder !== 0 && remainder < 0 !== y < 0 ? remainder + y : remainder) | 0;
}
