/** What lies around a place that may be a minimum: off a saddle, beyond a plateau. Along a valley: valley.ts. */
import type { Asking } from '../asking.ts';
import { believable, clamp, type Coordinate } from '../coordinates.ts';
import type { Look } from '../expansion.ts';
import {
  energyAt,
  isFiniteExpansion,
  isSquares,
  moved,
  slopeAt,
  squaresUnit,
  type EnergyUnits,
  type Expansion,
} from './stationary.ts';
import { norm, numbers } from '../algebra/vectors.ts';

export interface Place<E> {
  readonly point: Float64Array;
  /** Of as much as was asked. */
  readonly expansion: E;
  readonly energy: number;
}

export function placeAt<E extends Expansion>(point: Float64Array, expansion: E): Place<E> {
  return { point, expansion, energy: energyAt(expansion) };
}

const exactly = (point: Float64Array): Look => point;
export const byValue = (point: Float64Array): Look => ({ point, below: -Infinity });
export const bySlope = (point: Float64Array): Look => ({ point, below: Infinity });
export const byInformation = (point: Float64Array): Look => ({ expected: point });

/** A step further; undefined where what was asked for is not finite. */
export function* tried<E extends Expansion>(
  { point }: Place<E>,
  step: Float64Array,
  all: readonly Coordinate[],
  look: (point: Float64Array) => Look = exactly,
): Asking<Look, E, Place<E> | undefined> {
  const next = moved(point, step, all);
  const found = placeAt(next, yield look(next));
  return isFiniteExpansion(found.expansion) ? found : undefined;
}

/** Whether its Hessian was spared. */
export const isSpared = ({ expansion }: Place<Expansion>): boolean =>
  !isSquares(expansion) && expansion.hessian.length === 0;

/** By how many standard errors a coordinate is from 0, to first order: what a change of its own size does. */
export function influence<E extends Expansion>({ point, expansion }: Place<E>, j: number): number {
  const u = Math.abs(point[j]!);
  return isSquares(expansion)
    ? (u * norm(expansion.jacobian[j]!)) / norm(expansion.residuals)
    : u * Math.sqrt(Math.abs(expansion.hessian[j]![j]!));
}

/** Whether a coordinate does nothing here, to first order or, of what is no square, to second. */
export function isBlind<E extends Expansion>({ expansion }: Place<E>, j: number): boolean {
  return isSquares(expansion)
    ? norm(expansion.jacobian[j]!) === 0
    : expansion.gradient[j] === 0 && expansion.hessian[j]![j] === 0;
}

/** A coordinate, and how far it goes. */
export interface Way {
  readonly j: number;
  readonly way: number;
}

/** How much of a step is tried. */
const SHARES = [1, 0.1, 0.01] as const;

/** The coordinate that takes a step to where the model has no value, and does so alone; undefined where it has one, or none does. */
export function* beyondEdge<E extends Expansion>(
  { point }: Place<E>,
  step: Float64Array,
  all: readonly Coordinate[],
): Asking<Look, E, Way | undefined> {
  const isBeyond = function* (by: Float64Array): Asking<Look, E, boolean> {
    return Number.isNaN(energyAt(yield byValue(moved(point, by, all))));
  };
  for (const share of SHARES) {
    const part = step.map((value) => share * value);
    if (!(yield* isBeyond(part))) continue;
    for (const [j, way] of part.entries())
      if (yield* isBeyond(numbers(all.length, (i) => (i === j ? way : 0)))) return { j, way };
  }
  return undefined;
}

/** Of a standard error, the others held, and of the rounding of a coordinate: nearer to an edge it stands on it. */
const ON_EDGE = { errors: 1e-3, roundings: 4 };

/**
 * The coordinate that stands where the model, or its derivatives, end, while the energy falls towards there: of a·(x − c)^p with
 * p < ½ and c at the least x. The slope of such a row grows without end, so that a step which is nothing beside its curvature, or
 * is lost in the rounding of c, says of no minimum that it is one.
 */
export function* onEdge<E extends Expansion>(
  place: Place<E>,
  all: readonly Coordinate[],
  units: EnergyUnits,
): Asking<Look, E, Way | undefined> {
  const { point, expansion, energy } = place;
  const { gradient } = slopeAt(expansion);
  const unit = isSquares(expansion) ? squaresUnit(energy, expansion.residuals.length, point.length, units)[0] : 1;
  const error = (j: number): number =>
    isSquares(expansion)
      ? Math.sqrt(unit) / norm(expansion.jacobian[j]!)
      : 1 / Math.sqrt(Math.abs(expansion.hessian[j]![j]!));
  const down = numbers(all.length, (j) => {
    const near = Math.max(ON_EDGE.errors * error(j), ON_EDGE.roundings * units.rounding * Math.abs(point[j]!));
    // Of what has no influence left an error is as long as any: numbers end there, and not the model.
    const length = Math.min(near, all[j]!.parameter.scale === 'linear' ? near : believable(all[j]!));
    // What has an edge of its own (a variance of effects) may stand there.
    return Number.isFinite(length) && all[j]!.parameter.edge === undefined ? -Math.sign(gradient[j]!) * length : 0;
  });
  if (down.every((length) => length === 0) || (yield* tried(place, down, all, bySlope))) return undefined;
  for (const [j, way] of down.entries()) {
    const alone = numbers(all.length, (i) => (i === j ? way : 0));
    if (way !== 0 && !(yield* tried(place, alone, all, bySlope))) return { j, way };
  }
  return undefined;
}

/** Bounds by which the others go on beside what stands on an edge. */
export function heldOnEdge(all: readonly Coordinate[], point: Float64Array, { j }: Way): Coordinate[] {
  return all.map((coordinate, i) => (i === j ? { ...coordinate, lower: point[j]!, upper: point[j]! } : coordinate));
}

/** Where the energy is lower along a direction in which it curves down. */
export function* off<E extends Expansion>(
  place: Place<E>,
  direction: Float64Array,
  all: readonly Coordinate[],
): Asking<Look, E, Place<E> | undefined> {
  for (const t of [10, 1, 0.1, 0.01, 1e-3, 1e-4])
    for (const side of [1, -1]) {
      const next = yield* tried(
        place,
        direction.map((value) => side * t * value),
        all,
        byValue,
      );
      if (next && next.energy < place.energy - 1e-9 * Math.abs(place.energy)) return next;
    }
  return undefined;
}

export interface Beside<E> {
  readonly lower?: Place<E>;
  /** A coordinate that has lost its influence on the way, or has it only by the others' doing. */
  readonly lost?: number;
}

export const isLower = <E>(next: Place<E>, place: Place<E>): boolean =>
  next.energy < place.energy - 1e-6 * Math.abs(place.energy);

/** Of its own size a change of a coordinate that does something to speak of, in standard errors. */
const CLEAR = 1e-3;

/**
 * Coordinates that do nothing here, or nothing to speak of, moved one by one: where that leads lower, or else which of them
 * does something there.
 */
export function* elsewhere<E extends Expansion>(
  place: Place<E>,
  idle: readonly number[],
  all: readonly Coordinate[],
): Asking<Look, E, { readonly lower?: Place<E>; readonly lost?: number }> {
  let lost: number | undefined;
  for (const j of idle.slice(0, 8)) {
    const u = place.point[j]!;
    const none = influence(place, j) === 0;
    const shifts = [
      ...(u === 0 ? [1e-3] : [1e-3 * u, -0.5 * u, -0.9 * u, -0.99 * u, -u, -2 * u, u]),
      ...(Math.abs(u) < 1e-3 ? [1, -1, 10, -10, 0.1, -0.1, 0.01, -0.01] : []),
    ];
    let symmetric = false;
    let matters = false;
    for (const [k, shift] of shifts.entries()) {
      const step = new Float64Array(all.length);
      step[j] = shift;
      const next = yield* tried(place, step, all, none ? bySlope : byInformation);
      if (!next) continue;
      if (isLower(next, place)) return { lower: next };
      const slope = isSquares(next.expansion)
        ? norm(next.expansion.jacobian[j]!)
        : Math.abs(next.expansion.gradient[j]!);
      // A symmetric point is no plateau: beside it the parameter matters.
      symmetric ||= none && k === 0 && slope > 0;
      const near = k < 7 || u === 0;
      matters ||= none ? slope > 0 : near && influence(next, j) > CLEAR;
    }
    if (matters && !symmetric) lost ??= j;
  }
  return lost === undefined ? {} : { lost };
}

/** Lengths, and how many signs are tried. */
const JOINTLY = [0.1, 1, 0.01];
const SIGNED = 4;

/** Coordinates that do nothing one by one, moved together: of L·(1 − exp(−k·x))³ with both at 0 only both do something. */
export function* jointly<E extends Expansion>(
  place: Place<E>,
  blind: readonly number[],
  all: readonly Coordinate[],
): Asking<Look, E, Place<E> | undefined> {
  if (blind.length < 2) return undefined;
  for (const length of JOINTLY)
    for (let signs = 0; signs < 2 ** Math.min(blind.length, SIGNED); signs++) {
      const step = new Float64Array(all.length);
      // Of several lengths, so that like terms do not stay alike.
      blind.forEach((j, k) => {
        const size = length * (1 + k / blind.length) * (Math.abs(place.point[j]!) || 1);
        step[j] = ((signs >> (k % SIGNED)) & 1 ? -1 : 1) * size;
      });
      const next = yield* tried(place, step, all, byValue);
      if (next && isLower(next, place)) return next;
    }
  return undefined;
}

/** A coordinate beyond this may have lost its influence by its size. */
export const VAST = 1e6;
/** Of the energy: a change that is none of rounding. */
export const SEEN = 1e-12;
/** Powers of its size to which a vast coordinate is brought back. */
const POWERS = [0.75, 0.5, 0.25, 0.1, 0];

/**
 * Vast coordinates that do nothing to speak of, brought back together: of 1/(a + b·x) with both at 10¹⁶⁰ neither does anything
 * by itself. Where that leads lower, or else which of them does something there.
 */
export function* fromAfar<E extends Expansion>(
  place: Place<E>,
  faint: readonly number[],
  all: readonly Coordinate[],
): Asking<Look, E, { readonly lower?: Place<E>; readonly lost?: number }> {
  const vast = faint.filter((j) => Math.abs(place.point[j]!) > VAST);
  if (vast.length === 0) return {};
  for (const power of POWERS) {
    const back = all.map((coordinate, j) => {
      if (!vast.includes(j)) return coordinate;
      const u = place.point[j]!;
      const at = clamp(Math.sign(u) * Math.abs(u) ** power, coordinate);
      return { ...coordinate, lower: at, upper: at };
    });
    const next = yield* tried(place, new Float64Array(all.length), back, byValue);
    if (next && isLower(next, place)) return { lower: next };
    if (next && Math.abs(next.energy - place.energy) > SEEN * Math.abs(place.energy)) return { lost: vast[0]! };
  }
  return {};
}
