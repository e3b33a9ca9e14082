/**
 * Where a range ends and its coordinate does not: of a logarithm at 0, of a logit at its bounds, of free numbers at their edge. A
 * coordinate goes on there for as long as there are numbers, and the end is a model too.
 */
import { dot, norm, numbers } from '../algebra/vectors.ts';
import type { Asking } from '../asking.ts';
import { AT_BOUND, clamp, startingPoint, wayToEnd, type Coordinate } from '../coordinates.ts';
import type { Look } from '../expansion.ts';
import { byValue, isBlind, placeAt, tried, type Place } from './around.ts';
import { isFiniteExpansion, isSquares, remaining, type EnergyUnits, type Expansion } from './stationary.ts';

const ZERO = '0, the edge of what is positive';
/** Of log p, or of a logit: from there on p is 0, or a bound, beside all that it was. */
const DOWN = 30;
/** Of log p: what is near its edge may be so much less; far below, what is computed of it may have no digits left. */
export const LESS = 3;

export const edgeOf = ({ parameter: { edge, scale } }: Coordinate, u: number): string =>
  edge ?? (scale === 'logit' ? `its ${u < 0 ? 'lower' : 'upper'} bound` : ZERO);

/** With what does nothing at all, since its logarithm or logit has gone on until it underflowed, brought back to where it does. */
export function* backFromEnds<E extends Expansion>(
  place: Place<E>,
  all: readonly Coordinate[],
): Asking<Look, E, Place<E>> {
  const start = startingPoint(all);
  const faded = fadedAtEnds(place, all);
  const back = place.point.map((u, j) => {
    const far = wayBeyond(all[j]!, u, start[j]!) - AT_BOUND;
    return far > 0 && (isBlind(place, j) || faded.includes(j)) ? u - wayToEnd(all[j]!, u)! * far : u;
  });
  if (back.every((u, j) => u === place.point[j])) return place;
  const next = placeAt(back, yield back);
  const isOne = isSame(next, place) || (place.energy <= next.energy && fadedAtEnds(next, all).length > 0);
  return isFiniteExpansion(next.expansion) && isOne ? next : place;
}

/**
 * With free numbers that are on their way to their edge there. A share that is 0 to rounding falls by a factor of e with each undamped
 * step, or the energy does not bend along its way any more, while the others stay what they are. Short of its edge it would count as a
 * number that the data know, and the errors of the others would be those of no face.
 */
export function* toEdges<E extends Expansion>(
  from: Place<E>,
  all: readonly Coordinate[],
  units: EnergyUnits,
): Asking<Look, E, { readonly place: Place<E>; readonly edge?: number }> {
  const groups = new Map<Coordinate['parameter'], number[]>();
  for (const [j, { parameter }] of all.entries())
    if (parameter.freed && parameter.edge !== undefined) groups.set(parameter, [...(groups.get(parameter) ?? []), j]);
  let [place, edge]: [Place<E>, number | undefined] = [from, undefined];
  for (const group of groups.values())
    for (let k = 0; k < group.length; k++) {
      const next = yield* nextEdge(place, group, all, units);
      if (!next) break;
      [place, edge] = [next, edge ?? group[0]!];
    }
  return edge === undefined ? { place } : { place, edge };
}

/**
 * Where the first of the group comes to its edge, if nothing is higher there. Where several go there together it is short of the edge: one
 * that is held there would hold other shares with it.
 */
function* nextEdge<E extends Expansion>(
  place: Place<E>,
  group: readonly number[],
  all: readonly Coordinate[],
  units: EnergyUnits,
): Asking<Look, E, Place<E> | undefined> {
  const within = (v: Float64Array): Float64Array => Float64Array.from(group, (j) => v[j]!);
  const u = within(place.point);
  if (!(norm(u) > DEEP)) return undefined;
  const { step, flat = [] } = remaining(place.expansion, place.point, all, units);
  const alone = flat.flatMap((way) => (way.every((s, j) => s === 0 || group.includes(j)) ? [within(way)] : []));
  for (const whole of [...(norm(within(step)) >= FADING ? [within(step)] : []), ...alone]) {
    const most = whole.reduce((largest, s) => Math.max(largest, Math.abs(s)), 0);
    const way = whole.map((s) => (Math.abs(s) < BESIDE * most ? 0 : s));
    const outwards = Math.sign(dot(way, u));
    const rooms = group.map((j, i) => {
      const s = outwards * way[i]!;
      return s === 0 ? Infinity : ((s < 0 ? all[j]!.lower : all[j]!.upper) - u[i]!) / s;
    });
    const isAlone = way.filter((s) => s !== 0).length === 1;
    const far = Math.min(...rooms) * (isAlone ? 1 : SHORT);
    if (!(far > 0 && far < Infinity)) continue;
    const point = place.point.slice();
    for (const [i, j] of group.entries()) {
      const s = outwards * way[i]!;
      point[j] = clamp(rooms[i] === far ? Math.sign(s) * Infinity : u[i]! + far * s, all[j]!);
    }
    const next = placeAt(point, yield point);
    const isNoHigher = next.energy <= place.energy + SAME * Math.abs(place.energy);
    if (isFiniteExpansion(next.expansion) && isNoHigher) return next;
  }
  return undefined;
}

/** Of the way there. */
const SHORT = 0.9;
/** Of the coordinate that moves most: what moves less stays where it is. */
const BESIDE = 1e-3;

/** An undamped step of free numbers where a share fades, about 1, and how far they are out where a share is all but 0. */
const [FADING, DEEP] = [0.1, 10];

/** How far towards the end of its range a logarithm has come from its start, or a logit from the middle. */
function wayBeyond(coordinate: Coordinate, u: number, start: number): number {
  const way = wayToEnd(coordinate, u);
  return way === undefined ? -Infinity : way * (u - (coordinate.parameter.scale === 'log' ? start : 0));
}

/**
 * What is at the end of its range where that is all that is left of −log L, in proportion to how far it still is: no part of nothing
 * is small, and of counts of which none is above 0 the end is the minimum. Where a curve tells rows of 0 from rows of 1 its slope is
 * far more than it.
 */
export function fadedAtEnds<E extends Expansion>(
  { point, expansion, energy }: Place<E>,
  all: readonly Coordinate[],
): number[] {
  if (isSquares(expansion) || !(energy >= 0)) return [];
  const start = startingPoint(all);
  const { gradient } = expansion;
  const ends = all.flatMap((coordinate, j) => (wayBeyond(coordinate, point[j]!, start[j]!) > DOWN ? [j] : []));
  const slopes = ends.reduce((sum, j) => sum - wayToEnd(all[j]!, point[j]!)! * gradient[j]!, 0);
  const others = all.some((_, j) => !ends.includes(j) && Math.abs(gradient[j]!) > IN_PROPORTION * slopes);
  // Next to 1 a share is 1 to rounding before its slope is 0.
  const isAll = energy === 0 ? slopes > 0 : Math.abs(slopes - energy) <= IN_PROPORTION * energy;
  return isAll && !others ? ends : [];
}

/** Of the energy: by how much its slope there may be another number. */
const IN_PROPORTION = 1e-3;

/**
 * Whether a parameter that is varied by its logarithm or logit, and whose slope there has faded, is at the end of its range: the
 * energy falls towards there, which is a model too.
 */
export function* isAtEnd<E extends Expansion>(
  place: Place<E>,
  j: number,
  all: readonly Coordinate[],
): Asking<Look, E, boolean> {
  const way = wayToEnd(all[j]!, place.point[j]!);
  if (way === undefined) return false;
  const { expansion } = place;
  const slope = isSquares(expansion) ? dot(expansion.jacobian[j]!, expansion.residuals) : expansion.gradient[j]!;
  return slope * way < 0 && (yield* isNothing(place, j, all, way * DOWN));
}

/**
 * Whether −log L falls on where free numbers end. What has a limit at the edge changes there by as little as the parameter does; the
 * logarithm of a share, or of a determinant, by as much as ever.
 */
export function fallsAtEnd<E extends Expansion>(
  { point, expansion }: Place<E>,
  coordinate: Coordinate,
  j: number,
): boolean {
  const { parameter, lower, upper } = coordinate;
  if (!parameter.freed || parameter.edge === undefined || isSquares(expansion)) return false;
  const u = point[j]!;
  const slope = expansion.gradient[j]!;
  return (u >= upper && slope < -FALLING) || (u <= lower && slope > FALLING);
}

/** Of −log L, for each unit of a free number. */
const FALLING = 1e-3;

/** Whether it changes nothing where what is varied by its logarithm or logit is so much further. */
export function* isNothing<E extends Expansion>(
  place: Place<E>,
  j: number,
  all: readonly Coordinate[],
  by: number,
): Asking<Look, E, boolean> {
  const next = yield* tried(
    place,
    numbers(all.length, (i) => (i === j ? by : 0)),
    all,
    byValue,
  );
  return next !== undefined && isSame(next, place);
}

const isSame = <E extends Expansion>(a: Place<E>, b: Place<E>): boolean =>
  Math.abs(a.energy - b.energy) <= SAME * Math.abs(b.energy);

/** Of the energy: what 0 may change of it where a parameter is there. */
const SAME = 1e-6;
