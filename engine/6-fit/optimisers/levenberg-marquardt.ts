/**
 * Levenberg–Marquardt with a trust region, for min Σ r(u)² within bounds.
 *
 * The region is an ellipsoid scaled by the largest norm that each column of the Jacobian has had (Moré 1978). A
 * coordinate at a bound towards which the gradient pulls is held; steps are cut at the bounds, and judged by what the
 * linear model says of the step as cut. A step into NaN or infinity is a bad step, no failure.
 *
 * Where no step promises a reduction that arithmetic can see, the region has lost its sense of scale, or this is the end.
 * So it begins once more there, with the scale of the columns as they are; the second time settle.ts has the last word.
 */
import { clamp, knownName, type Coordinate } from '../coordinates.ts';
import { DOUBLE, isCancelled, notEnough, type Ending, type OptimiserOptions } from '../problem.ts';
import { heldOnEdge, onEdge, placeAt } from '../stationary/around.ts';
import { settle } from '../stationary/settle.ts';
import { isHeld, moved, nothingAtStart, type EnergyUnits } from '../stationary/stationary.ts';
import { leastChange, reduced } from './variable-projection.ts';
import { scaledNorm, stepRoom, trustRegionSteps, type StepRoom, type StepWithin } from './trust-region-step.ts';
import { answered, putting, type Asking } from '../asking.ts';
import { pointOf, type Linearisation } from '../expansion.ts';
import { farUnit } from '../algebra/far-units.ts';
import { dot, isFiniteVector, norm, numbers, rootOf } from '../algebra/vectors.ts';

/** r and its Jacobian at u. Throws `Cancelled` when stopped. */
export type Linearise = (u: Float64Array) => Promise<Linearisation>;

/** A share of Σr² that is lost in its rounding, in units of that. */
const PROMISE = 45;

interface State extends Linearisation {
  readonly point: Float64Array;
  readonly cost: number;
  /** Jᵀr, and the norms of the columns. */
  readonly slopes: Float64Array;
  readonly norms: Float64Array;
}

export function levenbergMarquardt(
  linearise: Linearise,
  all: readonly Coordinate[],
  start: Float64Array,
  options: OptimiserOptions,
): Promise<Ending> {
  return answered(squaresMinimised(all, start, options), linearise);
}

/** How often a fit goes on from a lower point that was found beside an end that was none. */
const LEFT = 5;
/** Iterations after which it is asked whether a coordinate stands on an edge, towards which steps grow shorter without end. */
const LOOKS = 50;

/** The method, which asks for the linearisation at one point after the other. */
export function* squaresMinimised(
  all: readonly Coordinate[],
  start: Float64Array,
  { maxIterations, rounding = DOUBLE, cancel, onIteration, sigmaKnown, observations, robust, solved }: OptimiserOptions,
): Asking<Float64Array, Linearisation, Ending> {
  const units: EnergyUnits = { sigmaKnown, observations, robust, rounding };
  let state = stateAt(start, yield start);
  const history = [state.cost];
  const end = (status: Ending['status'], reason: string, iterations: number): Ending => {
    return { status, reason, point: state.point, iterations, history };
  };
  if (!isFiniteState(state)) return end('failed', describeNonFinite(state, all), 0);
  onIteration?.(0, state.cost, state.point);

  const room = stepRoom(start.length);
  let iteration = 0;
  // As narrow as edges on which a coordinate stands: the others go on beside it.
  let within = all;
  let edge: string | undefined;
  for (let left = 0; ; left++) {
    const descent =
      left === 0 && solved && solved.length > 0
        ? projected(state, all, solved, rounding)
        : descend(state, within, room, rounding);
    let isDescending = true;
    let turn = descent.next();
    while (!turn.done && isDescending) {
      if (isCancelled(cancel)) return end('cancelled', 'stopped by the user', iteration);
      if ('point' in turn.value) {
        state = turn.value;
        iteration++;
        history.push(state.cost);
        onIteration?.(iteration, state.cost, state.point);
        if (iteration >= maxIterations) return end('not-converged', edge ?? notEnough(maxIterations), iteration);
        if (
          iteration % LOOKS === 0 &&
          (yield* putting(onEdge(placeAt(state.point, state as Linearisation), within, units), pointOf))
        )
          isDescending = false;
        else turn = descent.next();
      } else turn = descent.next(yield turn.value.ask);
    }
    const settled = yield* putting(settle(state.point, state as Linearisation, within, units), pointOf);
    state = stateAt(settled.point, settled.expansion);
    if (settled.edge) {
      within = heldOnEdge(within, settled.point, settled.edge);
      edge ??= settled.reason;
    }
    iteration++;
    history.push(state.cost);
    onIteration?.(iteration, state.cost, state.point);
    // What was on its way past an edge goes on.
    if (((settled.left || settled.edge) && left < LEFT) || (!isDescending && !settled.edge)) {
      if (iteration >= maxIterations) return end('not-converged', edge ?? notEnough(maxIterations), iteration);
      continue;
    }
    if (edge !== undefined) return { ...end('not-converged', edge, iteration), edge: true };
    return end(settled.arrived ? 'converged' : 'not-converged', settled.reason, iteration);
  }
}

/**
 * Of the region at the beginning, where some are solved for: those jump at once, and with long first steps of the others
 * two terms that are alike change places.
 */
const SHORT = 0.2;

/** What a descent does next: it asks for the linearisation at a point, or has come to a lower one. */
type Move = { readonly ask: Float64Array } | State;

/** A descent over the coordinates that are not solved for; `solved`: the positions of those that are. */
function* projected(
  from: State,
  all: readonly Coordinate[],
  solved: readonly number[],
  rounding: number,
): Generator<Move, void, Linearisation> {
  const others = all.flatMap((_, j) => (solved.includes(j) ? [] : [j]));
  const left = others.map((j) => all[j]!);
  const room = stepRoom(others.length);
  let best = from;
  /** With the others at θ: solved for, which takes a look at the residuals there, and another at what was found. */
  function* solvedAt(theta: Float64Array): Generator<Move, State, Linearisation> {
    const point = best.point.slice();
    others.forEach((j, i) => (point[j] = theta[i]!));
    const first = stateAt(point, yield { ask: point });
    if (!isFiniteState(first)) return first;
    const change = leastChange(first, solved);
    const found = point.slice();
    solved.forEach((j, i) => (found[j] = point[j]! + change[i]!));
    const second = stateAt(found, yield { ask: found });
    return isFiniteState(second) && second.cost <= first.cost ? second : first;
  }
  const theta = numbers(others.length, (i) => from.point[others[i]!]!);
  const begun = yield* solvedAt(theta);
  if (isFiniteState(begun) && begun.cost < from.cost) {
    best = begun;
    yield best;
  }
  const descent = descend(stateAt(theta, reduced(best, solved, others)), left, room, rounding, SHORT);
  let trial = best;
  let turn = descent.next();
  while (!turn.done) {
    if ('point' in turn.value) {
      best = trial;
      yield best;
      turn = descent.next();
    } else {
      trial = yield* solvedAt(turn.value.ask);
      turn = descent.next(reduced(trial, solved, others));
    }
  }
}

/** Steps within a trust region until none is left that goes down. */
function* descend(
  from: State,
  all: readonly Coordinate[],
  room: StepRoom,
  rounding: number,
  reach = 1,
): Generator<Move, void, Linearisation> {
  let state = from;
  let fresh = false;
  const scale = numbers(state.point.length, (j) => state.norms[j]! || 1);
  let radius = reach * (scaledNorm(state.point, scale) || 1);
  const least = (): number => Math.max(4 * rounding * scaledNorm(state.point, scale), 1e-300);
  for (;;) {
    if (state.cost === 0) return;
    for (let j = 0; j < scale.length; j++) scale[j] = Math.max(scale[j]!, state.norms[j]!);
    const free = freeCoordinates(state, all);
    if (free.length === 0) return;
    let stepWithin = restrictedSteps(state, scale, free, all, room);
    for (;;) {
      const { step, lambda, cut } = stepWithin(radius);
      const size = scaledNorm(step, scale);
      const promised = promise(state, step);
      if (!(promised > PROMISE * rounding)) {
        // Cut at the bounds, a step may lead nowhere; a shorter one turns down the slope before it meets them.
        if (cut && radius > rounding * scaledNorm(state.point, scale)) {
          radius = Math.min(radius, size || radius) / 4;
          continue;
        }
        if (lambda === 0 || fresh) return;
      } else {
        const next = moved(state.point, step, all);
        const trial = stateAt(next, yield { ask: next });
        const gain = isFiniteState(trial) ? (1 - trial.cost / state.cost) / promised : -1;
        if (gain <= 0.25) radius = Math.min(radius, size) * (gain > 0 ? 0.5 : 0.25);
        else if (lambda === 0 || gain >= 0.75) radius = 2 * size;
        if (gain > 1e-4) {
          state = trial;
          fresh = false;
          yield state;
          break;
        }
        if (radius > least()) continue;
        if (fresh) return;
      }
      fresh = true;
      for (let j = 0; j < scale.length; j++) scale[j] = state.norms[j]! || 1;
      radius = scaledNorm(state.point, scale) || 1;
      stepWithin = restrictedSteps(state, scale, free, all, room);
    }
  }
}

function stateAt(point: Float64Array, { residuals, jacobian }: Linearisation): State {
  const slopes = new Float64Array(point.length);
  const norms = new Float64Array(point.length);
  for (let j = 0; j < point.length; j++) {
    const column = jacobian[j]!;
    let squares = 0;
    let product = 0;
    for (let i = 0; i < column.length; i++) {
      const value = column[i]!;
      squares += value * value;
      product += value * residuals[i]!;
    }
    slopes[j] = product;
    norms[j] = rootOf(squares) ?? norm(column);
  }
  return { point, residuals, jacobian, cost: dot(residuals, residuals), slopes, norms };
}

function isFiniteState({ cost, norms }: State): boolean {
  return Number.isFinite(cost) && isFiniteVector(norms);
}

function describeNonFinite({ residuals, jacobian }: State, all: readonly Coordinate[]): string {
  const isBad = (value: number): boolean => !Number.isFinite(value);
  const row = residuals.findIndex(isBad);
  if (row >= 0) return nothingAtStart(`the residual of row ${row} is ${residuals[row]}`);
  const j = jacobian.findIndex((column) => column.some(isBad));
  if (j < 0) return nothingAtStart('the sum of squares overflows');
  return nothingAtStart(
    `the derivative of row ${jacobian[j]!.findIndex(isBad)} by ${knownName(all[j]!)} is not finite`,
  );
}

/** Coordinates that may move: not at a bound towards which -gradient points, and with some influence. */
function freeCoordinates({ point, slopes, norms }: State, all: readonly Coordinate[]): number[] {
  const free: number[] = [];
  for (let j = 0; j < all.length; j++) if (norms[j] !== 0 && !isHeld(point, slopes, all, j)) free.push(j);
  return free;
}

/** The trust-region steps over the free coordinates, cut at the bounds; `cut`: whether a bound stopped one. */
function restrictedSteps(
  { point, jacobian, residuals, norms }: State,
  scale: Float64Array,
  free: readonly number[],
  all: readonly Coordinate[],
  room: StepRoom,
): (radius: number) => ReturnType<StepWithin> & { readonly cut: boolean } {
  const every = free.length === all.length;
  const within = stepsInUnits(
    every ? jacobian : free.map((j) => jacobian[j]!),
    residuals,
    every ? norms : chosen(norms, free),
    every ? scale : chosen(scale, free),
    room,
  );
  return (radius) => {
    const { step, lambda } = within(radius);
    const whole = every ? step : new Float64Array(all.length);
    let cut = false;
    for (let i = 0; i < free.length; i++) {
      const j = free[i]!;
      const from = point[j]!;
      const target = from + step[i]!;
      const inside = clamp(target, all[j]!);
      if (inside !== target) cut = true;
      whole[j] = inside - from;
    }
    return { step: whole, lambda, cut };
  };
}

/** Columns whose products are no numbers are in units in which a factorisation can form them. */
function stepsInUnits(
  jacobian: readonly Float64Array[],
  residuals: Float64Array,
  norms: Float64Array,
  scale: Float64Array,
  room: StepRoom,
): StepWithin {
  if (!norms.some((size) => farUnit(size) !== 1)) return trustRegionSteps(jacobian, residuals, norms, scale, room);
  const units = norms.map((size) => 1 / farUnit(size));
  const inUnits = (values: Float64Array): Float64Array => values.map((value, j) => value * units[j]!);
  const columns = jacobian.map((column, j) => column.map((value) => value * units[j]!));
  const within = trustRegionSteps(columns, residuals, inUnits(norms), inUnits(scale), room);
  return (radius) => {
    const { step, lambda } = within(radius);
    return { step: inUnits(step), lambda };
  };
}

const chosen = (values: Float64Array, free: readonly number[]): Float64Array =>
  numbers(free.length, (i) => values[free[i]!]!);

/** The share of Σr² that the linear model expects a step to remove: 1 - ‖r + J·s‖²/‖r‖², formed without cancellation. */
function promise({ residuals, jacobian, cost }: State, step: Float64Array): number {
  let reduction = 0;
  for (let i = 0; i < residuals.length; i++) {
    let change = 0;
    for (let j = 0; j < step.length; j++) change += jacobian[j]![i]! * step[j]!;
    reduction -= change * (2 * residuals[i]! + change);
  }
  return reduction / cost;
}
