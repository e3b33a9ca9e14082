/**
 * Newton's method with exact Hessians for min f(u) within bounds, damped as Levenberg–Marquardt is:
 * (H + λ·D)·s = -g with D the size of H's diagonal, λ the smallest tried for which H + λ·D is positive definite and f
 * goes down as the model says. For objectives that are no sum of squares. The Hessian's columns are exact
 * Hessian-vector products, one for each coordinate, formed in one run. Where they cost as much as many gradients the expected
 * information leads to where it can (Fisher scoring), and a Hessian is kept for some steps. Where no step goes down, settle.ts has
 * the last word, by the exact one.
 */
import { answered, type Asking } from '../asking.ts';
import type { Look, Quadratic } from '../expansion.ts';
import { cholesky, choleskySolve } from '../algebra/cholesky.ts';
import { rankOne } from '../algebra/rank-one.ts';
import { clamp, straightInValue, type Coordinate } from '../coordinates.ts';
import { DOUBLE, isCancelled, notEnough, type Ending, type OptimiserOptions } from '../problem.ts';
import { heldOnEdge, onEdge, placeAt } from '../stationary/around.ts';
import { fadedAtEnds } from '../stationary/ends.ts';
import { beyondNumbers } from '../stationary/far-sizes.ts';
import { settle } from '../stationary/settle.ts';
import { LEAST_DECREMENT, noStart, type EnergyUnits } from '../stationary/stationary.ts';
import { dot } from '../algebra/vectors.ts';

interface State extends Quadratic {
  readonly point: Float64Array;
  /** Steps since the Hessian was asked for; absent where it is that of the point. */
  readonly updates?: number;
  /** The value where it was asked for. */
  readonly from: number;
  /** The expected information has the Hessian's place. */
  readonly expected?: true;
}

/** A reduction that is lost in the rounding of f, in units of that. */
const PROMISE = 4;
const LOST = 1e-13;
/** Of what a step promises, what it is to keep. */
const ENOUGH = 1e-4;
/** How often a fit goes on from a lower point that was found beside an end that was none. */
const LEFT = 5;
/** Iterations after which it is asked whether a coordinate stands on an edge, towards which steps grow shorter without end. */
const LOOKS = 50;

/** Steps for which a Hessian is kept, where it costs as much as many gradients, and the way of steps. */
const KEPT = 10;

/** Of a gradient in standard errors, where Hessians cost so much. */
const ENOUGH_DIGITS = 1e-7;

/** Where a Hessian costs as much as many gradients. */
export interface Sparing {
  /** Whether the expected information is known. */
  readonly scores: boolean;
}

/** Of the least that matters of −log L: for less nobody asks for another of those. */
const SPARED = 1e-5;

/** Of −log L: a scored step that leads so far is followed by another, and one that does not keeps its matrix. */
const NEAR = 1e-3;

export function newton(
  expand: (look: Look) => Promise<Quadratic>,
  all: readonly Coordinate[],
  start: Float64Array,
  options: OptimiserOptions,
  sparing?: Sparing,
): Promise<Ending> {
  return answered(curveMinimised(all, start, options, sparing), expand);
}

/** The method, which asks for value, gradient and Hessian at one point after the other. */
export function* curveMinimised(
  all: readonly Coordinate[],
  start: Float64Array,
  { maxIterations, rounding = DOUBLE, cancel, onIteration }: OptimiserOptions,
  sparing?: Sparing,
): Asking<Look, Quadratic, Ending> {
  const exactly = function* (point: Float64Array): Asking<Look, Quadratic, State> {
    const found = yield point;
    return { point, ...found, from: found.value };
  };
  const scored = function* (point: Float64Array): Asking<Look, Quadratic, State> {
    if (!sparing?.scores) return yield* exactly(point);
    const found = yield { expected: point };
    return isFinite(found) ? { point, ...found, from: found.value, expected: true } : yield* exactly(point);
  };
  /** By the expected information again while that leads on, and from there by the exact Hessian: a bent valley wants it. */
  const afresh = ({ point, value, from, expected }: State): Asking<Look, Quadratic, State> =>
    expected && from - value > LEAST_DECREMENT ? scored(point) : exactly(point);
  let state = yield* scored(start);
  const history = [state.value];
  const end = (status: Ending['status'], reason: string, iterations: number): Ending => {
    return { status, reason, point: state.point, iterations, history };
  };
  if (!isFinite(state)) return end('failed', beyondNumbers(start, state, all) ?? noStart(state), 0);
  onIteration?.(0, state.value, state.point);

  const units: EnergyUnits = { rounding, ...(sparing && { enough: ENOUGH_DIGITS }) };
  const least = (value: number): number =>
    Math.max(
      PROMISE * rounding * Math.abs(value),
      sparing ? SPARED * LEAST_DECREMENT * Math.min(1, Math.abs(value)) : 0,
    );
  let [lambda, way]: [number, Way] = [1e-3, 'coordinates'];
  let left = 0;
  let look = LOOKS;
  // As narrow as edges on which a coordinate stands: the others go on beside it.
  let within = all;
  let edge: string | undefined;
  for (let iteration = 0; ;) {
    if (iteration >= maxIterations) return end('not-converged', edge ?? notEnough(maxIterations), iteration);
    const looks = iteration >= look;
    if (looks) look += LOOKS;
    if (state.updates !== undefined && (looks || state.updates >= KEPT)) state = yield* afresh(state);
    const ahead = looks ? yield* onEdge(placeAt(state.point, state as Quadratic), within, { rounding }) : undefined;
    // Part by part of nothing it would go down for as long as there are numbers.
    const isDone = fadedAtEnds(placeAt(state.point, state as Quadratic), within).length > 0;
    const lower: Lower | 'cancelled' | undefined =
      ahead || isDone ? undefined : yield* lowered(state, lambda, way, within, least, cancel);
    if (lower === 'cancelled') return end('cancelled', 'stopped by the user', iteration);
    if (lower) {
      const isFar = state.expected && state.value - lower.state.value > NEAR;
      ({ state, lambda, way } = lower);
      if (iteration % KEPT === 0) way = 'coordinates';
      if (isFar) state = yield* afresh(state);
      iteration++;
    } else if (state.updates !== undefined || state.expected) {
      state = yield* afresh(state);
      continue;
    } else {
      const { point, expansion, ...settled } = yield* settle(state.point, state as Quadratic, within, units);
      state = sparing ? yield* exactly(point) : { point, ...expansion, from: expansion.value };
      if (settled.edge) {
        within = heldOnEdge(within, point, settled.edge);
        edge ??= settled.reason;
      }
      // What was on its way past an edge goes on.
      const goesOn = ahead && !settled.edge;
      if (!goesOn && (!(settled.left || settled.edge) || left++ === LEFT)) {
        history.push(state.value);
        if (edge !== undefined) return { ...end('not-converged', edge, iteration), edge: true };
        const ending = end(settled.arrived ? 'converged' : 'not-converged', settled.reason, iteration);
        return settled.endless ? { ...ending, endless: true } : ending;
      }
      lambda = 1e-3;
    }
    history.push(state.value);
    onIteration?.(iteration, state.value, state.point);
  }
}

/**
 * In what a step is a straight line. A valley along which a product of parameters stays what it is, is straight in their logarithms,
 * and one of a sum in themselves; along the other the step leaves its floor after a hundredth of the way.
 */
type Way = 'coordinates' | 'parameters';
const WAYS: readonly Way[] = ['coordinates', 'parameters'];

/** A step so short is the same either way. */
const SHORT_STEP = 1e-6;

interface Lower {
  readonly state: State;
  readonly lambda: number;
  readonly way: Way;
}

/** A lower point, by the least damping that leads to one, first the way that did last time; undefined where none does. */
function* lowered(
  state: State,
  damping: number,
  last: Way,
  all: readonly Coordinate[],
  least: (value: number) => number,
  cancel: Int32Array | undefined,
): Asking<Look, Quadratic, Lower | 'cancelled' | undefined> {
  const free = freeCoordinates(state, all);
  if (free.length === 0) return undefined;
  let lambda = damping;
  const more = (): number => (lambda = Math.max(4 * lambda, 1e-6));
  for (let tries = 0; tries <= 120; tries++) {
    if (isCancelled(cancel)) return 'cancelled';
    const found = dampedStep(state, free, lambda, all);
    if (!found) {
      more();
      continue;
    }
    const { step, cut } = found;
    const promised = -modelChange(state, step);
    if (!(promised > least(state.value))) {
      // With more damping the step turns down the slope before it meets the bound.
      if (cut && tries <= 20) more();
      else if (lambda < 1e-2 || tries > 20) return undefined;
      else lambda /= 10;
      continue;
    }
    const below = state.value - ENOUGH * promised;
    const isBent = step.some((s, j) => all[j]!.parameter.scale !== 'linear' && Math.abs(s) > SHORT_STEP);
    for (const way of isBent ? [last, ...WAYS.filter((other) => other !== last)] : [last]) {
      const point = state.point.map((value, j) => clamp(movedBy(way, all[j]!, value, step[j]!), all[j]!));
      const seen = yield { point, below };
      const tried: State = { point, ...seen, from: seen.value };
      if (!(tried.value < below && isFinite(tried))) continue;
      const kept = (state.value - tried.value) / promised;
      const next = tried.hessian.length > 0 ? tried : carriedOver(state, tried);
      return { state: next, lambda: kept > 0.75 ? (lambda < 1e-12 ? 0 : lambda / 8) : lambda, way };
    }
    if (state.updates !== undefined) return undefined;
    // Terms that cancel leave a value whose rounding is larger than its own size says.
    if (promised <= LOST * Math.max(1, Math.abs(state.value)) && lambda < 1e-2) return undefined;
    more();
  }
  return undefined;
}

const movedBy = (way: Way, coordinate: Coordinate, u: number, s: number): number =>
  way === 'coordinates' ? u + s : straightInValue(coordinate, u, s);

/** The Hessian of another point by what the gradient has changed since. */
function carriedOver(
  { point, gradient, hessian, from, expected, updates = 0 }: State,
  to: Quadratic & Pick<State, 'point'>,
): State {
  const step = to.point.map((value, j) => value - point[j]!);
  const change = to.gradient.map((slope, j) => slope - gradient[j]!);
  return {
    ...to,
    hessian: rankOne(hessian, step, change),
    from,
    updates: updates + 1,
    ...(expected && { expected }),
  };
}

function isFinite({ value, gradient, hessian }: Quadratic): boolean {
  return (
    Number.isFinite(value) && gradient.every(Number.isFinite) && hessian.every((row) => row.every(Number.isFinite))
  );
}

function freeCoordinates({ point, gradient, hessian }: State, all: readonly Coordinate[]): number[] {
  return all.flatMap((coordinate, j) => {
    const slope = gradient[j]!;
    const held = (point[j]! <= coordinate.lower && slope > 0) || (point[j]! >= coordinate.upper && slope < 0);
    const idle = slope === 0 && hessian[j]!.every((entry) => entry === 0);
    return held || idle ? [] : [j];
  });
}

interface Step {
  readonly step: Float64Array;
  /** Whether a bound stopped it. */
  readonly cut: boolean;
}

/**
 * The damped step over the free coordinates; undefined where H + λ·D is not positive definite. A coordinate that it would
 * take past a bound goes to the bound, and the others are solved for again: cut one by one, a step need not go down at all.
 */
function dampedStep(
  state: State,
  free: readonly number[],
  lambda: number,
  all: readonly Coordinate[],
): Step | undefined {
  const step = new Float64Array(all.length);
  for (let open = free; ;) {
    const factor = cholesky(damped(state, open, lambda));
    if (!factor) return undefined;
    const slope = (j: number): number => state.gradient[j]! + dot(state.hessian[j]!, step);
    const solved = choleskySolve(
      factor,
      Float64Array.from(open, (j) => -slope(j)),
    );
    const past = new Set<number>();
    open.forEach((j, i) => {
      const from = state.point[j]!;
      const target = from + solved[i]!;
      const inside = clamp(target, all[j]!);
      step[j] = inside - from;
      if (inside !== target) past.add(j);
    });
    if (past.size === 0 || past.size === open.length) return { step, cut: past.size > 0 || open.length < free.length };
    open = open.filter((j) => !past.has(j));
    for (const j of open) step[j] = 0;
  }
}

function damped({ hessian }: State, open: readonly number[], lambda: number): Float64Array[] {
  const entry = (i: number, j: number): number => hessian[i]![j]!;
  return open.map((i) =>
    Float64Array.from(open, (j) => {
      const symmetric = (entry(i, j) + entry(j, i)) / 2;
      return i === j ? symmetric + lambda * (Math.abs(symmetric) || 1) : symmetric;
    }),
  );
}

function modelChange({ gradient, hessian }: State, step: Float64Array): number {
  let curvature = 0;
  hessian.forEach((row, i) => (curvature += step[i]! * dot(row, step)));
  return dot(gradient, step) + curvature / 2;
}
