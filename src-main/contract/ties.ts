/** Several minima that are as low as each other: the data say nothing of which, nor of a parameter that is another in another. */
import type { Estimate } from '../../engine/index.ts';
import { digitsApart } from '../../models/notation/digits.ts';

interface Minimum {
  /** Whether none is lower, to rounding. */
  readonly asLow?: boolean | undefined;
  readonly parameters: ReadonlyMap<string, readonly number[]>;
}

/** Of its size, a difference that is none where no standard error says what is one. */
const SLIGHT = 1e-4;

/** The estimates, of which none is determined that is another in a minimum as low, by more than its standard error. */
export function untied(
  estimates: readonly Estimate[],
  minima: readonly Minimum[],
): (Estimate & { readonly tied?: true })[] {
  const equal = minima.filter(({ asLow }) => asLow);
  if (equal.length < 2) return [...estimates];
  const seen = new Map<string, number>();
  return estimates.map((estimate) => {
    const { parameter, value, standardError, fixed, atBound } = estimate;
    const element = seen.get(parameter) ?? 0;
    seen.set(parameter, element + 1);
    const values = [value, ...equal.flatMap(({ parameters }) => parameters.get(parameter)?.[element] ?? [])];
    const [least, most] = [Math.min(...values), Math.max(...values)];
    const one = Math.max(SLIGHT * Math.abs(value), Number.isFinite(standardError) ? standardError : 0);
    if (fixed || atBound || !(most - least > one)) return estimate;
    const reason = `not determined: ${equal.length} minima are as low as each other, with values from ${shortRange(least, most)}`;
    return { ...estimate, verdict: { status: 'none', reason }, tied: true };
  });
}

/** In four digits, as figures stand in sentences. */
export const short = (value: number, digits = 4): string => String(Number(value.toPrecision(digits)));

/** `2 to 3`, with the digits that tell its ends apart. */
export function shortRange(from: number, to: number): string {
  const digits = digitsApart([from, to], 4);
  return `${short(from, digits)} to ${short(to, digits)}`;
}
