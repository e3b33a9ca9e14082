/**
 * What is known of a parameter, in words: the one place that writes them, whichever method found its interval. Shares are
 * half of that interval, 95 % unless the study says otherwise, over the value.
 */
import type { Coordinate } from '../coordinates.ts';

export interface Verdict {
  readonly status: 'determined' | 'weak' | 'one-sided' | 'none';
  /** One sentence without its full stop: the finding, and after the first `;` or `:` what is to be said of it. */
  readonly reason: string;
}

/** Beyond this correlation two parameters are said to move together. */
const strongCorrelation = 0.95;
/** An interval that reaches further than half of the value to either side says little more than an order of magnitude. */
const weakShare = 0.5;
/** One that reaches no further than this is called well determined. */
const wellShare = 0.1;

export interface Known {
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
  readonly atBound?: 'lower' | 'upper' | undefined;
  /** What it is at there, where the value only nears it. */
  readonly bound?: number | undefined;
  /** Those with which it moves along a direction that the data do not determine. */
  readonly partners: readonly string[];
  /** The one that it is most correlated with. */
  readonly closest?: { readonly name: string; readonly correlation: number } | undefined;
  /** The interval is as far to either side by its making, and the parameter cannot be negative. */
  readonly symmetricThoughPositive?: boolean;
  /** What it cannot pass, while an interval that is symmetric by its making does. */
  readonly passed?: number | undefined;
  /** The objective does not change with it at all. */
  readonly idle?: boolean;
  /** Every row is met to rounding, and nothing else makes the interval. */
  readonly exact?: boolean | undefined;
  /** Why there is no interval, where it is none of the above. */
  readonly why?: string | undefined;
  /** Why nothing is known of it, where the data have not been asked. */
  readonly unasked?: string | undefined;
}

export function verdictOf(known: Known): Verdict {
  const { value, lower, upper, atBound, bound = value, partners, closest, symmetricThoughPositive, idle, why } = known;
  const passing =
    known.passed === undefined
      ? ''
      : `; symmetric by its making, though it cannot pass ${short(known.passed)}: take its profile`;
  const half = Math.max(upper - value, value - lower);
  if (idle) return idleVerdict;
  const moves = partners.length > 0 ? `: moves with ${listed(partners)}` : '';
  if (lower === -Infinity && upper === Infinity)
    return { status: 'none', reason: `not determined${moves || ': no value is excluded on either side'}` };
  if (atBound)
    return {
      status: 'one-sided',
      reason: `the fit lies at its ${atBound} bound ${short(bound)}: that end is the bound, not the data`,
    };
  if (lower === -Infinity || upper === Infinity) {
    const [side, end] = lower === -Infinity ? ['above', upper] : ['below', lower];
    if (Number.isNaN(end)) {
      const beyond = side === 'above' ? 'below' : 'above';
      return {
        status: 'none',
        reason: `not determined${moves || `: nothing is excluded ${beyond}, and its end ${side} is not known${why ? ` (${why})` : ''}`}`,
      };
    }
    return { status: 'one-sided', reason: `bounded only from ${side}, by ${short(end)}${moves}` };
  }
  if (known.exact) return { status: 'none', reason: `not determined${moves || `: ${NO_SCATTER}`}` };
  if (Number.isNaN(half) && known.unasked !== undefined) return notKnown(known.unasked);
  if (Number.isNaN(half))
    return { status: 'none', reason: `not determined${moves || `: ${why ?? 'it has no interval'}`}` };
  const strong = closest && Math.abs(closest.correlation) > strongCorrelation ? closest : undefined;
  const together = strong ? `; moves with ${strong.name} (correlation ${strong.correlation.toFixed(3)})` : '';
  const size = Math.abs(value);
  if (half <= weakShare * size) {
    const well = half <= wellShare * size ? 'well ' : '';
    return {
      status: 'determined',
      reason: `${well}determined, to ±${percent(half === 0 ? 0 : half / size)}${together}${passing}`,
    };
  }
  // Of 2,000 negative binomials 88 % of such intervals held the dispersion (docs/uncertainty.md); a profile is not so bound.
  const better = symmetricThoughPositive
    ? '; symmetric by its making, though it cannot be negative: take its profile'
    : passing;
  return {
    status: 'weak',
    reason: `weakly determined, ${rangeWithin(known)}${together}${better}`,
  };
}

/** An interval in words: an end at which the parameter cannot be is none. */
function rangeWithin({ value, lower, upper, passed = NaN, symmetricThoughPositive = false }: Known): string {
  if (upper > passed && value <= passed) return `from ${short(lower)} on`;
  if ((lower < passed && value >= passed) || (lower < 0 && symmetricThoughPositive)) return `up to ${short(upper)}`;
  const zero = lower <= 0 && upper >= 0 ? ', which includes 0' : '';
  return `between ${short(lower)} and ${short(upper)}${zero}`;
}

/** Of an interval that is open on one side: `around`, a value on the other side of it that is not excluded either. */
export function aroundInfinity(verdict: Verdict, around: number): Verdict {
  const words = `it goes on beyond infinity: what lies there, as ${short(around)}, is not excluded either`;
  return { ...verdict, reason: `${verdict.reason}; ${words}` };
}

/** Of an interval that reaches to a bound of the parameter, and ends elsewhere at the other side. */
export function boundedVerdict(side: 'lower' | 'upper', bound: number, other: number): Verdict {
  const [way, beyond] = side === 'lower' ? ['down', 'above'] : ['up', 'below'];
  const excluded = `not excluded ${way} to its ${side} bound ${short(bound)}`;
  return Number.isNaN(other)
    ? { status: 'none', reason: `not determined: ${excluded}, and its end ${beyond} is not known` }
    : { status: 'one-sided', reason: `${excluded}: only the other end comes from the data` };
}

/** Of one that reaches to both, with what the parameter moves with. */
export function unboundedVerdict(partners: readonly string[] = []): Verdict {
  const moves = partners.length > 0 ? `; moves with ${listed(partners)}` : '';
  return { status: 'none', reason: `not determined: no value within its bounds is excluded${moves}` };
}

/** About a point that is no minimum an interval would look as if it were one. */
export const unknownVerdict: Verdict = notKnown('the fit has not converged');

/** The data may determine it or not: nobody has seen. */
export function notKnown(why: string): Verdict {
  return { status: 'none', reason: `not known: ${why}` };
}

/** Why no spread of residuals is known without sigma, and so no error of anything. */
export const FEW_ROWS = 'there are no more observations than parameters';
/** Why a spread that is rounding tells nothing: errors of 0 are no knowledge. */
const NO_SCATTER = 'the data are met exactly, and tell nothing of their noise';

export const fixedVerdict: Verdict = { status: 'determined', reason: 'fixed by the document' };

export const idleVerdict: Verdict = {
  status: 'none',
  reason: 'not determined: the objective does not depend on it',
};

/** Of a range that is the parameter's by its nature, the end that an interval passes. */
export function passedBy(
  { parameter, lower, upper }: Pick<Coordinate, 'parameter' | 'lower' | 'upper'>,
  [from, to]: readonly [number, number],
): number | undefined {
  if (parameter.edge === undefined || parameter.freed || parameter.scale === 'log') return undefined;
  return to > upper ? upper : from < lower ? lower : undefined;
}

function percent(share: number): string {
  return `${Number((100 * share).toPrecision(2))} %`;
}

/** In four digits, as figures stand in sentences. */
export const short = (value: number): string => String(Number(value.toPrecision(4)));

export function listed(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** The element with the largest correlation to element j. */
export function closestTo(
  names: readonly string[],
  correlation: readonly (readonly number[])[],
  j: number,
): { name: string; correlation: number } | undefined {
  let best: { name: string; correlation: number } | undefined;
  names.forEach((name, i) => {
    const value = correlation[j]?.[i] ?? NaN;
    if (i !== j && Math.abs(value) > Math.abs(best?.correlation ?? 0)) best = { name, correlation: value };
  });
  return best;
}
