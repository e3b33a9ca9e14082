/** What a fit reports where it ended: values, errors and intervals of the parameters, and their correlation. */
import { orCancelled } from '../../0-ir/errors.ts';
import type { DeviceKind, Precision } from '../../5-runtime/device.ts';
import { openAnswers, type Answers } from '../answers.ts';
import { coordinateName, isPositive, knownName, parameterValues, wayToEnd, type Coordinate } from '../coordinates.ts';
import type { FitContext } from '../context.ts';
import { boundNear, boundReached, MOST_FOR_ERRORS, uncertaintyAt, uncertaintyAtKink, type Errors } from './errors.ts';
import { hasKinks, kinkQuestion } from '../kinks.ts';
import { DOUBLE, isCancelled, stoppedAt, type Ending, type FitStatus } from '../problem.ts';
import { scalarsOf } from '../marginal/questions.ts';
import { isRough } from '../stationary/rough.ts';
import { gapsAmong, tiesAmong } from '../ties.ts';
import { errorOf } from './statistics.ts';
import { closestTo, FEW_ROWS, fixedVerdict, passedBy, unknownVerdict, type Verdict, verdictOf } from './verdict.ts';

/** One element of one parameter. NaN where a figure is not determined. */
export interface Estimate {
  /** `k`, or `K[0,1]`. */
  readonly name: string;
  readonly parameter: string;
  readonly value: number;
  /** 0 for a fixed parameter. */
  readonly standardError: number;
  readonly lower95: number;
  readonly upper95: number;
  readonly fixed: boolean;
  readonly atBound?: 'lower' | 'upper';
  /** What the interval says, in words. */
  readonly verdict: Verdict;
  /** Under a robust loss: by what a rise of the energy is divided to be one of χ² (statistics.ts). */
  readonly rise?: number;
}

export interface FitResult {
  readonly status: FitStatus;
  readonly reason: string;
  readonly objective: number;
  /** What was minimised; another number than the objective where there are priors. */
  readonly energy: number;
  readonly estimates: readonly Estimate[];
  /** Names and rows over the free elements, in the order of `estimates`. */
  readonly correlation: { readonly names: readonly string[]; readonly matrix: readonly (readonly number[])[] };
  /** Of how many directions of the free parameters the data say nothing. */
  readonly unseen: number;
  /** Whether every row is met to rounding, so that nothing is known of a noise that is not given: errors are rounding. */
  readonly exact?: true;
  /** By how much the undamped step would lower −log L (stationary.ts); NaN where that is not known. */
  readonly decrement: number;
  /** Whether the slope jumps there (kinks.ts). */
  readonly kink?: true;
  /** Names of parameters that enter linearly and were solved for (variable-projection.ts). */
  readonly solved: readonly string[];
  readonly iterations: number;
  readonly evaluations: number;
  readonly history: readonly number[];
  readonly device: DeviceKind;
  readonly precision: Precision;
}

/** A lowering of −log L, a seventh of a standard error away, beside which no end is called one. */
const TELLING = 0.01;

/** Who stops while errors are formed waits for none: the point is what was found. */
export async function reportOrStopped(
  context: FitContext,
  answers: Answers,
  ending: Ending,
  cancel: Int32Array | undefined,
): Promise<FitResult> {
  const found = isCancelled(cancel) ? undefined : await orCancelled(() => report(context, answers, ending));
  return found ?? report(context, answers, stoppedAt(ending));
}

export async function report(context: FitContext, answers: Answers, ending: Ending): Promise<FitResult> {
  const { problem, device, all } = context;
  const { point } = ending;
  // Who stops a fit waits for no derivative.
  const known = ending.status === 'converged' || ending.status === 'not-converged';
  const smooth = known && !ending.kink ? await uncertaintyAt(context, answers, ending) : undefined;
  // On a level between kinks nothing curves, and yet the energy rises on every side.
  const isBlind = ending.status === 'converged' && (smooth?.blind.length ?? 0) > 0;
  const isLevel = isBlind && problem.residuals.length === 0 && hasKinks(context);
  const atKink = known && (ending.kink || isLevel) ? await uncertaintyAtKink(context, answers, ending) : undefined;
  const kink = ending.kink ?? (atKink && true);
  const errorsAt = kink ? uncertaintyAtKink : uncertaintyAt;
  const whole = atKink ?? smooth;
  const decrement = (smooth ?? atKink)?.decrement ?? ending.decrement ?? NaN;
  const { status, reason } = (await isLostInRounding(context, answers, ending))
    ? { status: 'not-converged' as const, reason: ROUGH }
    : judged(ending, decrement, smooth ?? atKink);
  const last = status === 'cancelled' && problem.energy === problem.objective ? ending.history.at(-1) : undefined;
  const { objective, energy } = last === undefined ? await valuesAt(context, point) : { objective: last, energy: last };
  const values = parameterValues(problem.parameters, all, point);
  const ends = all.map((coordinate, j) =>
    onesWith(whole?.covariance ?? [], j).length === 0
      ? endReached(coordinate, point[j]!, values, whole ? errorOf(whole, j) : NaN)
      : undefined,
  );
  const vanished = ends.map((side) => side !== undefined);
  // What is at its edge is held there, as at a bound, and the errors of the others are those beside it.
  const uncertainty = vanished.includes(true) ? await errorsAt(context, answers, ending, vanished) : whole;
  const variance = (j: number): number => uncertainty?.covariance[j]?.[j] ?? NaN;
  const correlation = all.map((_, i) =>
    all.map((__, j) =>
      i === j && Number.isFinite(variance(i))
        ? 1
        : (uncertainty?.covariance[i]?.[j] ?? NaN) / (Math.sqrt(variance(i)) * Math.sqrt(variance(j))),
    ),
  );
  const names = all.map(coordinateName);
  const integrated = new Set(problem.effects?.flatMap(({ effects }) => effects));
  const reported = problem.parameters.filter(({ name }) => !integrated.has(name));
  const estimates = reported.flatMap((parameter) =>
    values.get(parameter.name)!.map((value, element): Estimate => {
      const j = all.findIndex((c) => c.parameter === parameter && c.element === element);
      const name = coordinateName({ parameter, element, lower: 0, upper: 0 });
      if (j < 0) {
        return {
          name,
          parameter: parameter.name,
          value,
          standardError: 0,
          lower95: value,
          upper95: value,
          fixed: true,
          verdict: fixedVerdict,
        };
      }
      const coordinate = all[j]!;
      // Of two deviations of effects; a mean far from its data is as correlated with a slope, and both have errors.
      const hasEdge = (i: number): boolean => all[i]!.parameter.edge !== undefined;
      const twins = hasEdge(j) ? onesWith(uncertainty?.covariance ?? [], j).filter(hasEdge) : [];
      const standardError = twins.length > 0 ? Infinity : uncertainty ? errorOf(uncertainty, j) : NaN;
      const half = (uncertainty?.quantile ?? NaN) * standardError;
      const atBound = ends[j] ?? boundReached(coordinate, point[j]!);
      const [lower95, upper95] = [value - half, value + half];
      const along = uncertainty?.blind.filter((members) => members.includes(j)) ?? [];
      const verdict = verdictOf({
        ...{ value, lower: lower95, upper: upper95, atBound, bound: boundNear(coordinate, atBound, value) },
        partners: [
          ...new Set([...along.flat(), ...twins].flatMap((other) => (other === j ? [] : knownName(all[other]!)))),
        ],
        closest: closestTo(names, correlation, j),
        symmetricThoughPositive: isPositive(coordinate),
        passed: passedBy(coordinate, [lower95, upper95]),
        idle: along.some((members) => members.length === 1),
        exact: uncertainty?.exact,
        why: whyNone(context, ending, uncertainty?.blind.length),
        unasked: whyUnasked(ending),
      });
      const rise = uncertainty?.rises?.[j];
      // About a point that is no minimum an interval would look as if it were one; on the way without end nothing is seen any more.
      const why = verdict.status === 'none' && !ending.endless ? verdict : unknownVerdict;
      return {
        ...{ name, parameter: parameter.name, value, fixed: false },
        ...(status === 'converged'
          ? { standardError, lower95, upper95, verdict }
          : { standardError: NaN, lower95: NaN, upper95: NaN, verdict: why }),
        ...(atBound && { atBound }),
        ...(rise !== undefined && { rise }),
      };
    }),
  );
  const isHeld = (j: number): boolean => boundReached(all[j]!, point[j]!) === 'lower';
  const ties = status === 'converged' ? [...gapsAmong(all, isHeld), ...tiesAmong(all, isHeld)] : [];
  return {
    status,
    reason: [reason, ...ties, ...(uncertainty?.note === undefined ? [] : [uncertainty.note])].join('; '),
    objective,
    energy,
    estimates,
    correlation: { names, matrix: correlation },
    unseen: uncertainty?.blind.length ?? 0,
    ...(uncertainty?.exact && { exact: true }),
    decrement,
    ...(kink && { kink }),
    solved: ending.solved ?? [],
    iterations: ending.iterations,
    evaluations: answers.evaluations,
    history: ending.history,
    device: device.kind,
    precision: device.precision,
  };
}

const ROUGH =
  'the objective jumps here, or the rounding of its terms hides where it is least: write it without differences of large terms, or bound the parameters that make them large';
/** Coordinates up to which that is looked for. */
const FEW = 60;

/** Whether slopes and curvature at a minimum of a likelihood may be those of rounding alone (stationary/rough.ts). */
async function isLostInRounding(context: FitContext, answers: Answers, { point, status }: Ending): Promise<boolean> {
  const { problem, all, device } = context;
  const isLikelihood = problem.residuals.length === 0 && !problem.noDensity && !problem.effects;
  if (status !== 'converged' || !isLikelihood || all.length > FEW) return false;
  // Slopes alone: a Hessian at each of the points would cost more than the fit.
  const question = kinkQuestion(context);
  if (!question) return false;
  answers.keepOnly(question);
  const rounding = device.precision === 'f32' ? 2 ** -23 : DOUBLE;
  return isRough((u) => answers.ask(question, u), all, point, TELLING, rounding);
}

const UNDERFLOW =
  'the squares of the residuals underflow, and their sum tells no end: take a larger unit for what was observed, or a smaller sigma';

/** Whatever a method found: what the report itself shows not to be stationary, or cannot show to be, is not called converged. */
function judged(
  { status, reason }: Ending,
  decrement: number,
  uncertainty: Pick<Errors, 'arrived' | 'underflows'> | undefined,
): Pick<Ending, 'status' | 'reason'> {
  // Without errors the user has stopped, or conjugate gradients (arrival.ts) or the slopes about a kink have judged.
  if (status !== 'converged' || !uncertainty) return { status, reason };
  if (uncertainty.underflows) return { status: 'not-converged', reason: UNDERFLOW };
  if (Number.isNaN(decrement))
    return { status: 'not-converged', reason: `${reason}, but what an undamped step from here would do is not known` };
  if (uncertainty.arrived || decrement <= TELLING) return { status, reason };
  const lower = decrement.toPrecision(2);
  return { status: 'not-converged', reason: `an undamped step from here promises to lower -log L by ${lower}` };
}

/** Why the data have not been asked. */
function whyUnasked({ status, reason }: Ending): string | undefined {
  if (status === 'failed') return 'the fit has failed';
  return status === 'cancelled' ? `the fit was ${reason}` : undefined;
}

/** Why nothing has a standard error, where that is known. */
function whyNone(
  { problem: { noDensity, residuals, sigmaKnown, observations }, all: { length: free } }: FitContext,
  { kink }: Ending,
  unseen = 0,
): string | undefined {
  if (kink) return 'the minimum has no Hessian, as at a kink, and curvature tells no errors; the bootstrap does';
  if (noDensity) return 'what is minimised is no likelihood';
  if (residuals.length > 0 && !sigmaKnown && observations <= free - unseen) return FEW_ROWS;
  return residuals.length === 0 && free > MOST_FOR_ERRORS ? 'there are too many parameters' : undefined;
}

/** Of its standard error: nearer to its edge, 0, than this no likelihood tells it from there. */
const VANISHED = 1e-3;

/** Whether what is varied by its logarithm has ended at 0, or by its logit at a bound (settle.ts): it is at its bound there. */
function endReached(
  coordinate: Coordinate,
  u: number,
  values: ReadonlyMap<string, readonly number[]>,
  standardError: number,
): 'lower' | 'upper' | undefined {
  const way = wayToEnd(coordinate, u);
  if (way === undefined) return undefined;
  const side = way < 0 ? 'lower' : 'upper';
  const { parameter, element } = coordinate;
  const value = values.get(parameter.name)?.[element] ?? NaN;
  return Math.abs(value - boundNear(coordinate, side, value)) < VANISHED * standardError ? side : undefined;
}

/**
 * Those that make up for a parameter, and are why its error is as large as it is: to the digits of a Hessian by differences they
 * are one direction of which nothing is known.
 */
function onesWith(covariance: readonly Float64Array[], j: number): number[] {
  const row = covariance[j] ?? [];
  return [...row].flatMap((value, i) =>
    i !== j && value ** 2 > (1 - 1e-6) * row[j]! * (covariance[i]?.[i] ?? NaN) ? [i] : [],
  );
}

async function valuesAt(
  { problem, device, all }: FitContext,
  point: Float64Array,
): Promise<{ objective: number; energy: number }> {
  const answers = openAnswers(device, problem);
  try {
    const values = await answers.ask(scalarsOf(problem, all, [problem.objective, problem.energy]), point);
    return { objective: values[0]!, energy: values[1]! };
  } finally {
    answers.release();
  }
}
