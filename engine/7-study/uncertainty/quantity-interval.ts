/** What is said of a quantity, and of what: its interval by the covariance, and how an interval reads. */
import { listed, verdictOf, type Verdict } from '../../6-fit/report/verdict.ts';
import type { BandModel } from './bands.ts';
import { criticalValue, type Fitted, type StoredFit } from './fitted.ts';
import type { Flat } from './quantity-moves.ts';

/** A program each of whose results is a quantity, a scalar or an array of them. */
export interface QuantityModel extends BandModel {
  /** Of each quantity, the program's parameters and data that it reads. */
  readonly reads: ReadonlyMap<string, ReadonlySet<string>>;
  /** Free parameters that a quantity reads and the objective does not: nothing is known of such a quantity. */
  readonly unread: ReadonlyMap<string, readonly string[]>;
}

/** Of one element of a quantity. NaN where undefined, ±∞ where an interval has no end. */
export interface QuantityInterval {
  readonly quantity: string;
  readonly element: number;
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
  readonly standardError: number;
  readonly verdict: Verdict;
  readonly figures: Readonly<Record<string, number>>;
  /** Of a linearised one: by the free elements of the fit. */
  readonly gradient?: Float64Array;
  /** Of one that was drawn: by chain. */
  readonly series?: readonly Float64Array<ArrayBuffer>[];
}

/** By what the covariance says, of parameters or of `along` where these are not determined one by one. */
export interface AtFit {
  readonly quantity: string;
  readonly element: number;
  readonly value: number;
  /** By the parameters' own values. */
  readonly gradient: Float64Array;
  readonly standardError: number;
  /** Why it is not determined, where that is not the data. */
  readonly why?: string;
  /** Why its error is none, where all that has none is at a bound. */
  readonly held?: string;
  /** It is at its edge with what it is made of: a share that is 0. */
  readonly atEdge?: true;
  /** Elements that it reads and that are tied, in whose errors they are one. */
  readonly tied?: string;
  /** What it is made of that the data do not determine. */
  readonly loose?: readonly string[];
  /** Its slope is nothing beside how it moves. */
  readonly flat?: Flat | undefined;
  /** No free parameter moves it. */
  readonly constant?: true;
  /** Of random effects that are integrated out. */
  readonly ofEffects?: true;
  /** Its error is rounding, as every row is met. */
  readonly exact?: true;
}

/** `by`: what tells more, in the words of its choice. */
const withoutSlope = ({ jumps }: Flat, by: string): string =>
  `${jumps ? 'it moves by jumps' : 'its slope is 0 where the fit ended, or nearly'}: ${by}`;

export function linearised(
  fitted: Fitted<StoredFit>,
  { value, standardError, held, flat, why = held, ...known }: AtFit,
  level: number,
): QuantityInterval {
  if (known.constant) return constantOf({ value, ...known });
  const half = criticalValue(fitted, level) * standardError;
  if (flat && known.loose?.length === 0)
    why ??= withoutSlope(flat, flat.jumps ? 'the bootstrap tells its interval' : 'its profile tells its interval');
  const interval = intervalOf({ ...known, value, standardError, lower: value - half, upper: value + half, why });
  const { verdict } = interval;
  const words =
    known.tied === undefined || verdict.status === 'none' ? '' : `; ${known.tied}, and have the error of one`;
  return { ...interval, verdict: { ...verdict, reason: verdict.reason + words }, gradient: known.gradient };
}

/** What no free parameter moves is as sure as what is fixed. */
export const constantOf = ({
  quantity,
  element,
  value,
}: Pick<AtFit, 'quantity' | 'element' | 'value'>): QuantityInterval => ({
  ...{ quantity, element, value, lower: value, upper: value, standardError: 0, figures: {} },
  verdict: { status: 'determined', reason: 'no free parameter moves it' },
});

export function intervalOf({
  quantity,
  element,
  value,
  lower,
  upper,
  standardError,
  why,
  loose = [],
  figures = {},
  exact,
}: Omit<QuantityInterval, 'verdict' | 'figures'> & {
  readonly why?: string | undefined;
  readonly loose?: readonly string[] | undefined;
  readonly figures?: QuantityInterval['figures'];
  readonly exact?: boolean | undefined;
}): QuantityInterval {
  // A share is not made of itself.
  const of = loose.filter((name) => name !== quantity);
  const verdict = verdictOf({
    value,
    lower,
    upper,
    partners: [],
    exact,
    why: why ?? `the data do not determine ${of.length > 0 ? `${listed(of)}, of which it is made` : 'it'}`,
  });
  return { quantity, element, value, lower, upper, standardError, verdict, figures };
}

export const withNote = (interval: QuantityInterval, note: string): QuantityInterval => {
  const { status, reason } = interval.verdict;
  return { ...interval, verdict: { status, reason: `${reason}; ${note}` } };
};
