/** A report of uncertainty as its panel shows it: rows, sentences, curves. */
import { elpdLooFact, listedStatistics, type StatisticName } from '../../../models/facts/figures.ts';
import type { UncertaintyReport } from '../../../src-main/contract/studies.ts';
import {
  alternating,
  chainsAgree,
  determinedSentence,
  errorsSentence,
  isAlternating,
} from '../../../src-main/contract/verdicts.ts';
import { formatInterval, formatNumber, type Digits } from '../words/number-format.ts';
import type { Tone } from '../fit/outcome.ts';
import { verdictTone } from '../fit/outcome.ts';

export type UncertaintyRow = UncertaintyReport['parameters'][number];

/** `1.28 to 1.57`, `below 0.145`, `above 3`. */
export function intervalText(lower: number, upper: number, digits: Digits = 'usual'): string {
  if (Number.isNaN(lower) || Number.isNaN(upper)) return '–';
  if (lower === -Infinity && upper === Infinity) return 'anything';
  if (lower === -Infinity) return `below ${formatNumber(upper, digits)}`;
  if (upper === Infinity) return `above ${formatNumber(lower, digits)}`;
  return formatInterval(lower, upper, digits);
}

const figureNames = new Map([
  ['standardError', 'se'],
  ['bias', 'bias'],
  ['mean', 'mean'],
  ['median', 'median'],
  ['standardDeviation', 'sd'],
  ['rHat', 'R-hat'],
  ['mcseMean', 'MCSE of mean'],
  ['mcseStandardDeviation', 'MCSE of sd'],
  ['essBulk', 'ESS bulk'],
  ['essTail', 'ESS tail'],
  ['divergences', 'divergences'],
]);

/** What the method knows of each parameter beside its interval. */
export function figureColumns(report: UncertaintyReport): { readonly key: string; readonly name: string }[] {
  const keys = report.parameters.flatMap(({ figures }) => Object.keys(figures));
  return [...new Set(keys)].map((key) => ({ key, name: figureNames.get(key) ?? key }));
}

/** A figure of one number. */
export function figureOf({ figures }: Pick<UncertaintyRow, 'figures'>, key: string): number {
  const value = Object.hasOwn(figures, key) ? figures[key] : undefined;
  return typeof value === 'number' ? value : NaN;
}

export interface Fact {
  readonly name: string;
  readonly value: string;
  readonly tone: Tone;
  /** What it says, where a number alone does not. */
  readonly says?: string;
}

const doubtful = 0.05;

const testSays = new Map<StatisticName, readonly [good: string, bad: string]>([
  ['runsTestP', ['residuals change sign as at random', 'residuals keep their sign too long: the model misses a shape']],
  ['normalityP', ['residuals look normal', 'residuals are not normal: look at the Q–Q plot']],
]);

/** Of the fit as a whole. */
export function statisticFacts({ statistics, conditionNumber }: UncertaintyReport): Fact[] {
  const facts = listedStatistics().flatMap(({ key, title, short = title }): Fact[] => {
    const value = Object.hasOwn(statistics, key) ? statistics[key] : undefined;
    if (value === undefined || Number.isNaN(value)) return [];
    const against = key === 'reducedChiSquared' ? errorsSentence(statistics) : undefined;
    if (against !== undefined)
      return [{ name: short, value: formatNumber(value, 'fine'), tone: 'caution', says: against }];
    const says = testSays.get(key);
    const bad = says !== undefined && value < doubtful;
    return [
      {
        name: short,
        value: formatNumber(value, 'fine'),
        tone: bad ? 'caution' : 'ok',
        ...(says && {
          says:
            bad && key === 'runsTestP' && isAlternating(statistics) ? `residuals ${alternating}` : says[bad ? 1 : 0],
        }),
      },
    ];
  });
  if (conditionNumber === undefined || Number.isNaN(conditionNumber)) return facts;
  const large = conditionNumber > 1000;
  const says = large ? 'some combination of parameters is hardly seen by the data' : 'the data see every direction';
  return [
    ...facts,
    {
      name: 'condition number, scaled',
      value: formatNumber(conditionNumber, 'rough'),
      tone: large ? 'caution' : 'ok',
      says,
    },
  ];
}

const diagnosticNames = new Map([
  ['replicates', 'replicates fitted'],
  ['failed', 'replicates that failed'],
  ['chains', 'chains'],
  ['draws', 'draws of each'],
  ['divergences', 'divergences'],
  ['deepestTrajectories', 'trajectories cut at depth 10'],
  ['largestRHat', 'largest R-hat'],
  ['runaways', 'parameters without end'],
  ['smallestEss', 'smallest ESS'],
  ['gradients', 'gradients, draws'],
  ['warmupGradients', 'gradients, warm-up'],
  ['elpdLoo', elpdLooFact.title],
  ['elpdLooStandardError', 'its standard error'],
  ['pLoo', 'effective parameters'],
  ['elpdWaic', 'ELPD, WAIC'],
  ['pWaic', 'effective parameters, WAIC'],
  ['observations', 'observations'],
  ['largestParetoK', 'largest Pareto k'],
  ['paretoKAbove', 'observations with k above 0.7'],
]);

const harmful = ['failed', 'divergences', 'runaways', 'paretoKAbove'];

/** Of the method. */
export function diagnosticFacts({ diagnostics, loo = {}, predictive = [] }: UncertaintyReport): Fact[] {
  const facts = Object.entries({ ...diagnostics, ...loo }).map(([key, value]): Fact => {
    const bad = key === 'largestRHat' ? value > 1.01 : harmful.includes(key) && value > 0;
    return {
      name: diagnosticNames.get(key) ?? key,
      value: formatNumber(value, 'fine'),
      tone: bad ? 'caution' : 'ok',
    };
  });
  return [...facts, ...predictive.flatMap(predictiveFacts)];
}

const checkNames = new Map([
  ['mean', 'mean'],
  ['standardDeviation', 'sd'],
  ['minimum', 'smallest'],
  ['maximum', 'largest'],
]);

function predictiveFacts({ block, checks }: NonNullable<UncertaintyReport['predictive']>[number]): Fact[] {
  return Object.entries(checks).map(([key, share]) => {
    const unlike = Math.min(share, 1 - share) < doubtful / 2;
    return {
      name: `${block}: ${checkNames.get(key) ?? key} of data drawn again, share at or above`,
      value: formatNumber(share, 'rough'),
      tone: unlike ? 'caution' : 'ok',
      ...(unlike && { says: 'the model hardly makes such data' }),
    };
  });
}

/** One sentence on the whole, after the outcome's word. */
export function determinedText(report: UncertaintyReport): string {
  const { method, parameters, fit, cancelled } = report;
  if (cancelled) {
    const found = parameters.some(({ fixed, lower, upper }) => !fixed && !(Number.isNaN(lower) && Number.isNaN(upper)));
    return found ? 'What was found until then stands here.' : 'It was stopped before anything was found.';
  }
  if (fit.status !== 'converged' && method !== 'hmc')
    return `The fit did not converge, so nothing is known of the intervals: ${fit.reason}.`;
  if (report.diagnostics['runaways'])
    return 'The posterior may not be proper, so these are no intervals of it: read what stands below.';
  if (!chainsAgree(report))
    return 'The chains do not agree, so these are not yet the posterior: read what stands below.';
  return determinedSentence(parameters);
}

export interface ProfilePlot {
  readonly name: string;
  /** Squared: the excess of −2·log-likelihood in units of its scale; else the signed root. */
  readonly points: readonly { readonly x: number; readonly y: number }[];
  /** What covariance would have: a parabola, or a line; empty where there is no standard error. */
  readonly quadratic: readonly { readonly x: number; readonly y: number }[];
  readonly cutoffs: readonly number[];
  readonly squared: boolean;
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
  readonly tone: Tone;
}

/** Beyond this many times the cut-off nothing more is learnt from a profile. */
const highest = 1.9;

const substeps = 10;

/** The signed root is nearly a line, so that between points it may be taken for one (as R's `confint` does). */
function between(values: readonly number[], roots: readonly number[]): { readonly x: number; readonly root: number }[] {
  return values.flatMap((x, i) => {
    const [next, root] = [values[i + 1], roots[i]!];
    if (next === undefined) return [{ x, root }];
    return Array.from({ length: substeps }, (_, k) => ({
      x: x + ((next - x) * k) / substeps,
      root: root + ((roots[i + 1]! - root) * k) / substeps,
    }));
  });
}

export function profilePlots(
  report: UncertaintyReport,
  squared: boolean,
  errors: ReadonlyMap<string, number>,
): ProfilePlot[] {
  const { profiles = [], cutoff = NaN } = report;
  return profiles.flatMap(({ name, values, roots }): ProfilePlot[] => {
    const row = report.parameters.find((other) => other.name === name);
    if (!row) return [];
    const { value, lower, upper, verdict } = row;
    const height = (root: number) => (squared ? root * root : root);
    const within = (root: number) => !Number.isFinite(cutoff) || root * root <= highest * cutoff * cutoff;
    // Where an interval has no end, four times its other side is enough to see that.
    const sides = [value - lower, upper - value].filter((side) => Number.isFinite(side) && side > 0);
    const reach = sides.length === 1 ? 4 * sides[0]! : Infinity;
    const points = between(values, roots).flatMap(({ x, root }) =>
      within(root) && Math.abs(x - value) <= reach ? [{ x, y: height(root) }] : [],
    );
    const error = errors.get(name) ?? NaN;
    const [from, to] = [Math.min(...points.map(({ x }) => x)), Math.max(...points.map(({ x }) => x))];
    const grid = Array.from({ length: 41 }, (_, i) => from + ((to - from) * i) / 40);
    const quadratic = Number.isFinite(error)
      ? grid.flatMap((x) => {
          const root = (x - value) / error;
          return within(root) ? [{ x, y: height(root) }] : [];
        })
      : [];
    const cutoffs = Number.isNaN(cutoff) ? [] : squared ? [cutoff * cutoff] : [-cutoff, cutoff];
    return [{ name, points, quadratic, cutoffs, squared, value, lower, upper, tone: verdictTone(verdict.status) }];
  });
}

/** The pair of free elements that move together most. */
export function closestPair({ correlation = [] }: UncertaintyReport): readonly [number, number] | undefined {
  let best: readonly [number, number] | undefined;
  let most = -1;
  correlation.forEach((row, i) =>
    row.slice(0, i).forEach((value, j) => {
      if (Math.abs(value) > most) [best, most] = [[i, j], Math.abs(value)];
    }),
  );
  return best;
}
