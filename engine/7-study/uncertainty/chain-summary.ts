/**
 * What draws of several chains say of each free element: where they lie, whether the chains agree, and how much they are worth.
 * Intervals are equal-tailed quantiles of the draws.
 */
import { numbers } from '../../6-fit/algebra/vectors.ts';
import { sortedQuantile } from '../../6-fit/ensembles/random.ts';
import { closestTo, listed, notKnown, short, verdictOf, type Known, type Verdict } from '../../6-fit/report/verdict.ts';
import type { Chain } from '../chains/chain.ts';
import { apart, joined, mixingOf, momentsOf, monteCarloErrors, type Mixing } from '../chains/diagnostics.ts';
import { divergencesBy } from './divergences.ts';
import type { Fitted } from './fitted.ts';
import { mostLookedAt, type ElementInterval } from './problem.ts';
import type { Transform } from './unconstrained.ts';

/** Of one chain: its draws, unconstrained, and whether the trajectory of each diverged. */
export type Drawn = Pick<Chain, 'draws' | 'divergent'>;

export interface ChainSummary {
  /** Draws of each chain. */
  readonly length: number;
  readonly intervals: readonly ElementInterval[];
  /** By element and chain: unconstrained, and in the parameters' own values. */
  readonly inV: readonly (readonly Float64Array[])[];
  readonly series: readonly (readonly Float64Array<ArrayBuffer>[])[];
  /** By chain and draw. */
  readonly divergent: readonly (readonly boolean[])[];
  /** Divergences, by the element that tells most of them apart. */
  readonly placed: readonly number[];
  readonly mixings: readonly Mixing[];
  readonly correlation: readonly (readonly number[])[];
}

/** `heed` is called before each part of the work, and may throw. */
export function summaryOf(
  { names }: Pick<Fitted, 'names'>,
  transforms: readonly Transform[],
  chains: readonly Drawn[],
  level: number,
  partners: readonly (readonly string[])[],
  heed: () => void,
): ChainSummary {
  const length = Math.min(...chains.map(({ draws }) => draws.length));
  const inV = names.map((_, j) => chains.map(({ draws }) => numbers(length, (k) => draws[k]![j]!)));
  const series = inV.map((own, j) => own.map((chain) => chain.map((v) => transforms[j]!.toValue(v))));
  const divergent = chains.map((chain) => chain.divergent.slice(0, length));
  heed();
  const placed = divergencesBy(inV, divergent);
  const mixings = series.map((own) => {
    heed();
    return mixingOf(own);
  });
  heed();
  const correlation = correlationsOf(series);
  const intervals = series.map((own, j) => {
    heed();
    const sorted = joined(own).sort();
    const { mean, deviation } = momentsOf(own);
    const [lower, upper] = [sortedQuantile(sorted, (1 - level) / 2), sortedQuantile(sorted, (1 + level) / 2)];
    const mixing = mixings[j]!;
    const known = { value: sortedQuantile(sorted, 0.5), lower, upper, partners: partners[j] ?? [] };
    const verdict = mixed(
      mixing.rHat,
      verdictOf({ ...known, closest: closestTo(names, correlation, j), unasked: tooFew }),
      known,
    );
    const errors = monteCarloErrors(own);
    return {
      lower,
      upper,
      verdict,
      figures: {
        mean,
        median: known.value,
        standardDeviation: deviation,
        mcseMean: errors.mean,
        mcseStandardDeviation: errors.standardDeviation,
        ...mixing,
        divergences: placed[j]!,
      },
    };
  });
  return { length, intervals, inV, series, divergent, placed, mixings, correlation };
}

/** Of chains that were stopped, however long they are, as many draws as can be looked at: the last of every so many. */
export function lookedAt(chains: readonly Drawn[], elements: number): Drawn[] {
  const length = Math.min(...chains.map(({ draws }) => draws.length));
  const every = Math.ceil(length / mostLookedAt(chains.length * elements)) || 1;
  const of = <T>(all: readonly T[]): T[] =>
    Array.from({ length: Math.floor(length / every) }, (_, k) => all[every * (k + 1) - 1]!);
  return chains.map(({ draws, divergent }) => ({ draws: of(draws), divergent: of(divergent) }));
}

const tooFew = 'no chain has made enough draws';

/** Chains that disagree say that the posterior has not been seen. */
function mixed(
  rHat: number,
  verdict: Verdict,
  { partners, lower, upper }: Pick<Known, 'partners' | 'lower' | 'upper'>,
): Verdict {
  if (partners.length > 0)
    return { status: 'none', reason: `not determined by the data alone: moves with ${listed(partners)}` };
  if (verdict.status === 'none') return verdict;
  // Of a few draws an interval is as narrow as they are.
  if (Number.isNaN(rHat)) return notKnown(tooFew);
  if (rHat <= apart) return verdict;
  const reason = `the chains disagree about it (R-hat ${rHat.toFixed(2)}): what they drew lies between ${short(lower)} and ${short(upper)}`;
  return { status: 'weak', reason };
}

export function correlationsOf(series: readonly (readonly Float64Array[])[]): number[][] {
  const standardised = series.map((own) => {
    const { mean, deviation, size } = momentsOf(own);
    return joined(own).map((x) => (x - mean) / (deviation * Math.sqrt(size - 1)));
  });
  const between = (x: Float64Array, y: Float64Array): number => {
    if (x.length === 0) return NaN;
    let total = 0;
    for (let k = 0; k < x.length; k++) total += x[k]! * y[k]!;
    return total;
  };
  const below = standardised.map((x, i) => standardised.slice(0, i).map((y) => between(x, y)));
  return below.map((row, i) => below.map((other, j) => (i === j ? 1 : (j < i ? row[j] : other[i])!)));
}
