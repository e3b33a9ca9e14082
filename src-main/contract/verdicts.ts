/**
 * What is known of each parameter, told in one vocabulary by window, report and command line. The sentences are the
 * engine's (`engine/6-fit/report/verdict.ts`); here a better method's verdict takes the weaker one's place, and says so.
 */
import { uncertaintyFacts, type UncertaintyMethod } from '../../models/facts/methods.ts';
import type { FitReport } from './contract.ts';
import type { StudyReport, UncertaintyReport } from './studies.ts';
import { shortRange } from './ties.ts';

export type Verdict = UncertaintyReport['parameters'][number]['verdict'];

const verdictWords: { readonly [S in Verdict['status']]: string } = {
  determined: 'determined',
  weak: 'weak',
  'one-sided': 'one-sided',
  none: 'not determined',
};

/** The finding in a word. What nobody has asked the data they do not leave undetermined. */
export const verdictWord = ({ status, reason }: Verdict): string =>
  reason.startsWith('not known') ? 'not known' : verdictWords[status];

/** The scale on which verdicts are compared. */
const usualLevel = 0.95;

export interface Known {
  readonly name: string;
  readonly fixed: boolean;
  readonly verdict: Verdict;
  /** What found it, where that was not the fit itself, and the limits that it is of. */
  readonly by?: UncertaintyMethod | undefined;
  readonly lower95?: number;
  readonly upper95?: number;
}

/** R-hat beyond which, and where it is not known, chains have not converged to one distribution. */
const apart = 1.05;

/** Whether a study's draws are of one distribution, where it has chains: they agree, and none moves away without end. */
export const chainsAgree = ({ method, diagnostics }: Pick<UncertaintyReport, 'method' | 'diagnostics'>): boolean =>
  method !== 'hmc' || ((diagnostics['largestRHat'] ?? NaN) <= apart && !diagnostics['runaways']);

/** What tells more of a fit than it tells itself, the most trusted first. Chains that do not agree tell nothing yet. */
const studied = (studies: readonly StudyReport[]): UncertaintyReport[] =>
  studies
    .flatMap((study) => (study.kind === 'uncertainty' ? study : []))
    .filter(({ level, cancelled, fit: { status } }) => level === usualLevel && !cancelled && status === 'converged')
    .filter(chainsAgree)
    .sort((a, b) => uncertaintyFacts[b.method].trust - uncertaintyFacts[a.method].trust);

/** Of a quantity, by the best of the studies; undefined where none tells of it. */
export function bestOfQuantity(
  name: string,
  studies: readonly StudyReport[],
): (Pick<Known, 'verdict' | 'by'> & { readonly lower: number; readonly upper: number }) | undefined {
  for (const { method, quantities = [] } of studied(studies)) {
    const found = quantities.find((row) => row.name === name);
    if (found) return { verdict: found.verdict, by: method, lower: found.lower, upper: found.upper };
  }
  return undefined;
}

/** Of the parameters of a fit, each by the best of the studies that stand beside it. */
export function bestVerdicts(fit: FitReport, studies: readonly StudyReport[]): Known[] {
  const found = studied(studies);
  return fit.estimates.map(({ name, fixed, verdict, tied }): Known => {
    for (const { method, parameters } of fixed || tied ? [] : found) {
      const better = parameters.find((row) => row.name === name);
      if (!better) continue;
      const { verdict, lower, upper } = better;
      return { name, fixed, verdict, by: method, lower95: lower, upper95: upper };
    }
    return { name, fixed, verdict };
  });
}

/** The reason, and by what it is known where that was not the fit itself. */
export function verdictText({ verdict, by }: Pick<Known, 'verdict' | 'by'>): string {
  return by ? `${verdict.reason} (${uncertaintyFacts[by].inSentence})` : verdict.reason;
}

/**
 * The same in two parts: what was found, and why or what of it, where there is room for that. The engine joins clauses, of
 * which the first is the finding (`engine/6-fit/report/verdict.ts`).
 */
export function verdictParts(known: Pick<Known, 'verdict' | 'by'>): {
  readonly headline: string;
  readonly detail: string;
} {
  const [, headline = '', detail = ''] = /^(.*?)(?:[;:] (.*))?$/s.exec(verdictText(known)) ?? [];
  return { headline, detail };
}

export type Misfit = NonNullable<FitReport['misfits']>[number];

/** Where a fit misses a shape, in one sentence for the headline; empty where it misses none. */
export function missedSentence(misfits: readonly Misfit[] = []): string {
  const [first] = [...misfits].sort((a, b) => a.p - b.p);
  if (!first) return '';
  const { p, x, unit, ranges } = first;
  const [range] = ranges;
  const keys = new Set(ranges.map(({ key }) => key));
  const whose = keys.size > 1 ? ` in ${keys.size} groups` : range?.key == null ? '' : ` of ${range.key}`;
  const where =
    range && ranges.length === 1
      ? `, ${x} ${shortRange(range.from, range.to)}${unit && ` ${unit}`}`
      : ranges.length > 1 && keys.size === 1
        ? `, in ${ranges.length} stretches`
        : '';
  const others = misfits.length > 1 ? `, in ${misfits.length} objectives` : '';
  return `It misses a shape${whose}${where}${others}: residuals keep their sign too long (one-sided runs test, p = ${Number(p.toPrecision(2))}).`;
}

/** Below it the signs of residuals do not follow each other as at random. */
const doubtful = 0.01;

/** What a fit that converged may hide; undefined where its residuals, in the order of the rows, look like noise of their size. */
export function misfitSentence(statistics: UncertaintyReport['statistics']): string | undefined {
  const errors = errorsSentence(statistics);
  const sentences = [
    runsSentence(statistics),
    ...(errors === undefined ? [] : [`${errors.charAt(0).toUpperCase()}${errors.slice(1)}.`]),
  ].filter((each) => each !== undefined);
  return sentences.length > 0 ? sentences.join(' ') : undefined;
}

function runsSentence(statistics: UncertaintyReport['statistics']): string | undefined {
  const { runsTestP: p } = statistics;
  if (p === undefined || !(p < doubtful)) return undefined;
  const shown = `(two-sided runs test, p = ${Number(p.toPrecision(2))})`;
  return isAlternating(statistics)
    ? `Residuals ${alternating} ${shown}.`
    : `The model misses a shape: residuals keep their sign too long ${shown}.`;
}

/**
 * What the reduced χ² of known errors says, where noise has such a one less than once in a hundred times; undefined where it is
 * as it may be. By the cube root, which is normal (Wilson & Hilferty 1931, DOI 10.1073/pnas.17.12.684).
 */
export function errorsSentence({
  reducedChiSquared: reduced = NaN,
  degreesOfFreedom: freedom = NaN,
}: UncertaintyReport['statistics']): string | undefined {
  const spread = 2 / (9 * freedom);
  const z = (Math.cbrt(reduced) - (1 - spread)) / Math.sqrt(spread);
  if (!(Math.abs(z) > rareZ)) return undefined;
  return z > 0
    ? 'residuals are larger than the errors that are given: an observation, the model or these errors are wrong'
    : 'residuals are smaller than the errors that are given: these are too large';
}

/** Beyond it lies 1 % of a normal distribution, on both sides together. */
const rareZ = 2.576;

/** Whether signs of residuals change too often, if they are not as at random. */
export const isAlternating = ({ runsTestZ = NaN }: UncertaintyReport['statistics']): boolean => runsTestZ > 0;

export const alternating = 'change their sign too often: rows that follow each other are not independent';

const mostNamed = 3;

/** One sentence on all of them. */
export function determinedSentence(known: readonly Known[]): string {
  const free = known.filter(({ fixed }) => !fixed);
  if (free.length === 0) return 'No parameter is free.';
  const methods = [...new Set(free.flatMap(({ by }) => by ?? []))].map((by) => uncertaintyFacts[by].inSentence);
  const by = methods.length > 0 ? ` (${methods.join(', ')})` : '';
  const weak = free.filter(({ verdict }) => verdict.status !== 'determined');
  if (weak.length === 0) {
    if (free.length === 1) return `The parameter is determined${by}.`;
    return `${free.length === 2 ? 'Both' : `All ${free.length}`} parameters are determined${by}.`;
  }
  const names = weak.length <= mostNamed ? weak.map(({ name }) => name).join(', ') : `${weak.length} of them`;
  return `${free.length - weak.length} of ${free.length} parameters are determined${by}; look at ${names}.`;
}

/** `A and B are solved for.`; empty where none is. */
export function solvedSentence(names: readonly string[]): string {
  const [last, ...others] = [...names].reverse();
  if (last === undefined) return '';
  return others.length === 0 ? `${last} is solved for.` : `${others.reverse().join(', ')} and ${last} are solved for.`;
}

/** What needs attention first, then in the order of the document. */
export function byAttention<R extends { readonly verdict: Verdict }>(rows: readonly R[]): R[] {
  const good = ({ verdict }: R) => verdict.status === 'determined';
  return [...rows.filter((row) => !good(row)), ...rows.filter(good)];
}
