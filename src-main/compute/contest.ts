/**
 * The contest: the shapes that a table's readings could have, each fitted, ranked by AICc. What wins is the first model of
 * the table; its parameters begin where the fit ended.
 */
import type { Device } from '../../engine/index.ts';
import { aiccAtStart, candidatesOf, pointsOf, type Candidate } from '../../models/experiment/candidates.ts';
import { againstUsual } from '../../models/experiment/noise.ts';
import { firstModel, type FirstModel, type PlainBlock, type Values } from '../../models/experiment/first-model.ts';
import { thinned, type Readings } from '../../models/experiment/readings.ts';
import {
  parameterCount,
  saidToBe,
  sharingsOf,
  togglesOf,
  type Own,
  type SaidSharing,
} from '../../models/experiment/sharing.ts';
import { comesFirst } from '../../models/library/index.ts';
import type { Shape } from '../../models/library/shape.ts';
import type { UncertaintyReport } from '../contract/studies.ts';
import { Refused } from '../refused.ts';
import { fittedValues } from './fit/fitted.ts';
import { demandModel, load } from './running/load.ts';
import { uncertainty } from './study/uncertainty.ts';

/** A shape that was fitted. */
export interface Contestant {
  readonly candidate: Candidate;
  /** What has an element for each group, or scatters about a value of all. */
  readonly own: Own;
  /** Of these, what scatters. */
  readonly hierarchical: Own;
  readonly model: FirstModel;
  /** As fitted. */
  readonly values: Values;
  readonly report: UncertaintyReport;
  /** All constants counted, as R does, an estimated σ among the parameters; NaN where there are too few readings. */
  readonly aicc: number;
  readonly objective: number;
  /** Whether what is left of squares is rounding. */
  readonly isExact: boolean;
}

export interface ContestRequest {
  readonly name: string;
  /** One shape alone. */
  readonly shape?: Shape | undefined;
  /** Of one shape: where to begin, unless that leads nowhere. */
  readonly from?: Values | undefined;
  /** Of any: which parameters are one for all groups, one for each, or hierarchical. */
  readonly sharing?: SaidSharing | undefined;
  /** Its first word is not 0 from when the contest is to stop. */
  readonly cancel?: Int32Array | undefined;
  /** The share of the fits that is done. */
  readonly onProgress?: (share: number) => void;
  /** What is the best so far, whenever that has changed. */
  readonly onFound?: (soFar: SoFar) => void;
}

export interface SoFar {
  readonly contestants: readonly Contestant[];
  /** They were fitted to so many readings. */
  readonly fitted: number;
}

/** Shapes that are fitted; fewer where groups make several models of each. */
const mostFitted = { alone: 12, inGroups: 10, inManyGroups: 5 } as const;
const manyGroups = 12;
/** By the shapes that are the best under one noise, so many of each, it is decided which the readings have. */
const judged = 2;
/** The best and the next four. */
const shownShapes = 5;
/** Of so many at most it is tried what groups share: of more than are shown and one where some stay open. */
const mostShared = 8;
/** Parameter by parameter it is tried where a fit has no more than so many operations in an iteration. */
const mostSharedOperations = 2e6;
/** And where it is behind the best by no more of AICc. */
const mostSharedBehind = 40;
/** Of a long table so many are fitted to all of it, and more where they are not so far behind. */
const leastShown = 3;
const farBehind = 20;
const rounding = 1e-12;
/** The share of the work that is done once the shapes are told apart. */
const finding = 0.7;
/** Closer than this two are one curve. */
const same = 1e-6;

/** Readings on which shapes are told apart; of more, as many of them, and all of them fit what was found. */
const mostReadings = 4000;

/**
 * Iterations in which a shape whose start is near its end arrives, as far as they cost no more than so many operations; those
 * that are shown have as many as any fit.
 */
const quickly = { iterations: 100, least: 8, operations: 2e8 } as const;
/** By so much of AICc a mechanism that the columns do not speak of must be better than what they could mean. */
const strangely = 4;

/** The best first: of what was found, where it is stopped. Empty where nothing could be fitted. */
export async function contest(readings: Readings, device: Device, request: ContestRequest): Promise<Contestant[]> {
  const { sharing, onProgress, onFound } = request;
  const few = thinned(readings, mostReadings);
  const found = await contestOf(few, device, {
    ...request,
    onProgress: (share) => onProgress?.(finding * share),
  });
  const hierarchical = ({ shape }: Candidate): Own | undefined => sharing && saidToBe(shape, sharing, 'hierarchical');
  // Effects are integrated out in the end alone, and of the best alone: it takes so much longer.
  const isHierarchical = found.some(({ candidate }) => (hierarchical(candidate)?.size ?? 0) > 0);
  const some = withoutUndetermined(withoutStrangers(found)).slice(0, isHierarchical ? 1 : shownShapes);
  const isLong = readings.y.values.length > mostReadings;
  // Stopped: what was fitted to all of the readings stands.
  if (isStopped(request)) return isLong || isHierarchical ? [] : some;
  // One shape alone has been fitted as it is shown.
  if (request.shape && !isLong && !isHierarchical) return withoutTwins(ranked(some));
  const shown = isLong ? withoutHopeless(some) : some;
  const whole: Contestant[] = [];
  for (const [i, { candidate, own, values }] of shown.entries()) {
    const from = { ...request, from: values, hierarchical: hierarchical(candidate) };
    const fitted = await fittedOne(readings, candidate, own, device, from);
    if (isStopped(request)) return isLong || isHierarchical ? ranked(whole) : some;
    if (fitted) whole.push(fitted);
    onProgress?.(finding + ((1 - finding) * (i + 1)) / shown.length);
    if (isLong) onFound?.({ contestants: presented(whole), fitted: readings.y.values.length });
  }
  return withoutTwins(ranked(withoutUndetermined(whole)));
}

/** A few more than are shown, as far as they come quickly. */
async function contestOf(readings: Readings, device: Device, request: ContestRequest): Promise<Contestant[]> {
  const groups = readings.group?.labels.length ?? 1;
  const soFar = new Map<Shape, Contestant>();
  const tell = (found: Contestant): void => {
    const { shape } = found.candidate;
    const before = soFar.get(shape);
    soFar.set(shape, ranked(before ? [before, found] : [found])[0]!);
    request.onFound?.({ contestants: presented([...soFar.values()]), fitted: readings.y.values.length });
  };
  const fit = async (candidate: Candidate, own: Own, from?: Values): Promise<Contestant[]> => {
    const count = parameterCount(candidate.shape, own, groups);
    const able = count < usedRows(readings);
    const { iterations, least, operations } = quickly;
    const affordable = Math.max(least, Math.floor(operations / (usedRows(readings) * count ** 2)));
    const maxIterations = request.shape ? undefined : Math.min(iterations, affordable);
    const fitFrom = (begin: Values | undefined): Promise<Contestant | undefined> => {
      const values = begin && spreadOver(begin, own, groups);
      return fittedOne(readings, candidate, own, device, { ...request, maxIterations, from: values });
    };
    let found = able ? await fitFrom(from ?? request.from) : undefined;
    if (able && !found && request.from) found = await fitFrom(undefined);
    if (found) tell(found);
    return found ? [found] : [];
  };
  const most = groups > manyGroups ? mostFitted.inManyGroups : groups > 1 ? mostFitted.inGroups : mostFitted.alone;
  const { sharing } = request;
  const said = ({ shape }: Candidate): Own | undefined =>
    sharing && new Set([...saidToBe(shape, sharing, 'group'), ...saidToBe(shape, sharing, 'hierarchical')]);
  // What each group has of its own tells the shapes apart; where the readings do not allow so much, less of it.
  const fitFirst = async (candidate: Candidate): Promise<Contestant[]> => {
    const own = said(candidate);
    for (const tried of own ? [own] : sharingsOf(candidate.shape, groups)) {
      const found = await fit(candidate, tried);
      if (found.length > 0) return found;
    }
    return [];
  };
  const known = new Map<Candidate, Contestant[]>();
  const lists = candidatesOf(readings, most, request.shape);
  const candidates =
    lists.length < 2
      ? (lists[0] ?? [])
      : await likeliest(readings, lists, fitFirst, known, request.shape !== undefined);
  const first: Contestant[] = [];
  const all = candidates.length + (groups > 1 ? shownShapes + 1 : 0);
  for (const [i, candidate] of candidates.entries()) {
    if (isStopped(request)) break;
    first.push(...(known.get(candidate) ?? (await fitFirst(candidate))));
    request.onProgress?.((i + 1) / all);
  }
  if (groups < 2) return withoutTwins(ranked(first));
  const found: Contestant[] = [];
  let leading = Infinity;
  for (const [i, contestant] of withoutTwins(ranked(first)).entries()) {
    // One that stays open in a group takes no other's place.
    const standing = found.filter(isDetermined).length;
    if (standing > shownShapes || i >= mostShared || (i > shownShapes && standing === 0)) break;
    const { candidate, own } = contestant;
    const rest =
      said(candidate) || isStopped(request)
        ? []
        : sharingsOf(candidate.shape, groups).filter((each) => !isSame(each, own));
    const alternatives = [contestant];
    for (const each of rest) alternatives.push(...(await fit(candidate, each)));
    found.push(said(candidate) ? contestant : await sharedBest(alternatives));
    const { aicc } = found.at(-1)!;
    if (aicc < leading) leading = aicc;
    request.onProgress?.(Math.min(1, (candidates.length + i + 1) / all));
  }
  return withoutTwins(ranked(found));

  /** From the best of them on, one parameter after the other is shared or each group's own, as long as that is better. */
  async function sharedBest(alternatives: readonly Contestant[]): Promise<Contestant> {
    let best = ranked(withoutUndetermined(alternatives))[0]!;
    if (best.aicc > leading + mostSharedBehind) return best;
    const tried = alternatives.map(({ own }) => own);
    for (;;) {
      const next = togglesOf(best.candidate.shape, best.own).find(
        (each) => !tried.some((other) => isSame(each, other)),
      );
      const operations = usedRows(readings) * best.report.parameters.length ** 2;
      if (!next || isStopped(request) || operations > mostSharedOperations) return best;
      tried.push(next);
      const found = await fit(best.candidate, next, best.values);
      best = ranked(withoutUndetermined([best, ...found]))[0]!;
    }
  }
}

/** What was found of one for all, for each group that has its own. */
const spreadOver = (values: Values, own: Own, groups: number): Values =>
  new Map(
    [...values].map(([name, each]) => [
      name,
      own.has(name) && each.length === 1 ? new Array<number>(groups).fill(each[0]!) : each,
    ]),
  );

/**
 * Of the candidates under each noise those that come nearest, the usual ones where that is not clear. One curve is fitted, and
 * so is one shape alone; of many, where fits of all parameters of each take long and may not arrive, the starts say it.
 */
async function likeliest(
  readings: Readings,
  lists: readonly (readonly Candidate[])[],
  fit: (candidate: Candidate) => Promise<Contestant[]>,
  known: Map<Candidate, Contestant[]>,
  isOneShape: boolean,
): Promise<readonly Candidate[]> {
  const shapes = new Set(lists.flatMap((candidates) => candidates.slice(0, judged).map(({ shape }) => shape)));
  const criterionOf = async (candidate: Candidate): Promise<number> => {
    if (readings.group && !isOneShape) return aiccAtStart(readings, candidate);
    const found = await fit(candidate);
    known.set(candidate, found);
    return Math.min(...found.map(({ aicc }) => aicc).filter(Number.isFinite));
  };
  let best = { candidates: lists[0]!, least: Infinity };
  for (const [i, candidates] of lists.entries()) {
    let least = Infinity;
    for (const candidate of candidates.filter(({ shape }) => shapes.has(shape)))
      least = Math.min(least, await criterionOf(candidate));
    if (i === 0 || least + againstUsual < best.least) best = { candidates, least };
  }
  return best.candidates;
}

/** Those of the noise that the best has: under another they are other models. */
function presented(found: readonly Contestant[]): Contestant[] {
  const all = withoutTwins(ranked(withoutUndetermined(withoutStrangers(found))));
  return all.filter(({ candidate }) => candidate.noise === all[0]!.candidate.noise).slice(0, shownShapes);
}

const isStopped = ({ cancel }: ContestRequest): boolean => cancel !== undefined && Atomics.load(cancel, 0) !== 0;

/** On all of a long table what lies far behind on some of it lies further behind still. */
function withoutHopeless(contestants: readonly Contestant[]): Contestant[] {
  const best = contestants[0]?.aicc ?? NaN;
  return contestants.filter(({ aicc }, i) => i < leastShown || !(aicc > best + farBehind));
}

/** Without those that explain little more than what the columns could mean, and what has no handicap. */
function withoutStrangers(contestants: readonly Contestant[]): Contestant[] {
  const demanded = ({ candidate: { strange, shape } }: Contestant): number =>
    Math.max(strange ? strangely : 0, shape.handicap ?? 0);
  const best = Math.min(...contestants.filter((each) => demanded(each) === 0).map(({ aicc }) => aicc));
  return contestants.filter((each) => demanded(each) === 0 || !(each.aicc > best - demanded(each)));
}

/** What meets the readings exactly leaves nothing to tell errors by, and no parameter open. */
const isDetermined = ({ report, isExact }: Contestant): boolean =>
  isExact || report.parameters.every(({ verdict }) => verdict.status !== 'none');

/** Without those of which the readings leave a parameter open, where they determine others: a peak on one stray reading. */
function withoutUndetermined(contestants: readonly Contestant[]): readonly Contestant[] {
  const determined = contestants.filter(isDetermined);
  return determined.length > 0 ? determined : contestants;
}

const isSame = (a: Own, b: Own): boolean => a.size === b.size && [...a].every((name) => b.has(name));

const usedRows = ({ y, excluded }: Readings): number => y.values.length - excluded.size;

/** Undefined where it does not converge: what is shown has been found. */
async function fittedOne(
  readings: Readings,
  candidate: Candidate,
  own: Own,
  device: Device,
  { name, from, maxIterations, hierarchical = new Set(), cancel }: FitOne,
): Promise<Contestant | undefined> {
  const begin = firstModel(name, readings, candidate, own, from, hierarchical);
  const loaded = demandModel(await load(begin.document, undefined));
  const context = { parameters: {}, maxIterations, ...(cancel && { cancel }) };
  const report = await attempt(() =>
    uncertainty(loaded, device, { kind: 'uncertainty', method: 'covariance' }, context),
  );
  if (report?.fit.status !== 'converged' || !Number.isFinite(report.fit.objective)) return undefined;
  const found = new Map(Object.entries(fittedValues({ estimates: report.parameters })));
  const values: Values = new Map([...begin.parameters].map(([each, id]) => [each, numbersOf(found.get(id))]));
  const isPlain = hierarchical.size === 0;
  // Deviations are of the groups: what a hierarchical fit has found stands in the document that it began from.
  const model = isPlain ? firstModel(name, readings, candidate, own, values) : withInitial(begin, found);
  const { objective } = report.fit;
  const isExact = objective < squaresOfRounding(readings, candidate);
  const aicc = criterion(readings, candidate, report);
  return { candidate, own, hierarchical, model, values, report, objective, aicc, isExact };
}

interface FitOne extends ContestRequest {
  readonly maxIterations?: number | undefined;
  readonly hierarchical?: Own | undefined;
}

/** Its parameters and standard deviations as found, to four digits. */
function withInitial(model: FirstModel, found: ReadonlyMap<string, number | readonly number[]>): FirstModel {
  const blocks = (model.document['blocks'] as readonly PlainBlock[]).map((block) => {
    const digits = (value: number): number => Number(value.toPrecision(4));
    if (block.kind === 'random-effect')
      return {
        ...block,
        sd: (block['names'] as string[]).map(
          (name) => digits(numbersOf(found.get(`${block.id}.sd.${name}`))[0] ?? 1) || 1e-3,
        ),
      };
    const values = block.kind === 'parameter' ? numbersOf(found.get(block.id)) : [];
    if (values.length === 0) return block;
    return { ...block, initial: typeof block['initial'] === 'number' ? digits(values[0]!) : values.map(digits) };
  });
  return { ...model, document: { ...model.document, blocks } };
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
 * Squares below one in 10¹² of the data's own are rounding and no merit of a shape: they count as that much, so that the
 * plainest of several exact shapes is the best.
 */
function criterion(readings: Readings, candidate: Candidate, report: UncertaintyReport): number {
  const [n, k] = [usedRows(readings), report.parameters.length];
  const aicc = report.statistics['aicc'] ?? NaN;
  const { objective } = report.fit;
  const [floor, least] = [squaresOfRounding(readings, candidate), Number.MIN_VALUE];
  if (!(objective < floor) || Number.isNaN(aicc)) return aicc;
  // At 0 the likelihood has no bound, and AICc none: from the formula then.
  const atFloor = n * Math.log(Math.max(floor, least) / n) + n * (1 + Math.log(2 * Math.PI));
  return atFloor + 2 * (k + 1) + (2 * (k + 1) * (k + 2)) / (n - k - 2);
}

/** Where no squares are minimised there are none: -∞. */
function squaresOfRounding(readings: Readings, { shape, noise }: Candidate): number {
  if (noise !== 'constant' || shape.density || readings.sigma || readings.trials || readings.below || readings.above)
    return -Infinity;
  const own = pointsOf(readings).reduce(
    (sum, { y, weights }) => sum + y.reduce((part, value, i) => part + (value * weights[i]!) ** 2, 0),
    0,
  );
  return rounding * own;
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
            (other.candidate.relevance === each.candidate.relevance &&
              comesFirst(other.candidate.shape, each.candidate.shape))),
      ),
  );
}
