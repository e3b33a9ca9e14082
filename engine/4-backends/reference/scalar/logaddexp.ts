/** log(exp(a) + exp(b)) = max + log(1 + exp(min - max)); -∞ for two -∞, ∞ if either is. */
export function logaddexp(a: number, b: number): number {
  if (a === b) return a + Math.LN2;
  return a > b ? a + Math.log1p(Math.exp(b - a)) : b + Math.log1p(Math.exp(a - b));
}
