/**
 * How every fit ends: where a method can go no further, the last digits are made by undamped steps, and the one test
 * (stationary.ts) says whether the end is a minimum. It takes nobody's word:
 *
 * - of squares whose residuals are large or whose Jacobian is singular, the Hessian is formed by differences of the exact
 *   gradient, since Gauss and Newton's leaves out what bends there;
 * - a saddle is left along the direction in which the energy curves down;
 * - where the energy only fades, as exp(-k) does, undamped steps are no shorter than those before, and there is no minimum;
 * - a parameter without any influence is looked for elsewhere: if it has some there, the model has lost it on the way.
 */
import {
  beyondEdge,
  bySlope,
  elsewhere,
  fromAfar,
  influence,
  isBlind,
  isSpared,
  jointly,
  off,
  onEdge,
  placeAt,
  tried,
  type Beside,
  type Place,
  type Way,
} from './around.ts';
import { rounded, runOff, runOffTogether } from './run-off.ts';
import { backFromEnds, edgeOf, fadedAtEnds, fallsAtEnd, isAtEnd, isNothing, LESS, toEdges } from './ends.ts';
import { beyondNumbers } from './far-sizes.ts';
import { alongValley, flattenedOut, withinErrors } from './valley.ts';
import type { Asking } from '../asking.ts';
import { clamp, fromCoordinate, knownName, startingPoint, type Coordinate } from '../coordinates.ts';
import type { Linearisation, Look, Quadratic } from '../expansion.ts';
import {
  hasFaded,
  isFiniteExpansion,
  isHeld,
  isSquares,
  knownToTheLastDigit,
  LEAST_DECREMENT,
  remaining,
  squaresUnit,
  type EnergyUnits,
  type Expansion,
  type Remaining,
} from './stationary.ts';
import { symmetricEigen } from '../algebra/eigen.ts';
import { dot, norm, numbers } from '../algebra/vectors.ts';

export interface Settled<E> {
  readonly point: Float64Array;
  readonly expansion: E;
  readonly arrived: boolean;
  /** One sentence. */
  readonly reason: string;
  /** A lower point lies beyond a saddle or on another side of a plateau: a method may go on from it. */
  readonly left: boolean;
  /** It falls without end, whoever looks for it. */
  readonly endless?: true;
  /** What stands on the edge of where the model has a value. */
  readonly edge?: Way;
}

export const ARRIVED = 'no step reduces the objective any further';
const NOTHING = 'no parameter has any influence on the objective';
const FADED = 'the objective has run out to 0 as parameters grow, and its slope with it: there is no minimum here';
const VANISHING = 'the residuals are so small that their squares are 0: give the data in another unit';
export const STUCK = 'no step reduces the objective, but its gradient is not zero';

/** Coordinates up to which a Hessian is formed by differences, at two evaluations for each. */
const FEW = 60;
const POLISHING = 12;
/** Flat directions that are tried. */
const FLAT = 3;
/** Of its own size a change of a coordinate that moves nothing to speak of, in standard errors. */
const FAINT = 1e-6;
const AT_EDGE = 1e-9;
/** What is left of the gradient after an undamped step, where there is a minimum at all; 1/e where the energy fades. */
const SHRINKS = 0.33;

const underflows = (expansion: Expansion): boolean =>
  isSquares(expansion) && expansion.residuals.some((residual) => residual !== 0);

export function* settle<E extends Expansion>(
  from: Float64Array,
  expansion: E,
  all: readonly Coordinate[],
  units: EnergyUnits,
): Asking<Look, E, Settled<E>> {
  const polished = yield* polish(yield* backFromEnds(placeAt(from, expansion), all), all, units);
  const outermost = yield* toEdges(polished, all, units);
  let { place } = outermost;
  const end = (arrived: boolean, reason: string, left = false): Settled<E> => {
    // Whatever seems flat where curvature is no number.
    const far = arrived || left ? undefined : beyondNumbers(place.point, place.expansion, all);
    return { ...place, arrived, reason: far ?? reason, left };
  };
  const atEnds = (j: number): Settled<E> =>
    end(true, `${ARRIVED}; "${nameOf(all, j)}" is at ${edgeOf(all[j]!, place.point[j]!)}`);
  const [nothingLeft] = fadedAtEnds(place, all);
  if (nothingLeft !== undefined) return atEnds(nothingLeft);
  if (place.energy === 0 && !isSquares(place.expansion) && outermost.edge !== undefined) return atEnds(outermost.edge);
  const rounding = yield* rounded(place, all, units);
  if (place.energy <= rounding) {
    const alone = yield* runOff(place, rounding, all);
    const lost = alone ?? (yield* runOffTogether(place, rounding, all, units));
    if (lost !== undefined) return end(false, runsOff(all, lost));
    if (place.energy === 0)
      return underflows(place.expansion) ? end(false, VANISHING) : end(true, 'the residuals are zero');
  }
  const endless = fallsWith(place, all);
  if (endless) return { ...end(false, withoutEnd(all, endless)), endless: true };
  const edge = yield* onEdge(place, all, units);
  if (edge) return { ...end(false, standsOnEdge(all, place.point, edge)), edge };
  let { rest, runs } = yield* look(place, (e) => e, all, units);
  const bent = isSquares(expansion) && all.length <= FEW;
  // A coordinate without influence here may be at the top of a ridge, where its slope vanishes by symmetry.
  const unsure = rest.singular || rest.idle.length > 0 || rest.decrement > LEAST_DECREMENT || units.robust === true;
  if (bent && (!rest.arrived || unsure || runs !== undefined)) {
    const before = place.energy;
    for (let k = 0; ; k++) {
      const curved = yield* curvature(place, all, units);
      if (!isFiniteExpansion(curved)) break;
      ({ rest, runs } = yield* look(place, () => curved, all, units, curved));
      if (rest.downhill || (rest.arrived && runs === undefined) || k === POLISHING) break;
      const next = yield* tried(place, rest.step, all);
      if (!next || !isNearer(next, place, all, curved)) break;
      place = next;
    }
    if (place.energy < before * (1 - 1e-6)) return end(false, STUCK, true);
  }
  if (rest.downhill) {
    const lower = yield* off(place, rest.downhill, all);
    if (lower) {
      place = lower;
      return end(false, 'this is a saddle', true);
    }
    return end(false, 'the objective curves downwards here, and no step reduces it');
  }
  // What has an edge of its own (a variance of effects) may end there.
  const hasEdge = (j: number): boolean => all[j]?.parameter.edge !== undefined;
  const flat = rest.flat?.length || !isSquares(place.expansion) ? (rest.flat ?? []) : blindAlong(place.expansion);
  const moved = new Set<number>();
  for (const direction of flat.slice(0, FLAT)) {
    const beside = yield* off(place, direction, all);
    let found: Beside<E> = beside ? { lower: beside } : yield* alongValley(place, direction, all, units, moved);
    if (!found.lower && found.lost === undefined) found = yield* flattenedOut(place, direction, all, units);
    if (found.lower) {
      place = found.lower;
      return end(false, STUCK, true);
    }
    if (found.lost !== undefined && !hasEdge(found.lost)) return end(false, runsOff(all, found.lost));
  }
  const vaguest = rest.arrived ? leastCurved(place.expansion) : undefined;
  const afar = vaguest && (yield* withinErrors(place, vaguest, all, units));
  if (afar) {
    place = afar;
    return end(false, STUCK, true);
  }
  const blind = all.flatMap((_, j) => (isBlind(place, j) ? [j] : []));
  const together = yield* jointly(place, blind, all);
  if (together) {
    place = together;
    return end(false, STUCK, true);
  }
  let vanished = -1;
  const ends: number[] = [];
  if (rest.idle.length > 0) {
    const found = yield* elsewhere(place, rest.idle, all);
    if (found.lower) {
      place = found.lower;
      return end(false, STUCK, true);
    }
    if (found.lost !== undefined && !hasEdge(found.lost)) return end(false, flatHere(all, found.lost));
    vanished = found.lost ?? -1;
    if (rest.idle.length === all.length) return end(false, NOTHING);
  }
  if (!rest.arrived) {
    const beyond = yield* beyondEdge(place, rest.step, all);
    return end(false, beyond ? stuckAtEdge(all, beyond) : STUCK);
  }
  const least = (j: number): number => (hasEdge(j) ? AT_EDGE : FAINT);
  const faint = all.flatMap((_, j) => (influence(place, j) < least(j) && place.point[j] !== 0 ? [j] : []));
  for (const j of new Set([...faint, ...(runs === undefined ? [] : [runs])]))
    if (!hasEdge(j) && (yield* isAtEnd(place, j, all))) ends.push(j);
  const isEnd = (j: number | undefined): boolean => j !== undefined && ends.includes(j);
  for (const beside of faint.length > 0 ? [elsewhere, fromAfar] : []) {
    const found = yield* beside(place, faint, all);
    if (found.lower) {
      place = found.lower;
      return end(false, STUCK, true);
    }
    // Of several that are lost the first is named: those that are at an end shall hide no other.
    const lost = isEnd(found.lost)
      ? (yield* beside(
          place,
          faint.filter((j) => !isEnd(j)),
          all,
        )).lost
      : found.lost;
    if (lost !== undefined && !hasEdge(lost)) return end(false, flatHere(all, lost));
    vanished = found.lost ?? vanished;
  }
  if (rest.idle.length + (rest.flat?.length ?? 0) >= all.length) return end(false, NOTHING);
  if (!isSquares(place.expansion) && hasFaded(place.expansion)) return end(false, FADED);
  const extreme = place.point.findIndex((u) => u !== 0 && !(Math.abs(u) > 1e-290 && Math.abs(u) < 1e290));
  const bound = all.findIndex(({ parameter, lower, upper }, j) => {
    const u = place.point[j]!;
    return parameter.edge !== undefined && (u <= lower || u >= upper);
  });
  const falls = all.findIndex((coordinate, j) => fallsAtEnd(place, coordinate, j));
  if (falls >= 0) return { ...end(false, fallsToEdge(all, falls)), endless: true };
  let vanishing: number | undefined;
  for (const j of new Set([vanished, extreme, runs ?? -1, bound])) {
    if (j < 0 || vanishing !== undefined || !(hasEdge(j) || isEnd(j))) continue;
    // It may have no influence where it is, beside another that does the same, and be far from its edge.
    if (isEnd(j) || all[j]!.parameter.scale !== 'log' || (yield* isNothing(place, j, all, -LESS))) vanishing = j;
  }
  if (vanishing !== undefined && (hasEdge(vanishing) || runs === undefined || isEnd(runs))) return atEnds(vanishing);
  if (extreme >= 0) return end(false, `"${nameOf(all, extreme)}" has come to the edge of the numbers`);
  if (runs !== undefined && !hasEdge(runs)) return end(false, runsOff(all, runs));
  if (outermost.edge !== undefined) return atEnds(outermost.edge);
  return end(true, ARRIVED);
}

/** Directions along which the residuals do not change to first order, of several coordinates: what the differences of a Hessian make of them is noise. */
function blindAlong({ jacobian }: Linearisation): Float64Array[] {
  const norms = jacobian.map((column) => norm(column) || 1);
  const gram = jacobian.map((a, i) =>
    Float64Array.from(jacobian, (b, j) => (i === j ? 1 : dot(a, b) / (norms[i]! * norms[j]!))),
  );
  const { values, vectors } = symmetricEigen(gram);
  return vectors.filter((_, k) => values[k]! < BLIND).map((vector) => vector.map((x, j) => x / norms[j]!));
}

/** Along what a Hessian hardly bends, as far as it says that this is known; undefined where it bends. */
function leastCurved(expansion: Expansion): Float64Array | undefined {
  if (isSquares(expansion) || expansion.hessian.length > FEW) return undefined;
  const { hessian } = expansion;
  const roots = hessian.map((row, i) => Math.sqrt(row[i]!));
  if (!roots.every((root) => root > 0 && Number.isFinite(root))) return undefined;
  const unit = hessian.map((row, i) => Float64Array.from(row, (x, j) => x / (roots[i]! * roots[j]!)));
  const { values, vectors } = symmetricEigen(unit);
  const [least] = values;
  if (!(Math.abs(least!) < FAINTLY)) return undefined;
  return vectors[0]!.map((x, j) => x / (roots[j]! * Math.sqrt(Math.abs(least!))));
}

/** An eigenvalue of a Hessian with a unit diagonal that differences of gradients may have made. */
const FAINTLY = 1e-3;

/** An eigenvalue of a Gram matrix with a unit diagonal that is 0 to rounding. */
const BLIND = 1e-14;

const flatHere = (all: readonly Coordinate[], j: number): string =>
  `the objective is flat here: "${nameOf(all, j)}" has no influence, but has elsewhere`;
const runsOff = (all: readonly Coordinate[], j: number): string =>
  `the objective flattens out as "${nameOf(all, j)}" runs off: there is no minimum here`;

const fallsToEdge = (all: readonly Coordinate[], j: number): string =>
  `the likelihood grows without end as "${nameOf(all, j)}" comes to ${all[j]!.parameter.edge}, and there is no minimum here`;

const withoutEnd = (all: readonly Coordinate[], { j, way }: Way): string =>
  `the data are met to the last digit, and the likelihood grows without end as "${nameOf(all, j)}" ${way > 0 ? 'grows' : 'shrinks'}: there is no minimum here`;

const nameOf = (all: readonly Coordinate[], j: number): string => knownName(all[j]!);

function stuckAtEdge(all: readonly Coordinate[], { j, way }: Way): string {
  const [than, bound] = way < 0 ? ['smaller', 'lower'] : ['larger', 'upper'];
  const name = nameOf(all, j);
  return `${STUCK}: with a ${than} "${name}" the model has no value, and its minimum may lie at that edge: give "${name}" a bound ("${bound}"), or write the model so that it has a value everywhere`;
}

function standsOnEdge(all: readonly Coordinate[], point: Float64Array, { j, way }: Way): string {
  const [than, bound] = way < 0 ? ['smaller', 'lower'] : ['larger', 'upper'];
  const name = nameOf(all, j);
  const value = plainest(fromCoordinate(all[j]!, point[j]!), fromCoordinate(all[j]!, point[j]! + way));
  return `"${name}" stands at the edge of where the model has a value, at ${value}: the objective falls towards it, and with a ${than} "${name}" the model has no value, or no slope: fix "${name}" there, give "${name}" a bound ("${bound}"), or write the model so that it has a value everywhere`;
}

/** The number of fewest digits between two, as edges are: 0, or a value of the data. */
function plainest(from: number, to: number): number {
  if (from * to <= 0) return 0;
  for (let digits = 1; digits < 17; digits++) {
    const value = Number(from.toPrecision(digits));
    if ((value - from) * (value - to) <= 0) return value;
  }
  return from;
}

/** So far from its start, in logarithms, a coordinate may be on its way without end. */
const FAR = Math.log(1e6);

/**
 * The coordinate with which −log L falls without end: the spread about what meets the data to the last digit. Of those that are not
 * known so well themselves, the one that has come farthest from its start.
 */
function fallsWith<E extends Expansion>({ point, expansion }: Place<E>, all: readonly Coordinate[]): Way | undefined {
  if (isSquares(expansion)) return undefined;
  const known = knownToTheLastDigit(expansion, point);
  if (known.length === 0) return undefined;
  const start = startingPoint(all);
  const ways = all.map(({ parameter }, j): Way => {
    const [u, from] = [point[j]!, start[j]!];
    return { j, way: parameter.scale === 'linear' ? Math.log(Math.abs(u / from)) : u - from };
  });
  return ways
    .filter(({ j, way }) => !known.includes(j) && Number.isFinite(way) && Math.abs(way) > FAR)
    .sort((a, b) => Math.abs(b.way) - Math.abs(a.way))[0];
}

/** Undamped steps while the gradient shrinks: the energy is flat to rounding long before the parameters have their digits. */
function* polish<E extends Expansion>(
  from: Place<E>,
  all: readonly Coordinate[],
  units: EnergyUnits,
): Asking<Look, E, Place<E>> {
  let best = from;
  for (let k = 0; k < POLISHING && slopeOf(best, all) > (units.enough ?? 0); k++) {
    const { step, downhill } = remaining(best.expansion, best.point, all, units);
    if (downhill || step.every((value) => value === 0)) break;
    const next = yield* tried(best, step, all, bySlope);
    if (!next || !isNearer(next, best, all, curvatureBeside(next, best))) break;
    best = isSpared(next) ? placeAt(next.point, yield next.point) : next;
  }
  return best;
}

/** The curvature of the place before, where a step was not asked for its own. */
const curvatureBeside = <E extends Expansion>(next: Place<E>, before: Place<E>): Quadratic | undefined =>
  isSpared(next) ? (before.expansion as Quadratic) : undefined;

/** Whether the gradient has shrunk, and the energy has not grown beyond its rounding. */
function isNearer<E extends Expansion>(
  next: Place<E>,
  than: Place<E>,
  all: readonly Coordinate[],
  by?: Quadratic,
): boolean {
  if (!(next.energy <= than.energy + 1e-9 * Math.abs(than.energy))) return false;
  return slopeOf(next, all, by) < slopeOf(than, all, by);
}

/** max |g_j| in units of the curvature, over what is not held: 0 at a minimum, free of units. `by`: whose curvature. */
function slopeOf<E extends Expansion>(
  { point, expansion }: Place<E>,
  all: readonly Coordinate[],
  by?: Quadratic,
): number {
  const [gradient, curvature] = isSquares(expansion)
    ? [
        numbers(point.length, (j) => dot(expansion.jacobian[j]!, expansion.residuals)),
        numbers(point.length, (j) => norm(expansion.jacobian[j]!) ** 2),
      ]
    : [expansion.gradient, numbers(point.length, (j) => Math.abs((by ?? expansion).hessian[j]![j]!))];
  let most = 0;
  for (let j = 0; j < point.length; j++) {
    const size = by ? Math.abs(by.hessian[j]![j]!) : curvature[j]!;
    if (!isHeld(point, gradient, all, j)) most = Math.max(most, Math.abs(gradient[j]!) / Math.sqrt(size || 1));
  }
  return isSquares(expansion) && !by ? most / (norm(expansion.residuals) || 1) : most;
}

/**
 * What is left by an expansion, and which coordinate, if any, runs off: one that the undamped step still moves, and whose
 * gradient that step does not shrink as it does where there is a minimum.
 */
function* look<E extends Expansion>(
  place: Place<E>,
  seen: (expansion: E) => Expansion,
  all: readonly Coordinate[],
  units: EnergyUnits,
  by?: Quadratic,
): Asking<Look, E, { rest: Remaining; runs: number | undefined }> {
  const rest = remaining(seen(place.expansion), place.point, all, units);
  const far = rest.arrived ? moving(rest.step, place, all, by) : undefined;
  if (far === undefined) return { rest, runs: undefined };
  const next = yield* tried(place, rest.step, all, bySlope);
  const same = by ?? (next && curvatureBeside(next, place));
  const shrinks = next !== undefined && slopeOf(next, all, same) <= SHRINKS * slopeOf(place, all, by);
  return { rest, runs: shrinks ? undefined : far };
}

/**
 * The coordinate that a step moves most, beside its size, if that is anything to speak of. With a bound ahead none runs off: there is a
 * minimum this side of it, and what is left to it where the energy fades is twice the decrement.
 */
function moving<E extends Expansion>(
  step: Float64Array,
  { point, expansion }: Place<E>,
  all: readonly Coordinate[],
  by?: Quadratic,
): number | undefined {
  let [most, which]: [number, number | undefined] = [1e-6, undefined];
  for (let j = 0; j < step.length; j++) {
    if (Number.isFinite(step[j]! < 0 ? all[j]!.lower : all[j]!.upper)) continue;
    const length = Math.abs(step[j]!);
    const inErrors =
      isSquares(expansion) && !by
        ? (length * norm(expansion.jacobian[j]!)) / norm(expansion.residuals)
        : length * Math.sqrt(Math.abs((by ?? (expansion as Quadratic)).hessian[j]![j]!));
    const share = length / Math.abs(point[j]!);
    if (share > most && inErrors > 1e-10) [most, which] = [share, j];
  }
  return which;
}

/**
 * ½Σr² with its gradient and, by central differences of the gradient, its Hessian, all in units of the variance: to some
 * ten digits, where that of Gauss and Newton may have none.
 */
function* curvature<E extends Expansion>(
  { point, expansion, energy }: Place<E>,
  all: readonly Coordinate[],
  units: EnergyUnits,
): Asking<Look, E, Quadratic> {
  const { residuals, jacobian } = expansion as Linearisation;
  const [, unit] = squaresUnit(energy, residuals.length, point.length, units);
  const gradientOf = (e: Expansion): Float64Array => {
    const { residuals, jacobian } = e as Linearisation;
    return numbers(point.length, (j) => dot(jacobian[j]!, residuals) / unit);
  };
  const root = Math.sqrt(energy);
  const columns: Float64Array[] = [];
  for (let j = 0; j < point.length; j++) {
    const u = point[j]!;
    const error = root / norm(jacobian[j]!);
    const reach = 1e-5 * (Math.abs(u) || (Number.isFinite(error) ? error : 1)) * (units.rounding > 1e-10 ? 1e3 : 1);
    const beside = (value: number): Float64Array => {
      const at = point.slice();
      at[j] = clamp(value, all[j]!);
      return at;
    };
    const [low, high] = [beside(u - reach), beside(u + reach)];
    const before = gradientOf(yield low);
    const after = gradientOf(yield high);
    const width = high[j]! - low[j]!;
    columns.push(numbers(point.length, (i) => (after[i]! - before[i]!) / width));
  }
  return { value: energy / (2 * unit), gradient: gradientOf(expansion), hessian: columns };
}
