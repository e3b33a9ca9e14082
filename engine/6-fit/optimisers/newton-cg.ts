/**
 * Newton's method for min f(u) within bounds, without the Hessian: the trust-region step is found by conjugate gradients
 * from exact products H·d (Steihaug 1983, DOI 10.1137/0720042), which end at the region's edge, along a direction of
 * negative curvature, or once the residual is min(½, √‖g‖)·‖g‖, which makes it superlinear (Nocedal & Wright, algorithm
 * 7.2). A coordinate at a bound towards which -gradient points is held; a step is cut at the bounds and judged by what the
 * model says of it as cut. For so many parameters that a dense Hessian (newton.ts) does not pay.
 */
import type { Bounds } from '../coordinates.ts';
import { DOUBLE, isCancelled, notEnough, type Ending, type OptimiserOptions } from '../problem.ts';
import { dot, norm } from '../algebra/vectors.ts';
import { STUCK } from '../stationary/settle.ts';
import {
  isFiniteSlope,
  isHeld,
  moved,
  noStart,
  slopeLeft,
  type CurvatureQuestion,
  type Curved,
  type Slope,
} from '../stationary/stationary.ts';

interface State extends Slope {
  readonly point: Float64Array;
}

const STATIONARY = 1e-10;
/** A reduction that is lost in the rounding of f, in units of that. */
const PROMISE = 4;

export async function newtonCg(
  ask: (question: CurvatureQuestion) => Promise<Curved>,
  all: readonly Bounds[],
  start: Float64Array,
  { maxIterations, rounding = DOUBLE, cancel, onIteration }: OptimiserOptions,
): Promise<Ending> {
  const nowhere = new Float64Array(all.length);
  const at = async (point: Float64Array): Promise<State> => {
    const { value, gradient } = await ask({ point, direction: nowhere });
    return { point, value, gradient };
  };
  let state = await at(start);
  const history = [state.value];
  const end = (status: Ending['status'], reason: string, iterations: number): Ending => {
    return { status, reason, point: state.point, iterations, history };
  };
  if (!isFiniteSlope(state)) return end('failed', noStart(state), 0);
  const still = (iterations: number): Ending => ({ ...end('not-converged', STUCK, iterations), unjudged: true });
  onIteration?.(0, state.value, state.point);

  let radius = Math.sqrt(all.length);
  for (let iteration = 1; iteration <= maxIterations; iteration++) {
    for (;;) {
      if (isCancelled(cancel)) return end('cancelled', 'stopped by the user', iteration - 1);
      if (slopeLeft(state, state.point, all) <= Math.max(STATIONARY, 10 * rounding)) return still(iteration - 1);
      const timesHessian = async (direction: Float64Array) => (await ask({ point: state.point, direction })).product;
      const wanted = await steihaug(state, timesHessian, radius, all);
      const target = moved(state.point, wanted.step, all);
      const step = target.map((u, j) => u - state.point[j]!);
      const cut = step.some((value, j) => value !== wanted.step[j]);
      const curvature = cut ? dot(step, await timesHessian(step)) : wanted.curvature;
      const promised = -dot(state.gradient, step) - curvature / 2;
      const size = norm(step);
      if (Math.abs(promised) <= PROMISE * rounding * Math.abs(state.value) || radius < 1e-300) return still(iteration);
      const trial = promised > 0 ? await at(target) : undefined;
      const gain = trial && isFiniteSlope(trial) ? (state.value - trial.value) / promised : -1;
      if (gain < 0.25) radius = Math.min(radius, size || radius) / 4;
      else if (gain > 0.75 && size > 0.8 * radius) radius *= 2;
      if (trial && gain > 1e-4) {
        state = trial;
        break;
      }
    }
    history.push(state.value);
    onIteration?.(iteration, state.value, state.point);
  }
  return end('not-converged', notEnough(maxIterations), maxIterations);
}

/** The step within ‖step‖ ≤ radius over the coordinates that are not held, with sᵀHs. `most`: of ‖g‖, what may be left of it. */
export async function steihaug(
  { point, gradient }: State,
  timesHessian: (d: Float64Array) => Promise<Float64Array>,
  radius: number,
  all: readonly Bounds[],
  most = 0.5,
): Promise<{ readonly step: Float64Array; readonly curvature: number }> {
  const held = all.map((_, j) => isHeld(point, gradient, all, j));
  const onFree = (v: Float64Array) => v.map((value, j) => (held[j] ? 0 : value));
  const step = new Float64Array(point.length);
  const productOfStep = new Float64Array(point.length);
  const residual = onFree(gradient);
  const start = norm(residual);
  const enough = Math.min(most, Math.sqrt(start)) * start;
  let d = residual.map((value) => -value);
  const add = (length: number, product: Float64Array): void => {
    for (let j = 0; j < step.length; j++) {
      step[j] = step[j]! + length * d[j]!;
      productOfStep[j] = productOfStep[j]! + length * product[j]!;
    }
  };
  for (let k = 0; k < 2 * point.length + 10; k++) {
    const product = onFree(await timesHessian(d));
    const curvature = dot(d, product);
    const squares = dot(residual, residual);
    const length = squares / curvature;
    const edge = toTheEdge(step, d, radius);
    if (!(curvature > 0) || length >= edge) {
      add(edge, product);
      break;
    }
    add(length, product);
    for (let j = 0; j < residual.length; j++) residual[j] = residual[j]! + length * product[j]!;
    const left = dot(residual, residual);
    if (!(Math.sqrt(left) > enough)) break;
    d = d.map((value, j) => (left / squares) * value - residual[j]!);
  }
  return { step, curvature: dot(step, productOfStep) };
}

/** t ≥ 0 with ‖s + t·d‖ = radius. */
function toTheEdge(s: Float64Array, d: Float64Array, radius: number): number {
  const [a, b, c] = [dot(d, d), dot(s, d), dot(s, s) - radius * radius];
  const root = Math.sqrt(Math.max(0, b * b - a * c));
  // The form without cancellation.
  return b > 0 ? -c / (b + root) : (root - b) / a;
}
