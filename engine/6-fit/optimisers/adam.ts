/**
 * Adam: min f(u) within bounds by gradients with a step of its own for each coordinate (Kingma & Ba 2015,
 * arXiv:1412.6980, algorithm 1):
 *
 *     m ← β₁·m + (1 - β₁)·g,  v ← β₂·v + (1 - β₂)·g²,  u ← P(u - rate·m̂/√v̂),  m̂ = m/(1 - β₁ᵏ),  v̂ = v/(1 - β₂ᵏ)
 *
 * with P the projection into the bounds. It never compares values to take a step, so
 * it passes through kinks and noise that stop a line search; it has no curvature, so its last digits come slowly. It
 * ends with the best point it has seen. Gradients are of all rows, or of batches (`adamOnBatches`).
 */
import type { Bounds } from '../coordinates.ts';
import { isCancelled, notEnough, type Ending, type OptimiserOptions } from '../problem.ts';
import type { RowBatches } from '../row-batches.ts';
import { onPlateau, type Schedule } from './schedules.ts';
import { STUCK } from '../stationary/settle.ts';
import { isFiniteSlope, moved, noStart, slopeLeft, type Slope } from '../stationary/stationary.ts';
import { numbers } from '../algebra/vectors.ts';

const BETA1 = 0.9;
const BETA2 = 0.999;

/** Of `slopeLeft`. */
const STATIONARY = 1e-8;

interface Moments {
  /** The step for a gradient at a rate. */
  step(gradient: Float64Array, rate: number): Float64Array;
  /** Forgets where it was going. */
  halt(): void;
}

function moments(n: number): Moments {
  const m = new Float64Array(n);
  const v = new Float64Array(n);
  let [power1, power2] = [1, 1];
  return {
    step(gradient, rate) {
      power1 *= BETA1;
      power2 *= BETA2;
      return gradient.map((g, j) => {
        m[j] = BETA1 * m[j]! + (1 - BETA1) * g;
        v[j] = BETA2 * v[j]! + (1 - BETA2) * g * g;
        const size = Math.sqrt(v[j] / (1 - power2));
        return size === 0 ? 0 : (-rate * (m[j] / (1 - power1))) / size;
      });
    },
    halt: () => void m.fill(0),
  };
}

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
  onIteration?.(0, here.value, point);

  const rateAt = schedule();
  const { step, halt } = moments(all.length);
  let sinceBest = 0;
  for (let iteration = 1; iteration <= maxIterations; iteration++) {
    if (isCancelled(cancel)) return end('cancelled', 'stopped by the user', iteration - 1);
    const rate = slopeLeft(best, best.point, all) <= STATIONARY ? 0 : rateAt(sinceBest);
    if (rate === 0) return { ...end('not-converged', STUCK, iteration - 1), unjudged: true };
    const next = moved(point, step(here.gradient, rate), all);
    const trial = await slopeAt(next);
    if (isFiniteSlope(trial)) [point, here] = [next, trial];
    else {
      // Where f has no value: back to the best point, and slower.
      [point, here] = [best.point, best];
      halt();
    }
    sinceBest++;
    if (here.value < best.value) {
      best = { point, ...here };
      sinceBest = 0;
    }
    history.push(best.value);
    onIteration?.(iteration, best.value, best.point);
  }
  return end('not-converged', notEnough(maxIterations), maxIterations);
}

/**
 * By batches: an iteration is a step by one of them. After each epoch f is taken over all rows, at the mean of the epoch's
 * points, which noise leaves nearer to the minimum than any of them (Polyak & Juditsky 1992, DOI 10.1137/0330046).
 */
export async function adamOnBatches(
  slopeAt: (u: Float64Array) => Promise<Slope>,
  { batches, next }: Pick<RowBatches, 'batches' | 'next'>,
  all: readonly Bounds[],
  start: Float64Array,
  { maxIterations, cancel, onIteration }: OptimiserOptions,
  schedule: Schedule,
): Promise<Ending> {
  const first = await slopeAt(start);
  let best = { point: start, ...first };
  const history = [first.value];
  const end = (status: Ending['status'], reason: string, iterations: number): Ending => {
    return { status, reason, point: best.point, iterations, history };
  };
  if (!isFiniteSlope(first)) return end('failed', noStart(first), 0);
  onIteration?.(0, first.value, start);

  const rateAt = schedule();
  const { step, halt } = moments(all.length);
  let point = start;
  let iteration = 0;
  let rate = rateAt(0);
  while (iteration < maxIterations && rate > 0) {
    const sum = new Float64Array(all.length);
    let taken = 0;
    for (; taken < batches && iteration < maxIterations && rate > 0; taken++) {
      if (isCancelled(cancel)) return end('cancelled', 'stopped by the user', iteration);
      const { gradient } = await next(point);
      if (gradient.every(Number.isFinite)) point = moved(point, step(gradient, rate), all);
      else {
        point = best.point;
        halt();
      }
      for (let j = 0; j < sum.length; j++) sum[j] = sum[j]! + point[j]!;
      iteration++;
      rate = rateAt(0);
    }
    const middle = numbers(all.length, (j) => sum[j]! / taken);
    const here = await slopeAt(middle);
    if (here.value < best.value && isFiniteSlope(here)) best = { point: middle, ...here };
    history.push(best.value);
    onIteration?.(iteration, best.value, best.point);
  }
  if (rate > 0) return end('not-converged', notEnough(maxIterations), iteration);
  return { ...end('not-converged', STUCK, iteration), unjudged: true };
}
