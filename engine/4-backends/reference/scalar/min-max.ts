/** NaN if either is NaN; the first operand on ties, so min(0, -0) is 0 and min(-0, 0) is -0. */
export function min(a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return NaN;
  return b < a ? b : a;
}

/** NaN if either is NaN; the first operand on ties. */
export function max(a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return NaN;
  return b > a ? b : a;
}

/** min(max(x, low), high) */
export function clamp(x: number, low: number, high: number): number {
  return min(max(x, low), high);
}
