/** The errors of a fit where it ended: what curvature, or slopes about a kink, tell of the parameters there. */
import studentQuantile from '@stdlib/stats-base-dists-t-quantile';
import { cholesky } from '../algebra/cholesky.ts';
import { Cancelled } from '../../0-ir/errors.ts';
import type { Answers } from '../answers.ts';
import { coordinateSlopes, type Coordinate } from '../coordinates.ts';
import type { FitContext } from '../context.ts';
import type { Linearisation, Quadratic } from '../expansion.ts';
import { averagedCurvature } from './kink-errors.ts';
import { kinkQuestion } from '../kinks.ts';
import { isLarge, linearisedForErrors, type ForErrors } from '../optimisers/large-least-squares.ts';
import { DOUBLE, type Ending } from '../problem.ts';
import type { AtPoint } from '../questions.ts';
import {
  energyOfRounding,
  isFiniteExpansion,
  LEAST_DECREMENT,
  remaining,
  squaresUnit,
  type Expansion,
} from '../stationary/stationary.ts';
import { informationUncertainty, leastSquaresUncertainty, robustUncertainty, type Uncertainty } from './statistics.ts';

/** Coordinates beyond which no Hessian is formed for the errors of a likelihood: it takes 8·p² bytes. */
export const MOST_FOR_ERRORS = 2000;
/** Coordinates beyond which none is formed for the decrement of squares. */
const MOST_FOR_DECREMENT = 60;

/** Of what is no −log density curvature says nothing. */
const withoutDensity: Uncertainty = { covariance: [], quantile: NaN, blind: [] };

/** `arrived`: whether that step is none but for rounding. */
export type Errors = Uncertainty &
  Pick<ForErrors, 'note'> & {
    readonly decrement: number;
    readonly arrived: boolean;
    /** The noise is to be known from residuals that are rounding alone. */
    readonly exact?: true;
    /** The sum of squares is none: residuals that are no rounding have squares too small for a number. */
    readonly underflows?: boolean;
  };

/**
 * Covariance by the parameters themselves; one at its bound, or `held`, stays there and has none. A sum of squares has one
 * covariance, whichever method found its minimum. Undefined where the user stops it, or there are too many parameters.
 */
export async function uncertaintyAt(
  context: FitContext,
  answers: Answers,
  { point, status }: Ending,
  held: readonly boolean[] = [],
): Promise<Errors | undefined> {
  const { problem, all } = context;
  const units = {
    ...{ sigmaKnown: problem.sigmaKnown, observations: problem.observations },
    rounding: context.device.precision === 'f32' ? 2 ** -23 : DOUBLE,
  };
  const quadratic = (): Promise<Quadratic> => {
    const question = context.quadratic();
    answers.keepOnly(question);
    return answers.ask(question, point);
  };
  const whatIsLeft = (expansion: Expansion): Pick<Errors, 'arrived' | 'decrement'> =>
    isFiniteExpansion(expansion) ? remaining(expansion, point, all, units) : { arrived: false, decrement: NaN };
  let decrement: number;
  let arrived: boolean;
  const inside = insideOf(context, point, held);
  const slope = (j: number): number => coordinateSlopes(all[j]!, point[j]!)[0];
  /** The Hessian of the energy by the parameters inside; what their scales bend of it vanishes with the gradient. */
  const curvatureInside = ({ hessian }: Quadratic): Float64Array[] =>
    inside.map((i) => Float64Array.from(inside, (j) => hessian[i]![j]! / slope(i) / slope(j)));
  let found: Uncertainty;
  let note: string | undefined;
  let underflows = false;
  let exact = false;
  try {
    if (problem.residuals.length > 0) {
      const ask = (question: AtPoint<Linearisation>) => () => {
        answers.keepOnly(question);
        return answers.ask(question, point);
      };
      const rows = ask(context.linearisation());
      const linearised: ForErrors = isLarge(problem, all)
        ? await linearisedForErrors(rows, ask(context.compressed()), problem.robust === true)
        : await rows();
      const { residuals, jacobian } = linearised;
      note = linearised.note;
      const columns = inside.map((j) => jacobian[j]!.map((value) => value / slope(j)));
      const sum = residuals.reduce((total, r) => total + r * r, 0);
      underflows = sum < LEAST_NORMAL && isMissed(linearised, context, point);
      // The errors of a robust loss need each row.
      found =
        problem.robust && note === undefined
          ? robustUncertainty(residuals, columns, curvatureInside(await quadratic()), problem.observations)
          : leastSquaresUncertainty(columns, sum, problem.observations, problem.sigmaKnown);
      const isSpare = problem.observations > inside.length - found.blind.length;
      exact = !problem.sigmaKnown && isSpare && sum <= energyOfRounding(linearised, point, units);
      ({ decrement, arrived } = whatIsLeft(linearised));
      // Where the residuals are large beside what the model bends, the end was found by the whole Hessian.
      if (status === 'converged' && decrement > LEAST_DECREMENT && all.length <= MOST_FOR_DECREMENT && sum > 0) {
        const [unit] = squaresUnit(sum, residuals.length, all.length - found.blind.length, units);
        const whole = remaining(await quadratic(), point, all, units);
        // NaN where the energy curves down. A Hessian has half of the digits of J, and may not see what J does.
        const isBlind = whole.singular && found.blind.length === 0;
        if (!isBlind && whole.decrement / (2 * unit) < decrement) decrement = whole.decrement / (2 * unit);
        arrived ||= whole.arrived && !isBlind;
      }
    } else {
      if (all.length > MOST_FOR_ERRORS) return undefined;
      const expansion = await quadratic();
      ({ decrement, arrived } = whatIsLeft(expansion));
      found = problem.noDensity ? withoutDensity : informationUncertainty(curvatureInside(expansion));
    }
  } catch (error) {
    if (error instanceof Cancelled) return undefined;
    throw error;
  }
  return {
    ...amongAll(found, inside, all.length),
    ...{ decrement, arrived },
    ...(note !== undefined && { note }),
    ...(underflows && { underflows }),
    ...(exact && { exact }),
  };
}

/** Below, numbers lose their digits. */
const LEAST_NORMAL = 2 ** -1022;
/** Of what a coordinate makes in a row: a smaller residual is rounding. */
const ROUNDED = 1e-9;

/** Whether there is a residual that rounding did not leave. */
function isMissed({ residuals, jacobian }: Linearisation, { all }: FitContext, point: Float64Array): boolean {
  const largest = (values: ArrayLike<number>): number =>
    Array.from(values).reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const made = all.map(
    ({ parameter }, j) => largest(jacobian[j]!) * (parameter.scale === 'log' ? 1 : Math.abs(point[j]!)),
  );
  return largest(residuals) > ROUNDED * largest(made);
}

/** Coordinates that are free to move both ways. */
function insideOf({ all }: FitContext, point: Float64Array, held: readonly boolean[]): number[] {
  const isHeld = (coordinate: Coordinate, j: number): boolean =>
    held[j] === true || boundReached(coordinate, point[j]!) !== undefined;
  return all.flatMap((coordinate, j) => (isHeld(coordinate, j) ? [] : [j]));
}

/** What is known of the coordinates inside, among all `count` of them. */
function amongAll(found: Uncertainty, inside: readonly number[], count: number): Uncertainty {
  const covariance = Array.from({ length: count }, () => new Float64Array(count).fill(NaN));
  inside.forEach((i, a) =>
    inside.forEach((j, b) => ((covariance[i] as Float64Array)[j] = found.covariance[a]?.[b] ?? NaN)),
  );
  const blind = found.blind.map((members) => members.map((a) => inside[a]!));
  const rises = found.rises && covariance.map((_, j) => found.rises?.[inside.indexOf(j)] ?? NaN);
  const units = found.units && covariance.map((_, j) => found.units?.[inside.indexOf(j)] ?? 1);
  return { covariance, quantile: found.quantile, blind, ...(units && { units }), ...(rises && { rises }) };
}

/** Of a matrix with a unit diagonal: below it, in a pivot, slopes that are none leave nothing but rounding. */
const LEAST_PIVOT = 1e-8;

function isRegular(curvature: readonly Float64Array[]): boolean {
  const roots = curvature.map((row, i) => Math.sqrt(row[i]!));
  const scaled = curvature.map((row, i) => row.map((value, j) => value / (roots[i]! * roots[j]!)));
  return cholesky(scaled)?.every((row, i) => row[i]! ** 2 > LEAST_PIVOT) ?? false;
}

/** Where no Hessian is (kink-errors.ts). The slopes there have judged the end. */
export async function uncertaintyAtKink(
  context: FitContext,
  answers: Answers,
  { point, decrement = NaN }: Ending,
  held: readonly boolean[] = [],
): Promise<Errors | undefined> {
  const { problem, all } = context;
  const question = kinkQuestion(context);
  if (!question || problem.noDensity || problem.robust) return undefined;
  const inside = insideOf(context, point, held);
  try {
    answers.keepOnly(question);
    const freedom = problem.observations - inside.length;
    const isScaled = problem.residuals.length > 0 && !problem.sigmaKnown;
    const isSquares = problem.residuals.length > 0;
    const { value: sum } = await answers.ask(question, point);
    const unit = isScaled ? (2 * sum) / freedom : isSquares ? 2 : 1;
    if (isScaled && freedom <= 0) return undefined;
    const inUnits = async (u: Float64Array) => {
      const { value, gradient } = await answers.ask(question, u);
      return { value: value / unit, gradient: gradient.map((g) => g / unit) };
    };
    const curvature = await averagedCurvature(inUnits, point, all, inside);
    if (!curvature || !isRegular(curvature)) return undefined;
    const slopes = inside.map((j) => coordinateSlopes(all[j]!, point[j]!)[0]);
    const found = informationUncertainty(
      curvature.map((row, a) => row.map((value, b) => value / (slopes[a]! * slopes[b]!))),
    );
    const quantile = isScaled ? studentQuantile(0.975, freedom) : found.quantile;
    const note = 'standard errors there are by the curvature averaged over them';
    return { ...amongAll({ ...found, quantile }, inside, all.length), decrement, arrived: true, note };
  } catch (error) {
    if (error instanceof Cancelled) return undefined;
    throw error;
  }
}

export function boundReached(coordinate: Coordinate, u: number): 'lower' | 'upper' | undefined {
  if (u <= coordinate.lower) return 'lower';
  return u >= coordinate.upper ? 'upper' : undefined;
}

/** That bound, where the parameter is varied by its logarithm (0) or logit and its value only nears it. */
export function boundNear(
  { parameter, element, lower }: Coordinate,
  side: 'lower' | 'upper' | undefined,
  value: number,
): number {
  if (side !== undefined && parameter.scale === 'logit') return parameter[side][element]!;
  return side === 'lower' && parameter.scale === 'log' && lower === -Infinity ? 0 : value;
}
