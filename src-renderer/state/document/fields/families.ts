/** Families that a document names, with the numbers that each takes and what they begin at. */
import * as facts from '../../../../models/facts/families.ts';
import { isRecord, withEntry } from '../draft.ts';
import type { Read } from './number-fields.ts';
import { readNumbers, writeNumbers } from './number-fields.ts';

export type Family = Readonly<Record<string, number>>;

const begun = <N extends string>(families: Readonly<Record<N, { readonly begin: Family }>>) =>
  Object.fromEntries(Object.entries<{ readonly begin: Family }>(families).map(([name, { begin }]) => [name, begin]));

export const priors: Readonly<Record<string, Family>> = begun(facts.priors);
export const losses: Readonly<Record<string, Family>> = begun(facts.losses);

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
