/** real to int: toward zero, saturating, NaN to 0. A bool is 0 or 1 already. */
export function toInt(x: number): number {
  if (Number.isNaN(x)) return 0;
  return Math.min(2147483647, Math.max(-2147483648, x)) | 0;
}
