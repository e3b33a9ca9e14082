/**
 * Adam: min f(u) within bounds by gradients with a step of its own for each coordinate (Kingma & Ba 2015,
 * arXiv:1412.6980, algorithm 1), over all rows at once:
 *
 *     m ← β₁·m + (1 - β₁)·g,  v ← β₂·v + (1 - β₂)·g²,  u ← P(u - rate·m̂/√v̂),  m̂ = m/(1 - β₁ᵏ),  v̂ = v/(1 - β₂ᵏ)
 *
 * with P the projection into the bounds. It never compares values to take a step, so
 * it passes through kinks and noise that stop a line search; it has no curvature, so its last digits come slowly. It
 * ends with the best point it has seen.
 */
import type { Bounds } from './coordinates.ts';
import { isCancelled, type Ending, type OptimiserOptions } from './problem.ts';
import { norm } from './vectors.ts';
import { isFiniteSlope, moved, noStart, slopeLeft, type Slope } from './stationary.ts';

const BETA1 = 0.9;
const BETA2 = 0.999;

/** A rate for an iteration, given how long ago the best point was found; 0 ends it. */
export type Schedule = () => (sinceBest: number) => number;

/** Halves the rate after so many iterations without a better point, down to `least`. */
export const onPlateau: (first?: number, patience?: number, least?: number) => Schedule =
  (first = 0.05, patience = 50, least = 1e-8) =>
  () => {
    let rate = first;
    let waited = 0;
    return (sinceBest) => {
      waited = sinceBest === 0 ? 0 : waited + 1;
      if (waited >= patience) {
        rate /= 2;
        waited = 0;
      }
      return rate < least ? 0 : rate;
    };
  };

/** From `first` to 0 along half a cosine (Loshchilov & Hutter 2017, arXiv:1608.03983). */
export const cosine: (iterations: number, first?: number) => Schedule =
  (iterations, first = 0.05) =>
  () => {
    let iteration = 0;
    return () => (iteration >= iterations ? 0 : (first / 2) * (1 + Math.cos((Math.PI * iteration++) / iterations)));
  };

/** Of `slopeLeft`. */
const STATIONARY = 1e-8;
const NEARLY = 1e-4;
/** Of the gradient at the start. */
const SHRUNK = 1e-7;

export async function adam(
  slopeAt: (u: Float64Array) => Promise<Slope>,
  all: readonly Bounds[],
  start: Float64Array,
  { maxIterations, cancel, onIteration }: OptimiserOptions,
  schedule: Schedule = onPlateau(),
): Promise<Ending> {
  let point = start;
  let here = await slopeAt(point);
  let best = { point, ...here };
  const history = [here.value];
  const end = (status: Ending['status'], reason: string, iterations: number): Ending => {
    return { status, reason, point: best.point, iterations, history };
  };
  if (!isFiniteSlope(here)) return end('failed', noStart(here), 0);
  const reference = 1e-20 * Math.abs(here.value);
  onIteration?.(0, here.value, point);

  const steepness = norm(here.gradient);
  const rateAt = schedule();
  const m = new Float64Array(all.length);
  const v = new Float64Array(all.length);
  let sinceBest = 0;
  let [power1, power2] = [1, 1];
  for (let iteration = 1; iteration <= maxIterations; iteration++) {
    if (isCancelled(cancel)) return end('cancelled', 'stopped by the user', iteration - 1);
    if (slopeLeft(best, best.point, all, reference) <= STATIONARY)
      return end('converged', 'the projected gradient is zero to the digits that this method reaches', iteration - 1);
    const rate = rateAt(sinceBest);
    if (rate === 0) {
      const shrunk = norm(best.gradient) <= SHRUNK * steepness;
      return shrunk || slopeLeft(best, best.point, all, reference) <= NEARLY
        ? end('converged', 'the schedule has ended where the projected gradient is nearly zero', iteration - 1)
        : end('not-converged', 'the schedule has ended, but the projected gradient is not zero', iteration - 1);
    }
    power1 *= BETA1;
    power2 *= BETA2;
    const gradient = here.gradient;
    const step = gradient.map((g, j) => {
      m[j] = BETA1 * (m[j] as number) + (1 - BETA1) * g;
      v[j] = BETA2 * (v[j] as number) + (1 - BETA2) * g * g;
      const size = Math.sqrt(v[j] / (1 - power2));
      return size === 0 ? 0 : (-rate * (m[j] / (1 - power1))) / size;
    });
    const next = moved(point, step, all);
    const trial = await slopeAt(next);
    if (isFiniteSlope(trial)) [point, here] = [next, trial];
    else {
      // Where f has no value: back to the best point, and slower.
      [point, here] = [best.point, best];
      m.fill(0);
    }
    sinceBest++;
    if (here.value < best.value) {
      best = { point, ...here };
      sinceBest = 0;
    }
    history.push(best.value);
    onIteration?.(iteration, best.value, best.point);
  }
  return end('not-converged', `${maxIterations} iterations were not enough`, maxIterations);
}
