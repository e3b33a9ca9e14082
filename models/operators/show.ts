/** Elements as text, in counter-examples. */
import type { Element } from './draw.ts';

export function showElement(element: Element, digits = 6): string {
  const parts = element.map((value) => showNumber(value, digits));
  return parts.length === 1 ? (parts[0] ?? '') : `(${parts.join(', ')})`;
}

/** Two elements with as many digits as it takes to tell them apart. */
export function showApart(left: Element, right: Element): [string, string] {
  const short: [string, string] = [showElement(left), showElement(right)];
  return short[0] === short[1] ? [showElement(left, 17), showElement(right, 17)] : short;
}

function showNumber(value: number, digits: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  return Number.isFinite(value) ? String(Number(value.toPrecision(digits))) : String(value);
}
