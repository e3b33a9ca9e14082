/** Families that a document names, with the numbers that each takes and what they begin at. */
import { isRecord, withEntry } from './draft.ts';
import type { Read } from './number-fields.ts';
import { readNumbers, writeNumbers } from './number-fields.ts';

export type Family = Readonly<Record<string, number>>;

export const priors: Readonly<Record<string, Family>> = {
  normal: { mean: 0, sd: 1 },
  'log-normal': { mean: 0, sd: 1 },
  uniform: { lower: 0, upper: 1 },
  gamma: { shape: 2, rate: 1 },
  beta: { alpha: 2, beta: 2 },
  cauchy: { location: 0, scale: 1 },
  exponential: { rate: 1 },
  'half-normal': { sd: 1 },
  'half-cauchy': { scale: 1 },
  'student-t': { location: 0, scale: 1, degrees: 4 },
  'inverse-gamma': { shape: 2, scale: 1 },
  laplace: { location: 0, scale: 1 },
};

/** ρ(r²) in place of r², with the scale beyond which a residual counts less. */
export const losses: Readonly<Record<string, Family>> = {
  huber: { scale: 1 },
  'soft-l1': { scale: 1 },
  cauchy: { scale: 1 },
};

/** The family that a value names under the key `tag`, and its numbers as fields show them; no name where it has none. */
export function chosenFamily(
  families: Readonly<Record<string, Family>>,
  tag: string,
  value: unknown,
): { readonly name: string; readonly numbers: readonly { readonly key: string; readonly text: string }[] } {
  const name = isRecord(value) ? String(value[tag]) : '';
  const numbers = Object.hasOwn(families, name) ? Object.keys(families[name]!) : [];
  return {
    name,
    numbers: numbers.map((key) => ({ key, text: writeNumbers(isRecord(value) ? value[key] : undefined) })),
  };
}

/** A family with the numbers that it begins at; undefined for the choice of none. */
export function beginFamily(
  families: Readonly<Record<string, Family>>,
  tag: string,
  name: string,
): Readonly<Record<string, unknown>> | undefined {
  return Object.hasOwn(families, name) ? { [tag]: name, ...families[name] } : undefined;
}

/** A value with the number that was typed for one of its keys, or why it cannot be taken. */
export function withNumber(value: unknown, key: string, text: string): Read {
  const read = readNumbers(text);
  if (!read.ok) return read;
  if (read.value === undefined) return { ok: false, message: 'Wanted a number.' };
  return { ok: true, value: withEntry(value, key, read.value) };
}
