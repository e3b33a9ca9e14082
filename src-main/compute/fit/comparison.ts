/** Fitted models of the same data: what they are compared by, and which is a case of which. */
import { akaikeWeights, type Candidate, elementName, nestedTest, type NestedTest } from '../../../engine/index.ts';
import { printDocument } from '../../../models/format/print.ts';
import { parametersOf, type Model } from '../../../models/load/model.ts';
import { meaningButStart } from '../../../models/lower/meaning.ts';
import type { UncertaintyReport, UncertaintyRequest } from '../../contract/studies.ts';
import { Refused } from '../../refused.ts';
import { fittedValues } from './fitted.ts';
import { measuredBy } from './measured.ts';
import { observationsOf, type Observation } from './observations.ts';
import { followers, isAtFamilysEdge } from './nested.ts';
import { isMarginal } from './random-effects.ts';
import { deviationCount } from './without-effects.ts';
import type { ParameterValues } from '../running/run.ts';

/** A model after its fit, whose criteria a study of its covariance has. */
export interface Compared {
  readonly name: string;
  readonly model: Model;
  readonly report: UncertaintyReport;
}

/** What is asked of each. */
export const asOneOfMany: UncertaintyRequest = { kind: 'uncertainty', method: 'covariance', leaveOneOut: true };

export interface ComparedModel {
  readonly name: string;
  readonly status: UncertaintyReport['fit']['status'];
  readonly objective: number;
  /** Directions of the free elements that the data see, sigma not among them. */
  readonly parameters: number;
  readonly observations: number;
  readonly logLikelihood: number;
  readonly aicc: number;
  readonly delta: number;
  readonly weight: number;
  readonly bic: number;
  readonly elpdLoo?: number;
  /** Why there is none, of a fit that has converged: a clause. */
  readonly withoutLoo?: string;
  /** The model that this one is, but for its start values: it has no weight of its own. */
  readonly same?: string;
}

export interface NestedPair extends NestedTest {
  readonly small: string;
  readonly large: string;
}

export interface Comparison {
  readonly models: readonly ComparedModel[];
  readonly nested: readonly NestedPair[];
  readonly warnings: readonly string[];
}

/**
 * Throws `Refused` where a model does not have the observations of the first, whose order does not count, or where a
 * likelihood is of other data than these.
 */
export async function demandComparable(subjects: readonly Pick<Compared, 'name' | 'model'>[]): Promise<void> {
  const restricted = subjects.find(({ model }) => model.document.fit?.marginal === 'reml');
  if (restricted)
    throw new Refused(
      `${restricted.name} is fitted by its restricted likelihood ("reml"), which is of its own fixed effects: compare by "laplace"`,
    );
  const [first, ...others] = await Promise.all(
    subjects.map(async ({ name, model }) => ({ name, observed: await observedBy(name, model) })),
  );
  for (const other of others) {
    const fault = first && differenceOf(first, other);
    if (fault !== undefined) throw new Refused(`models are compared on the same data: ${fault}`);
  }
}

interface Observed {
  readonly name: string;
  readonly observed: readonly Observation[];
}

function differenceOf(first: Observed, other: Observed): string | undefined {
  const [wanted, got] = [first.observed.length, other.observed.length];
  if (wanted !== got) return `"${first.name}" has ${wanted} observations, "${other.name}" has ${got}`;
  const [limits, found] = [first, other].map(({ observed }) => observed.filter(({ side }) => side !== '').length);
  if (limits !== found)
    return `${limits} observations of "${first.name}" are censored, ${found} of "${other.name}": a probability is not compared with a density`;
  const differs = other.observed.some(({ side, at, end }, i) => {
    const same = first.observed[i]!;
    return side !== same.side || at !== same.at || end !== same.end;
  });
  if (differs) return `the ${wanted} observations of "${other.name}" are not those of "${first.name}"`;
  // Whoever says nothing of trials has counts alone.
  const outOf = (observed: readonly Observation[]): readonly (number | undefined)[] =>
    observed.map(({ trials }) => trials);
  const [few, many] = [outOf(first.observed), outOf(other.observed)];
  const counted = few.every((trials) => trials !== undefined) && many.every((trials) => trials !== undefined);
  return counted && many.some((trials, i) => trials !== few[i])
    ? `the counts of "${other.name}" are out of other numbers of trials than those of "${first.name}"`
    : undefined;
}

/** In ascending order; what is missing or of weight 0 left out. */
async function observedBy(name: string, model: Model): Promise<Observation[]> {
  if (model.objective.length === 0)
    throw new Refused(`${name}: the document has no objective: there is nothing to fit`);
  try {
    return observationsOf(model, await measuredBy(model)).sort(
      (a, b) =>
        a.at - b.at ||
        a.end - b.end ||
        Number(a.side > b.side) - Number(a.side < b.side) ||
        (a.trials ?? 0) - (b.trials ?? 0),
    );
  } catch (error) {
    if (error instanceof Refused) throw new Refused(`${name}: ${error.message}`);
    throw error;
  }
}

const statistic = ({ report }: Compared, name: string): number => report.statistics[name] ?? NaN;

function candidateOf(compared: Compared): Candidate {
  const { report } = compared;
  return {
    deviations: isMarginal(compared.model) ? deviationCount(compared.model) : 0,
    aicc: statistic(compared, 'aicc'),
    // Where sigma is known there is no residual standard error.
    squares: report.statistics['residualStandardError'] === undefined ? undefined : report.fit.objective,
    logLikelihood: statistic(compared, 'logLikelihood'),
    parameters: statistic(compared, 'parameters'),
    observations: statistic(compared, 'observations'),
  };
}

/** Where a fit of a document has ended. */
interface Followed {
  readonly objective: number;
  readonly estimates: readonly {
    readonly name: string;
    readonly value: number;
    readonly atBound?: 'lower' | 'upper' | undefined;
  }[];
}

export type FollowerFit = (
  document: Record<string, unknown>,
  request: {
    readonly parameters: ParameterValues;
    readonly method: string;
    readonly seed: number;
    readonly starts: number;
  },
) => Promise<Followed>;

/**
 * By a fit at each point, the last found first; from several starts where one does not follow. Of a case the elements that lie at a
 * bound of the large model at all points; undefined of none.
 */
async function boundsOfCase(small: Compared, large: Compared, fit: FollowerFit): Promise<string[] | undefined> {
  const asked = await followers(small.model, large.model, fittedValues({ estimates: small.report.parameters }));
  if (!asked) return undefined;
  let bounds: string[] | undefined;
  for (const { document, tolerance } of asked) {
    const plain = JSON.parse(printDocument(document)) as Record<string, unknown>;
    const parameters = fittedValues({ estimates: large.report.parameters });
    const follow = async (starts: number): Promise<readonly string[] | undefined> => {
      const { objective, estimates } = await fit(plain, { parameters, method: 'levenberg-marquardt', seed: 0, starts });
      if (!(objective <= tolerance)) return undefined;
      return estimates.flatMap(({ name, value, atBound }) =>
        atBound !== undefined || isNearBound(large, name, value) ? [name] : [],
      );
    };
    const atBound = (await follow(1)) ?? (await follow(16));
    if (!atBound) return undefined;
    bounds = bounds ? bounds.filter((name) => atBound.includes(name)) : [...atBound];
  }
  return bounds;
}

/** Beside how far from it the model's own fit is, as rounding leaves what follows a bound. */
function isNearBound({ model, report }: Compared, name: string, value: number): boolean {
  const own = report.parameters.find((each) => each.name === name)?.value ?? NaN;
  return parametersOf(model).some(({ id, shape, lower, upper, fixed }) =>
    [...lower.keys()].some(
      (i) =>
        !fixed &&
        elementName(id, shape, i) === name &&
        [lower[i]!, upper[i]!].some(
          (bound) => Number.isFinite(bound) && Math.abs(value - bound) <= sameBelow * Math.abs(own - bound),
        ),
    ),
  );
}

/** What differs less between two fits of one model is the same. */
const sameBelow = 1e-6;
const isSame = (a: number, b: number): boolean => Math.abs(a - b) <= sameBelow * Math.max(1, Math.abs(b));

/**
 * Of each model, which one it is that is there already, but for start values: of those that are ranked the first that got
 * as far as any of them.
 */
function alreadyThere(subjects: readonly Compared[], candidates: readonly Candidate[]): (number | undefined)[] {
  const meanings = subjects.map(({ model }, i) =>
    Number.isNaN(candidates[i]!.aicc) ? undefined : meaningButStart(model),
  );
  return meanings.map((meaning, i) => {
    const group = meanings.flatMap((other, j) => (meaning !== undefined && other === meaning ? [j] : []));
    const least = Math.min(...group.map((j) => candidates[j]!.aicc));
    const first = group.find((j) => isSame(candidates[j]!.aicc, least));
    return first === i ? undefined : first;
  });
}

/** `fitLike(large)`: fits documents that stand where that model does; a case is looked for among those with fewer parameters. */
export async function comparisonOf(
  subjects: readonly Compared[],
  fitLike: (large: Compared) => FollowerFit,
): Promise<Comparison> {
  const candidates = subjects.map(candidateOf);
  const there = alreadyThere(subjects, candidates);
  // Fits of one model end where it is flat to rounding: neither is the better.
  const criteria = candidates.map(({ aicc }, i) => {
    const other = candidates[there[i] ?? i]!.aicc;
    return isSame(aicc, other) ? other : aicc;
  });
  const weighed = akaikeWeights(
    criteria,
    there.map((other) => other !== undefined),
  );
  const nested: NestedPair[] = [];
  const warnings = [
    ...approximationWarnings(subjects.map(({ model }) => model)),
    ...subjects.flatMap((subject, i) => warningsOf(subject, candidates[i]!)),
    ...subjects.flatMap(({ name }, i) => {
      const other = there[i];
      if (other === undefined || isSame(criteria[i]!, criteria[other]!)) return [];
      return [`"${name}" is the same model as "${subjects[other]!.name}" and fits worse: give it other starts`];
    }),
  ];
  for (const [i, small] of subjects.entries())
    for (const [j, large] of subjects.entries()) {
      if (there[i] !== undefined || there[j] !== undefined) continue;
      const [few, many] = [candidates[i]!, candidates[j]!];
      if (few.parameters >= many.parameters || Number.isNaN(few.logLikelihood) || Number.isNaN(many.logLikelihood))
        continue;
      const bounds = await boundsOfCase(small, large, fitLike(large));
      if (!bounds) continue;
      if (many.logLikelihood < few.logLikelihood - 1e-6 * Math.abs(few.logLikelihood))
        warnings.push(
          `"${small.name}" is a case of "${large.name}" and fits better: "${large.name}" is not at its minimum, give it other starts`,
        );
      nested.push({
        small: small.name,
        large: large.name,
        ...nestedTest(few, many, bounds.length, isAtFamilysEdge(small.model, large.model)),
      });
    }
  const models = subjects.map((subject, i): ComparedModel => {
    const { fit } = subject.report;
    const { parameters, observations, logLikelihood, aicc } = candidates[i]!;
    const figures = { parameters, observations, logLikelihood, aicc, bic: statistic(subject, 'bic') };
    const same = there[i] === undefined ? {} : { same: subjects[there[i]]!.name };
    const { loo: { elpdLoo } = {}, withoutLoo } = subject.report;
    const predicted = { ...(elpdLoo !== undefined && { elpdLoo }), ...(withoutLoo !== undefined && { withoutLoo }) };
    const shown = { name: subject.name, status: fit.status, objective: fit.objective };
    return { ...shown, ...figures, ...weighed[i]!, ...predicted, ...same };
  });
  return { models, nested, warnings };
}

/** Of models whose effects are integrated out in different ways. */
function approximationWarnings(models: readonly Model[]): string[] {
  const ways = models.flatMap((model) =>
    model.document.blocks.some(({ kind }) => kind === 'random-effect')
      ? [JSON.stringify(model.document.fit?.marginal ?? 'laplace')]
      : [],
  );
  const different = [...new Set(ways)].map((way) => way.replace(/[{}"]/g, '').replace(':', ' '));
  return different.length > 1
    ? [
        `their effects are integrated out in different ways (${different.join(', ')}), whose likelihoods differ by the approximation too: take one for all`,
      ]
    : [];
}

function warningsOf({ name, report }: Compared, { aicc, logLikelihood }: Candidate): string[] {
  const { fit } = report;
  if (fit.status !== 'converged') return [`"${name}": the fit ended ${fit.status}, ${fit.reason}: it is not ranked`];
  if (Number.isNaN(logLikelihood))
    return [`"${name}" has priors or a robust loss, by which no likelihood is maximised: it is not ranked`];
  if (Number.isNaN(aicc)) return [`"${name}" has too few observations for its parameters: AICc is not defined`];
  return [];
}
