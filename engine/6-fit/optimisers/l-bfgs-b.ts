/**
 * L-BFGS-B: min f(u) within bounds from gradients (Byrd, Lu, Nocedal & Zhu 1995, DOI 10.1137/0916069).
 *
 * An iteration goes along the projected steepest descent to the first minimum of the quadratic model (the generalised
 * Cauchy point, algorithm CP), which says what bounds are active, then minimises the model over the coordinates that are
 * free there (the direct primal method, section 5.1), projected into the bounds as Morales & Nocedal (2011,
 * DOI 10.1145/2049662.2049669) do, and searches along the line there for the strong Wolfe conditions.
 */
import { clamp, type Bounds } from '../coordinates.ts';
import { limitedMemory, solverOf, type LimitedMemory } from './limited-memory.ts';
import { lineSearch } from './line-search.ts';
import { DOUBLE, isCancelled, notEnough, type Ending, type OptimiserOptions } from '../problem.ts';
import { dot, norm } from '../algebra/vectors.ts';
import { STUCK } from '../stationary/settle.ts';
import { isFiniteSlope, moved, noStart, slopeLeft, type Slope } from '../stationary/stationary.ts';

interface State extends Slope {
  readonly point: Float64Array;
}

/** Of `slopeLeft`. */
const STATIONARY = 1e-10;
/** A reduction that is lost in the rounding of f, in units of that. */
const PROMISE = 4;
/** Iterations that may pass without one, or a gradient that shrinks: f is flat to rounding before u has its digits. */
const PATIENCE = 10;

/** Where so many iterations lower f by no more than this share, it crawls along a valley: those that know curvature do better. */
const CRAWL = 200;
const CRAWLED = 1e-4;

export async function lbfgsb(
  slopeAt: (u: Float64Array) => Promise<Slope>,
  all: readonly Bounds[],
  start: Float64Array,
  { maxIterations, rounding = DOUBLE, cancel, onIteration }: OptimiserOptions,
): Promise<Ending> {
  const at = async (point: Float64Array): Promise<State> => ({ point, ...(await slopeAt(point)) });
  let state = await at(start);
  const history = [state.value];
  const end = (status: Ending['status'], reason: string, iterations: number): Ending => {
    return { status, reason, point: state.point, iterations, history };
  };
  if (!isFiniteSlope(state)) return end('failed', noStart(state), 0);
  const still = (iterations: number): Ending => ({ ...end('not-converged', STUCK, iterations), unjudged: true });
  onIteration?.(0, state.value, state.point);

  const memory = limitedMemory();
  const mayEnd = all.length <= CRAWL;
  let least = Infinity;
  let idle = 0;
  for (let iteration = 1; iteration <= maxIterations; iteration++) {
    const left = slopeLeft(state, state.point, all);
    if (left <= Math.max(STATIONARY, 10 * rounding)) return still(iteration - 1);
    if (left < 0.5 * least) [least, idle] = [left, 0];
    for (;;) {
      if (isCancelled(cancel)) return end('cancelled', 'stopped by the user', iteration - 1);
      const fresh = memory.matrix.width === 0;
      const direction = directionAt(state, memory.matrix, all);
      const next = await search(at, state, direction, fresh, all, rounding);
      if (next && idle < PATIENCE) {
        idle = state.value - next.value > PROMISE * rounding * Math.abs(state.value) ? 0 : idle + 1;
        const difference = (a: Float64Array, b: Float64Array) => a.map((value, j) => value - b[j]!);
        memory.add(difference(next.point, state.point), difference(next.gradient, state.gradient));
        state = next;
        break;
      }
      if (fresh || idle >= PATIENCE) return still(iteration);
      // What the pairs remember of the curvature misleads: steepest descent has the last word.
      memory.clear();
    }
    history.push(state.value);
    onIteration?.(iteration, state.value, state.point);
    const before = history[iteration - CRAWL];
    if (mayEnd && before !== undefined && before - state.value <= CRAWLED * Math.abs(before)) return still(iteration);
  }
  return end('not-converged', notEnough(maxIterations), maxIterations);
}

/** Along d from the state; undefined where no step there goes down as arithmetic can see. */
async function search(
  at: (u: Float64Array) => Promise<State>,
  state: State,
  direction: Float64Array,
  fresh: boolean,
  all: readonly Bounds[],
  rounding: number,
): Promise<State | undefined> {
  const slope = dot(state.gradient, direction);
  if (!(slope < 0) || -slope <= PROMISE * rounding * Math.abs(state.value)) return undefined;
  const most = all.reduce((t, { lower, upper }, j) => {
    const [u, d] = [state.point[j]!, direction[j]!];
    return d === 0 ? t : Math.min(t, ((d > 0 ? upper : lower) - u) / d);
  }, 1e10);
  // Without curvature a step has no natural length: a tenth of the size of the point.
  const first = fresh ? Math.min(1, (0.1 * Math.max(norm(state.point), 1)) / norm(direction)) : 1;
  const phi = async (t: number) => {
    const trial = await at(moved(state.point, direction, all, t));
    return { ...trial, t, slope: dot(trial.gradient, direction) };
  };
  return lineSearch(phi, { value: state.value, slope }, first, Math.max(most, Math.min(first, 1)), rounding);
}

/** From the point to where the model is least. */
function directionAt({ point, gradient }: State, matrix: LimitedMemory, all: readonly Bounds[]): Float64Array {
  const { cauchy, c } = cauchyPoint(point, gradient, matrix, all);
  const least = subspaceMinimum(point, gradient, matrix, all, cauchy, c);
  const to = (target: Float64Array) => target.map((value, j) => value - point[j]!);
  const direction = to(least.projected);
  return dot(direction, gradient) < 0 ? direction : to(least.cut);
}

const row = ({ columns }: LimitedMemory, j: number): Float64Array => Float64Array.from(columns, (column) => column[j]!);

/** Algorithm CP: the first minimum along P(u - t·g), and c = Wᵀ·(u^c - u). */
function cauchyPoint(
  point: Float64Array,
  gradient: Float64Array,
  matrix: LimitedMemory,
  all: readonly Bounds[],
): { cauchy: Float64Array; c: Float64Array } {
  const { theta, width } = matrix;
  const breaks = all.map(({ lower, upper }, j) => {
    const [u, g] = [point[j]!, gradient[j]!];
    return g === 0 ? Infinity : Math.max(0, (u - (g < 0 ? upper : lower)) / g);
  });
  const d = gradient.map((g, j) => (breaks[j] === 0 ? 0 : -g));
  const p = Float64Array.from(matrix.columns, (column) => dot(column, d));
  const c = new Float64Array(width);
  const add = (into: Float64Array, factor: number, v: Float64Array): void => {
    for (let k = 0; k < width; k++) into[k] = into[k]! + factor * v[k]!;
  };
  const cauchy = point.slice();
  let slope = -dot(d, d);
  let curvature = -theta * slope - dot(p, matrix.timesM(p));
  const least = 2.2e-16 * curvature;
  let reached = 0;
  let further = slope === 0 ? 0 : -slope / curvature;
  const order = [...breaks.keys()]
    .filter((j) => breaks[j]! > 0 && breaks[j] !== Infinity)
    .sort((i, j) => breaks[i]! - breaks[j]!);
  for (const j of order) {
    const t = breaks[j]!;
    if (further < t - reached) break;
    const [g, w] = [gradient[j]!, row(matrix, j)];
    cauchy[j] = g < 0 ? all[j]!.upper : all[j]!.lower;
    const z = cauchy[j] - point[j]!;
    add(c, t - reached, p);
    const mw = matrix.timesM(w);
    slope += (t - reached) * curvature + g * g + theta * g * z - g * dot(mw, c);
    curvature -= theta * g * g + 2 * g * dot(mw, p) + g * g * dot(mw, w);
    curvature = Math.max(curvature, least);
    add(p, g, w);
    d[j] = 0;
    reached = t;
    further = slope < 0 ? -slope / curvature : 0;
  }
  reached += further;
  add(c, further, p);
  for (let j = 0; j < d.length; j++) if (d[j] !== 0) cauchy[j] = clamp(point[j]! + reached * d[j]!, all[j]!);
  return { cauchy, c };
}

/** The model's minimum over the coordinates that are free at the Cauchy point, projected, and cut at the first bound. */
function subspaceMinimum(
  point: Float64Array,
  gradient: Float64Array,
  matrix: LimitedMemory,
  all: readonly Bounds[],
  cauchy: Float64Array,
  c: Float64Array,
): { projected: Float64Array; cut: Float64Array } {
  const { theta, width, columns } = matrix;
  const free = all.flatMap(({ lower, upper }, j) => {
    const u = cauchy[j]!;
    return u > lower && u < upper ? [j] : [];
  });
  if (free.length === 0 || width === 0) return { projected: cauchy, cut: cauchy };
  const mc = matrix.timesM(c);
  const onFree = columns.map((column) => Float64Array.from(free, (j) => column[j]!));
  const reduced = Float64Array.from(free, (j, i) => {
    let value = gradient[j]! + theta * (cauchy[j]! - point[j]!);
    for (let k = 0; k < width; k++) value -= onFree[k]![i]! * mc[k]!;
    return value;
  });
  // d = -r/θ - W·(I - M·WᵀW/θ)⁻¹·M·Wᵀr/θ², over the free rows.
  const gram = onFree.map((a) => matrix.timesM(Float64Array.from(onFree, (b) => dot(a, b) / theta)));
  const system = onFree.map((_, i) => Float64Array.from(onFree, (__, j) => (i === j ? 1 : 0) - gram[j]![i]!));
  const v = solverOf(system)(matrix.timesM(Float64Array.from(onFree, (column) => dot(column, reduced))));
  const step = free.map((_, i) => {
    let value = -reduced[i]! / theta;
    for (let k = 0; k < width; k++) value -= (onFree[k]![i]! * v[k]!) / (theta * theta);
    return value;
  });
  let share = 1;
  free.forEach((j, i) => {
    const { lower, upper } = all[j]!;
    const [u, d] = [cauchy[j]!, step[i]!];
    if (d !== 0) share = Math.min(share, ((d > 0 ? upper : lower) - u) / d);
  });
  const along = (t: number): Float64Array => {
    const target = cauchy.slice();
    free.forEach((j, i) => (target[j] = clamp(cauchy[j]! + t * step[i]!, all[j]!)));
    return target;
  };
  return { projected: along(1), cut: along(share) };
}
