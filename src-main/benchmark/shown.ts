/** How figures are shown to people: no more digits than a measurement has. */

/** Three digits. */
export function figure(value: number): string {
  if (value === 0) return '0';
  const digits = Math.floor(Math.log10(Math.abs(value)));
  return value.toFixed(Math.max(0, 2 - digits));
}

export const milliseconds = (value: number): string => `${figure(value)} ms`;

/** As the paper's: one digit behind the point, two below one. */
export const ratio = (value: number): string => value.toFixed(value < 1 ? 2 : 1);

export const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;

/** 10³, or a number that is no power of ten. */
export function count(n: number): string {
  const exponent = Math.round(Math.log10(n));
  if (n < 1000 || 10 ** exponent !== n) return n.toLocaleString('en').replaceAll(',', ' ');
  return `10${[...String(exponent)].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]).join('')}`;
}
