/** Ends that may be minima where the slope jumps: of what, and what a search there (optimisers/bundle.ts) makes of them. */
import { bends } from './bends.ts';
import type { FitContext } from './context.ts';
import type { Coordinate } from './coordinates.ts';
import { minimumAtKink } from './optimisers/bundle.ts';
import { isLarge } from './optimisers/large-least-squares.ts';
import { DOUBLE, isCancelled, type Ending, type FitProblem, type OptimiserOptions } from './problem.ts';
import type { AtPoint } from './questions.ts';
import { rises } from './stationary/rises.ts';
import { squaresUnit, type Slope } from './stationary/stationary.ts';

/** Coordinates up to which a minimum is looked for at a kink. */
const FEW = 20;
/** A sum of squares that falls to less than this share of itself has had another noise, by which lengths are to be measured. */
const SAME_NOISE = 0.9;
const MOST = 4;

/** What the search asks: the slope of a likelihood, of a formula, or of squares in which something may bend; undefined of all else. */
export function kinkQuestion({ problem, all, slope }: FitContext): AtPoint<Slope> | undefined {
  return mayHaveKinks({ problem, all }) ? slope() : undefined;
}

/** Whether ends that are no minima are searched for kinks. */
export function mayHaveKinks({ problem, all }: Pick<FitContext, 'problem' | 'all'>): boolean {
  if (problem.effects || all.length > FEW) return false;
  return problem.residuals.length === 0 || (!isLarge(problem, all) && bends(problem));
}

/** Whether the objective is written with something that has kinks, and its slopes can be asked for. */
export const hasKinks = ({ problem, all }: Pick<FitContext, 'problem' | 'all'>): boolean =>
  mayHaveKinks({ problem, all }) && bends(problem);

const FOUND = 'no step reduces the objective any further: its minimum is';
const AT_KINK = `${FOUND} at a kink, where the slope jumps`;
/** As of |x − 1|^1.5 and |x − 1|^2.5, whose slopes are 0 there. */
const WITHOUT_CURVATURE = {
  infinite: `${FOUND} where its curvature is infinite, or nearly`,
  none: `${FOUND} where its curvature vanishes, or nearly`,
} as const;

/** How far about a minimum slopes are compared, in lengths over which the energy rises by a half. */
const APART = [1e-6, 10 ** -4.5, 1e-3] as const;

/**
 * What keeps the minimum from having a Hessian. Slopes on either side differ by |h|^q at a distance h: q is 0 at a kink, between 0 and 1
 * where the curvature is infinite, above 1 where it vanishes. A kink among many others looks like one where it is nearest.
 */
async function whatBends(
  slopeAt: (u: Float64Array) => Promise<Slope>,
  all: readonly Coordinate[],
  point: Float64Array,
): Promise<string> {
  const widths = await rises(slopeAt, point, [...all.keys()], all);
  if (!widths) return AT_KINK;
  const differences: number[] = [];
  for (const share of APART) {
    let most = 0;
    for (const [j, width] of widths.entries()) {
      const [low, high] = [point.slice(), point.slice()];
      low[j] = Math.max(all[j]!.lower, low[j]! - share * width);
      high[j] = Math.min(all[j]!.upper, high[j]! + share * width);
      const [below, above] = [(await slopeAt(low)).gradient[j]!, (await slopeAt(high)).gradient[j]!];
      most = Math.max(most, Math.abs(above - below) * width);
    }
    differences.push(most);
  }
  const [near, middle, far] = differences as [number, number, number];
  const powers = [Math.log(middle / near), Math.log(far / middle)].map((log) => log / Math.log(10 ** 1.5));
  if (!powers.every((q) => q > 0.1 && q < 3)) return AT_KINK;
  return powers[1]! < 1 ? WITHOUT_CURVATURE.infinite : WITHOUT_CURVATURE.none;
}

/** Where a descent that has found no minimum ends then: at a kink, lower and `unjudged`, or where it did. */
export async function endedAtKink(
  slopeAt: (u: Float64Array) => Promise<Slope>,
  { problem, all }: Pick<FitContext, 'problem' | 'all'>,
  from: Ending,
  options: OptimiserOptions,
): Promise<Ending> {
  let ending = from;
  for (let k = 0; k < MOST; k++) {
    const before = energyOf(ending);
    // Of squares what is searched is −log L of the noise that they have there.
    const unit = problem.residuals.length > 0 ? 2 * varianceOf(before, all, problem, options) : 1;
    const inUnits = async (u: Float64Array): Promise<Slope> => {
      const { value, gradient } = await slopeAt(u);
      return { value: value / unit, gradient: gradient.map((g) => g / unit) };
    };
    const found = await minimumAtKink(inUnits, all, ending.point, () => isCancelled(options.cancel));
    if (!found) break;
    const { point, decrement, isMinimum } = found;
    const value = found.value * unit;
    if (!(isMinimum || value < before)) break;
    const lower = { ...ending, point, history: [...ending.history, value] };
    const isMeasured = unit === 1 || problem.sigmaKnown || value >= SAME_NOISE * before;
    if (isMinimum && isMeasured) {
      const reason = await whatBends(inUnits, all, point);
      return { ...lower, status: 'converged', reason, kink: true, decrement };
    }
    ending = { ...lower, unjudged: true };
    if (isMeasured) break;
  }
  return ending;
}

function varianceOf(
  sum: number,
  all: readonly Coordinate[],
  { observations, sigmaKnown }: FitProblem,
  { rounding = DOUBLE }: OptimiserOptions,
): number {
  const [unit] = squaresUnit(sum, observations, all.length, { rounding, observations, sigmaKnown });
  return unit;
}

const energyOf = ({ history }: Ending): number => history.at(-1)!;
