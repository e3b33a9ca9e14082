/**
 * The bootstrap: the fit again on data drawn again, B times (Efron & Tibshirani 1993, DOI 10.1201/9780429246593;
 * Davison & Hinkley 1997, DOI 10.1017/CBO9780511802843). What is drawn, and how it enters the problem, is said in
 * redrawn-squares.ts and, for likelihoods and posteriors, redrawn.ts. Where random effects are integrated out it is whole
 * groups that are drawn, and one that is drawn twice is two (Davison & Hinkley, 3.8). All replicates start at the fit; but
 * of groups, they advance as one batch of lanes. Percentile intervals, of few rows stretched (fitted.ts). A replicate whose fit does not converge is counted and left out.
 *
 * What a replicate draws depends on the seed and its number alone, so that any part of them may be run anywhere.
 */
import { Cancelled } from '../../0-ir/errors.ts';
import type { Device } from '../../5-runtime/device.ts';
import type { Asking } from '../../6-fit/asking.ts';
import { fitContext } from '../../6-fit/context.ts';
import { wholly, type Linearisation, type Quadratic } from '../../6-fit/expansion.ts';
import { dot } from '../../6-fit/algebra/vectors.ts';
import { boundNear } from '../../6-fit/report/errors.ts';
import { endedAtKink, hasKinks, mayHaveKinks } from '../../6-fit/kinks.ts';
import { slopeAt } from '../../6-fit/stationary/stationary.ts';
import { squaresMinimised } from '../../6-fit/optimisers/levenberg-marquardt.ts';
import { newton } from '../../6-fit/optimisers/newton.ts';
import { positionsOf } from '../../6-fit/optimisers/variable-projection.ts';
import { openAnswers } from '../../6-fit/answers.ts';
import { marginalOf } from '../../6-fit/marginal/marginal.ts';
import { isCancelled, type Ending, type OptimiserOptions } from '../../6-fit/problem.ts';
import { batchedLinearisation } from '../../6-fit/ensembles/batched-objective.ts';
import { inLanes, inStep } from '../../6-fit/ensembles/lanes.ts';
import type { Part } from '../../6-fit/ensembles/parts.ts';
import { partSeed, randomFrom, sortedQuantile, type Random } from '../../6-fit/ensembles/random.ts';
import { momentsOf } from '../chains/diagnostics.ts';
import type { Directions } from './directions.ts';
import {
  mostLookedAt,
  partlyLookedAt,
  type ElementInterval,
  type MethodOptions,
  type MethodResult,
} from './problem.ts';
import { symmetricEigen } from '../../6-fit/algebra/eigen.ts';
import { fromCoordinate, toCoordinate, type Coordinate } from '../../6-fit/coordinates.ts';
import { offEdges, replicateReach, stretched, type Fitted } from './fitted.ts';
import { openRedrawn, type Redrawn } from './redrawn.ts';
import { squaresRedrawn, type Redraw, type Resampling } from './redrawn-squares.ts';
import { boundedVerdict, closestTo, unboundedVerdict, type Verdict, verdictOf } from '../../6-fit/report/verdict.ts';

export interface ReplicateOptions extends Pick<MethodOptions, 'seed' | 'cancel' | 'onProgress'> {
  /** Of least squares; what else is fitted has `redrawn`. */
  readonly resample: Resampling;
  readonly redrawn?: Redrawn | undefined;
}

/** The parameters' own values where a replicate's fit ended, in the order of `Fitted.names`; NaN where it did not converge. */
export type Replicate = readonly number[];

const innerIterations = 100;

/** Of those that were run, all in the order of their numbers; of a study that was stopped as many as can be looked at. */
export interface Replicates {
  readonly lookedAt: readonly Replicate[];
  readonly run: number;
}

/** Those of the numbers from..to; fewer where the user stops it. */
export async function runReplicates(
  fitted: Fitted,
  directions: Directions,
  device: Device,
  { from, to }: Part,
  { seed, resample, redrawn, cancel, onProgress }: ReplicateOptions,
): Promise<Replicates> {
  const { problem, all } = fitted;
  const point = offEdges(fitted);
  const options = { maxIterations: innerIterations, ...(cancel && { cancel }) };
  const endings: (Ending | undefined)[] = [];
  /** By replicate: along how many directions its data do not bend its energy. */
  const blind: number[] = [];
  // At a kink nothing bends, and yet the energy rises on every side.
  const kinked = hasKinks(fitted);
  let ended = 0;
  const onEnd = (ending: Ending | undefined, index: number): void => {
    endings[index] = ending;
    onProgress?.(++ended / (to - from));
  };
  if (directions.linear) {
    const draw = squaresRedrawn(fitted, directions.linear, resample);
    // Shifted and weighed, residuals are linear in what they were linear in.
    const projecting = { ...options, solved: positionsOf(fitContext(problem, device).solved(), all) };
    const open: { readonly ending: Ending; readonly index: number }[] = [];
    const lines = await batchedLinearisation(problem, device, all, cancel);
    await inStep(numbersOf({ from, to }), lines.at, {
      begin: (b) =>
        answeredBy(
          withBlind(
            squaresMinimised(all, point, projecting),
            resample === 'cases' && !kinked,
            (count) => (blind[b - from] = count),
          ),
          draw(randomFrom(partSeed(seed, b))),
        ),
      stopped: (_, error) => whereCancelled(error),
      onEnd: (ending, index) => {
        if (ending?.status === 'not-converged' && mayHaveKinks(fitted)) open.push({ ending, index });
        else onEnd(ending, index);
      },
    })
      .then(() =>
        inLanes(
          open,
          lines.at,
          async ({ ending, index }, ask) => {
            const redraw = draw(randomFrom(partSeed(seed, from + index)));
            const slope = async (u: Float64Array) => slopeAt(redraw(await ask(u)));
            onEnd(await endedAtKink(slope, fitted, ending, options).catch(whereCancelled), index);
          },
          { cancel },
        ),
      )
      .finally(lines.release);
  } else if (problem.effects) {
    const answers = openAnswers(device, problem, cancel);
    const { layout, counted } = marginalOf(problem, all);
    try {
      const observed = await answers.ask(counted.observed, point);
      for (const [index, b] of [...numbersOf({ from, to })].entries()) {
        const counts = groupsDrawn(observed, layout.blocks.length, randomFrom(partSeed(seed, b)));
        const expand = (u: Float64Array) => answers.ask(counted.descent, { point: u, counts });
        onEnd(await newton(wholly(expand), all, point, options).catch(whereCancelled), index);
        if (isCancelled(cancel)) break;
      }
    } finally {
      answers.release();
    }
  } else {
    if (!redrawn) throw new Error('a likelihood is bootstrapped by its own density');
    const { batch, draw } = await openRedrawn(fitted, redrawn, device, cancel);
    await inLanes(
      numbersOf({ from, to }),
      batch.at,
      async (b, ask, index) => {
        const drawn = draw(randomFrom(partSeed(seed, b)));
        const expand = (u: Float64Array) => ask({ point: u, drawn });
        const ending = await minimisedAgain(expand, fitted, point, options).catch(whereCancelled);
        if (ending && redrawn.resample === 'cases' && !kinked)
          blind[index] = blindIn((await expand(ending.point)).hessian);
        onEnd(ending, index);
      },
      { cancel },
    ).finally(batch.release);
  }
  const whole = endings.flatMap((ending, index) =>
    ending !== undefined && ending.status !== 'cancelled' ? [{ ending, blind: blind[index] ?? 0 }] : [],
  );
  const usual = blindAtFit(directions);
  const lookedAt = whole
    .slice(0, isCancelled(cancel) ? mostLookedAt(all.length) : whole.length)
    .map(({ ending: { status, point: end }, blind: count }) => {
      const isFitted = status === 'converged' && count <= usual;
      return all.map((coordinate, j) => (isFitted ? orNothing(coordinate, fitted.point[j]!, end[j]!) : NaN));
    });
  return { lookedAt, run: whole.length };
}

/** Of a deviation of effects: as far below its start, or the fit's, its square is lost beside all else. */
const nothing = Math.log(1e-6);

/** Where a replicate has ended: a search for a deviation that is 0 stops short of it. */
function orNothing(coordinate: Coordinate, fit: number, end: number): number {
  const { parameter, element } = coordinate;
  if (parameter.scale !== 'log' || parameter.edge === undefined) return fromCoordinate(coordinate, end);
  const start = toCoordinate(coordinate, parameter.initial[element] ?? NaN);
  return end < Math.max(fit, start) + nothing ? 0 : fromCoordinate(coordinate, end);
}

/** Asks once more where it ended, and tells along how many directions nothing is known there. */
function* withBlind(
  asking: Asking<Float64Array, Linearisation, Ending>,
  isAsked: boolean,
  tell: (count: number) => void,
): Asking<Float64Array, Linearisation, Ending> {
  const ending = yield* asking;
  if (!isAsked) return ending;
  const { jacobian } = yield ending.point;
  tell(blindIn(jacobian.map((a) => Float64Array.from(jacobian, (b) => dot(a, b)))));
  return ending;
}

/** Of a curvature that is 0 beside the others, in units in which each is 1. */
const NOTHING = 1e-12;

/** Along how many directions a Hessian does not bend. */
function blindIn(hessian: readonly Float64Array[]): number {
  const roots = hessian.map((row, i) => Math.sqrt(Math.abs(row[i]!)));
  const seen = roots.flatMap((root, i) => (root > 0 ? [i] : []));
  const unit = seen.map((i) => Float64Array.from(seen, (j) => hessian[i]![j]! / (roots[i]! * roots[j]!)));
  const singular = symmetricEigen(unit).values.filter((value) => value < NOTHING).length;
  return hessian.length - seen.length + singular;
}

function blindAtFit({ idle, partners, linear }: Directions): number {
  if (linear) return blindIn(linear.jacobian.map((a) => Float64Array.from(linear.jacobian, (b) => dot(a, b))));
  return idle.filter(Boolean).length + partners.filter((others) => others.length > 0).length;
}

/** Of a likelihood, whose minimum may be at a kink. */
async function minimisedAgain(
  expand: (u: Float64Array) => Promise<Quadratic>,
  fitted: Fitted,
  point: Float64Array,
  options: OptimiserOptions,
): Promise<Ending> {
  const smooth = await newton(wholly(expand), fitted.all, point, options);
  if (smooth.status !== 'not-converged' || !mayHaveKinks(fitted)) return smooth;
  const ending = await endedAtKink(expand, fitted, smooth, options);
  return ending.unjudged ? newton(wholly(expand), fitted.all, ending.point, options) : ending;
}

/** How often each group is among as many as were observed, drawn of these with replacement. */
function groupsDrawn(observed: readonly number[], groups: number, random: Random): Float64Array {
  const counts = new Float64Array(groups);
  for (let k = 0; k < observed.length; k++) {
    const drawn = observed[random.integer(observed.length)]!;
    counts[drawn] = counts[drawn]! + 1;
  }
  return counts;
}

function* numbersOf({ from, to }: Part): Generator<number> {
  for (let number = from; number < to; number++) yield number;
}

function whereCancelled(error: unknown): undefined {
  if (!(error instanceof Cancelled)) throw error;
}

/** The same algorithm, every answer of which is redrawn first. */
function* answeredBy(
  asking: Asking<Float64Array, Linearisation, Ending>,
  redraw: Redraw,
): Asking<Float64Array, Linearisation, Ending> {
  let turn = asking.next();
  while (!turn.done) turn = asking.next(redraw(yield turn.value));
  return turn.value;
}

/** `samples`: how many were wanted. */
export function bootstrapOf(
  fitted: Fitted,
  directions: Directions,
  { lookedAt: replicates, run }: Replicates,
  { level, samples }: Pick<MethodOptions, 'level'> & { readonly samples: number },
): MethodResult {
  const kept = replicates.filter((estimates) => !estimates.some(Number.isNaN));
  const failed = replicates.length - kept.length;
  const byElement = fitted.names.map((_, j) => Float64Array.from(kept, (estimates) => estimates[j]!));
  return {
    intervals: byElement.map((estimates, j) => intervalOf(fitted, directions, estimates, j, level)),
    diagnostics: { replicates: kept.length, failed },
    warnings: [
      ...(failed > 0 ? [`${failed} of ${samples} replicates could not be fitted and are left out`] : []),
      ...(replicates.length < run ? [partlyLookedAt(replicates.length, run, 'replicates')] : []),
    ],
    cancelled: replicates.length < samples,
    draws: byElement.map((estimates) => [estimates]),
  };
}

function intervalOf(
  fitted: Fitted,
  directions: Directions,
  estimates: Float64Array,
  j: number,
  level: number,
): ElementInterval {
  const { names, values, correlation } = fitted;
  const sorted = estimates.slice().sort();
  const further = stretched(fitted, j, replicateReach(fitted, level));
  const end = (share: number): number => further(sortedQuantile(sorted, share));
  const { mean, deviation } = momentsOf([sorted]);
  const undetermined = (directions.partners[j]?.length ?? 0) > 0 || directions.idle[j] === true;
  // Replicates of what the data do not determine stay near the start, and say nothing.
  const isFixed = hasNoSpread(sorted);
  const [lower, upper] = undetermined || isFixed ? [NaN, NaN] : [end((1 - level) / 2), end((1 + level) / 2)];
  const zeros = sorted.filter((value) => value === 0).length;
  const { parameter, element } = fitted.all[j]!;
  // Each replicate may end where the fit does.
  const atBound = isFixed ? fitted.result.estimates.find(({ name }) => name === names[j])?.atBound : undefined;
  const [low, high] = [lower === parameter.lower[element], upper === parameter.upper[element]];
  const verdict: Verdict =
    lower === 0 && upper === 0
      ? { status: 'one-sided', reason: `${zeros} of ${sorted.length} replicates end at its edge, 0` }
      : low && high
        ? unboundedVerdict()
        : (low || high) && lower < upper
          ? boundedVerdict(low ? 'lower' : 'upper', low ? lower : upper, low ? upper : lower)
          : verdictOf({
              value: values[j]!,
              lower,
              upper,
              atBound,
              bound: boundNear(fitted.all[j]!, atBound, values[j]!),
              partners: directions.partners[j] ?? [],
              closest: closestTo(names, correlation, j),
              idle: directions.idle[j] ?? false,
              exact: fitted.exact,
              why: isFixed ? NO_SPREAD : 'no replicate could be fitted',
            });
  const figures = {
    standardError: undetermined || isFixed || sorted.length < 2 ? NaN : deviation,
    bias: undetermined ? NaN : mean - values[j]!,
  };
  return { lower, upper, verdict, figures };
}

/** What replicates say of it that all end at one value: of a group of one row, or of as many rows as parameters. */
export const NO_SPREAD = 'all replicates end at the same value, and tell nothing of its error';

export function hasNoSpread(sorted: Float64Array): boolean {
  const [first = NaN, last = NaN] = [sorted[0], sorted.at(-1)];
  // Of an infinite one the distance and its share are infinite too.
  return (
    sorted.length > 1 &&
    (first === last || last - first <= SAME * Math.min(Number.MAX_VALUE, Math.max(Math.abs(first), Math.abs(last))))
  );
}

/** Of its size: rounding. */
const SAME = 1e-10;
