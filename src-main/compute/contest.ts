/**
 * The contest: the shapes that a table's readings could have, each fitted, ranked by AICc. What wins is the first model of
 * the table; its parameters begin where the fit ended.
 */
import type { Device } from '../../engine/index.ts';
import { candidatesOf, pointsOf, type Candidate } from '../../models/experiment/candidates.ts';
import { firstModel, type FirstModel, type Values } from '../../models/experiment/first-model.ts';
import { thinned, type Readings } from '../../models/experiment/readings.ts';
import { parameterCount, sharingsOf, type Own } from '../../models/experiment/sharing.ts';
import type { Shape } from '../../models/library/shape.ts';
import type { UncertaintyReport } from '../contract/studies.ts';
import { Refused } from '../refused.ts';
import { fittedValues } from './fit/fitted.ts';
import { demandModel, load } from './running/load.ts';
import { uncertainty } from './study/uncertainty.ts';

/** A shape that was fitted. */
export interface Contestant {
  readonly candidate: Candidate;
  readonly own: Own;
  readonly model: FirstModel;
  /** As fitted. */
  readonly values: Values;
  readonly report: UncertaintyReport;
  /** All constants counted, as R does, an estimated σ among the parameters; NaN where there are too few readings. */
  readonly aicc: number;
  readonly objective: number;
}

export interface ContestRequest {
  readonly name: string;
  /** One shape alone. */
  readonly shape?: Shape | undefined;
  /** Of one shape: which parameters each group has of its own. */
  readonly own?: Own | undefined;
}

/** Shapes that are fitted; fewer where groups make several models of each. */
const mostFitted = { alone: 12, inGroups: 8 } as const;
/** The best and the next four. */
const shownShapes = 5;
const rounding = 1e-12;
/** Closer than this two are one curve. */
const same = 1e-6;

/** Readings on which shapes are told apart; of more, as many of them, and all of them fit what was found. */
const mostReadings = 4000;

/** Iterations in which a shape whose start is near its end arrives; those that are shown have as many as any fit. */
const quickly = 100;

/** The best first. Empty where nothing could be fitted. */
export async function contest(readings: Readings, device: Device, request: ContestRequest): Promise<Contestant[]> {
  const found = await contestOf(thinned(readings, mostReadings), device, request);
  const whole: Contestant[] = [];
  for (const { candidate, own, values } of found) {
    const fitted = await fittedOne(readings, candidate, own, device, { ...request, from: values });
    if (fitted) whole.push(fitted);
  }
  return withoutTwins(ranked(whole)).slice(0, shownShapes);
}

/** A few more than are shown, as far as they come quickly. */
async function contestOf(readings: Readings, device: Device, request: ContestRequest): Promise<Contestant[]> {
  const groups = readings.group?.labels.length ?? 1;
  const fit = async (candidate: Candidate, own: Own): Promise<Contestant[]> => {
    const able = parameterCount(candidate.shape, own, groups) < usedRows(readings);
    const limits = { ...request, maxIterations: request.shape ? undefined : quickly };
    const found = able ? await fittedOne(readings, candidate, own, device, limits) : undefined;
    return found ? [found] : [];
  };
  const first: Contestant[] = [];
  for (const candidate of candidatesOf(readings, groups > 1 ? mostFitted.inGroups : mostFitted.alone, request.shape)) {
    const [all, ...others] = sharingsOf(candidate.shape, groups);
    const tried = request.own ? [request.own] : [all, ...others];
    // What each group has of its own tells the shapes apart; where the readings do not allow so much, less of it.
    for (const own of tried) {
      const found = await fit(candidate, own);
      first.push(...found);
      if (found.length > 0) break;
    }
  }
  const found: Contestant[] = [];
  for (const contestant of withoutTwins(ranked(first)).slice(0, shownShapes + 1)) {
    const { candidate, own } = contestant;
    const rest = request.own ? [] : sharingsOf(candidate.shape, groups).filter((each) => !isSame(each, own));
    const alternatives = [contestant];
    for (const each of rest) alternatives.push(...(await fit(candidate, each)));
    found.push(ranked(alternatives)[0]!);
  }
  return withoutTwins(ranked(found));
}

const isSame = (a: Own, b: Own): boolean => a.size === b.size && [...a].every((name) => b.has(name));

const usedRows = ({ y, excluded }: Readings): number => y.values.length - excluded.size;

/** Undefined where it does not converge: what is shown has been found. */
async function fittedOne(
  readings: Readings,
  candidate: Candidate,
  own: Own,
  device: Device,
  {
    name,
    from,
    maxIterations,
  }: ContestRequest & { readonly from?: Values; readonly maxIterations?: number | undefined },
): Promise<Contestant | undefined> {
  const begin = firstModel(name, readings, candidate, own, from);
  const loaded = demandModel(await load(begin.document, undefined));
  const report = await attempt(() =>
    uncertainty(loaded, device, { kind: 'uncertainty', method: 'covariance' }, { parameters: {}, maxIterations }),
  );
  if (report?.fit.status !== 'converged' || !Number.isFinite(report.fit.objective)) return undefined;
  const found = new Map(Object.entries(fittedValues({ estimates: report.parameters })));
  const values: Values = new Map([...begin.parameters].map(([each, id]) => [each, numbersOf(found.get(id))]));
  const model = firstModel(name, readings, candidate, own, values);
  const { objective } = report.fit;
  return { candidate, own, model, values, report, objective, aicc: criterion(readings, candidate.shape, report) };
}

const numbersOf = (value: number | readonly number[] | undefined): readonly number[] =>
  value === undefined ? [] : typeof value === 'number' ? [value] : value;

async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    // A shape that meets a fault on these data is none for them.
    if (error instanceof Refused) return undefined;
    throw error;
  }
}

/**
 * Of a density, whose objective is a sum that knows no rows, counted here. Squares below one in 10¹² of the data's own are
 * rounding and no merit of a shape: they count as that much, so that the plainest of several exact shapes is the best.
 */
function criterion(readings: Readings, shape: Shape, report: UncertaintyReport): number {
  const [n, k] = [usedRows(readings), report.parameters.length];
  if (shape.density) return n - k - 1 > 0 ? 2 * report.fit.objective + 2 * k + (2 * k * (k + 1)) / (n - k - 1) : NaN;
  const aicc = report.statistics['aicc'] ?? NaN;
  if (readings.sigma) return aicc;
  const own = pointsOf(readings).reduce(
    (sum, { y, weights }) => sum + y.reduce((part, value, i) => part + (value * weights[i]!) ** 2, 0),
    0,
  );
  const { objective } = report.fit;
  const [floor, least] = [rounding * own, Number.MIN_VALUE];
  if (objective >= floor || Number.isNaN(aicc)) return aicc;
  // At 0 the likelihood has no bound, and AICc none: from the formula then.
  const atFloor = n * Math.log(Math.max(floor, least) / n) + n * (1 + Math.log(2 * Math.PI));
  return atFloor + 2 * (k + 1) + (2 * (k + 1) * (k + 2)) / (n - k - 2);
}

/** By AICc; where there is none after the others, by what is minimised. */
function ranked(contestants: readonly Contestant[]): Contestant[] {
  const key = ({ aicc }: Contestant): number => (Number.isNaN(aicc) ? Infinity : aicc);
  return [...contestants].sort((a, b) => {
    const [first, second] = [key(a), key(b)];
    return first === second ? a.objective - b.objective : first - second;
  });
}

/** Of those that came to one curve with as many parameters, the one whose field is nearest. */
function withoutTwins(contestants: readonly Contestant[]): Contestant[] {
  const isTwin = (a: Contestant, b: Contestant): boolean =>
    a.report.parameters.length === b.report.parameters.length &&
    Math.abs(a.objective - b.objective) <= same * Math.abs(a.objective);
  return contestants.filter(
    (each, i) =>
      !contestants.some(
        (other, j) =>
          i !== j &&
          isTwin(each, other) &&
          (other.candidate.relevance > each.candidate.relevance ||
            (other.candidate.relevance === each.candidate.relevance && j < i)),
      ),
  );
}
