/**
 * What lies along a valley, level to the digits of its Hessian: a lower place, or that its floor only fades as a parameter runs off, so
 * that there is no minimum. A floor that is level for ever, as of a product of which only the whole is known, is one.
 */
import { rankOne } from '../algebra/rank-one.ts';
import type { Asking } from '../asking.ts';
import { clamp, startingPoint, type Coordinate } from '../coordinates.ts';
import type { Look } from '../expansion.ts';
import {
  byInformation,
  bySlope,
  byValue,
  influence,
  isLower,
  isSpared,
  placeAt,
  SEEN,
  tried,
  VAST,
  type Beside,
  type Place,
} from './around.ts';
import { isSquares, remaining, type EnergyUnits, type Expansion } from './stationary.ts';

/** What a coordinate in a flat direction is multiplied by while the others follow, how many are, and for how many steps. */
const MULTIPLES = [0.5, 0.1, 2];
const MEMBERS = 4;
const FOLLOWING = 6;
/** How often it is halved on the way back from afar: from the largest number there is to 1, at two evaluations each. */
const HALVINGS = 1024;
/** Halved so often without a change of the energy, a coordinate of ordinary size is not determined at all. */
const ORDINARY = 12;
/** Steps back to the start of what is varied by its logarithm, and has gone as far from there as what is vast. */
const REMOTE = 16;

/**
 * Where the energy is lower along a valley that is flat to the digits of its Hessian: exp(k·t) times what makes up for it. A
 * straight step leaves such a valley; so each of its coordinates is moved far, and the others follow by undamped steps. Of
 * L/(1 + exp(b − c·t)) with L at 10²⁰ a bend shows only where L is some 10² again: it is halved all the way. `seen`: those that were
 * moved far already, along another direction.
 */
export function* alongValley<E extends Expansion>(
  place: Place<E>,
  direction: Float64Array,
  all: readonly Coordinate[],
  units: EnergyUnits,
  seen: Set<number>,
): Asking<Look, E, Beside<E>> {
  const inErrors = direction.map((value, j) => Math.abs(value) * (influence(place, j) / Math.abs(place.point[j] || 1)));
  const most = inErrors.reduce((largest, value) => Math.max(largest, value), 0);
  const members = all.flatMap((_, j) => (inErrors[j]! > 0.1 * most && place.point[j] !== 0 ? [j] : []));
  const near = members.slice(0, MEMBERS);
  const still = new Float64Array(all.length);
  const times = function* (j: number, multiple: number): Asking<Look, E, Place<E> | undefined> {
    const u = multiplied(all[j]!, place.point[j]!, multiple);
    return clamp(u, all[j]!) === u ? yield* followed(place, still, place, j, u, all, units) : undefined;
  };
  for (const j of near) {
    if (seen.has(j)) continue;
    seen.add(j);
    for (const multiple of MULTIPLES) {
      const next = yield* times(j, multiple);
      if (next && isLower(next, place)) return { lower: next };
    }
  }
  for (const j of near) {
    const isVast = all[j]!.parameter.scale === 'linear' && Math.abs(place.point[j]!) > VAST;
    const isRemote = remoteness(place, j, all) > Math.log(VAST);
    const half = backwards(place, j, all, 0.5, REMOTE);
    let at: Place<E> | undefined = place;
    for (let k = 0; k < (isVast ? HALVINGS : isRemote ? REMOTE : ORDINARY) && at; k++) {
      const u: number = multiplied(all[j]!, at.point[j]!, half);
      if (isVast && Math.abs(u) < 1) break;
      const share = (u - at.point[j]!) / direction[j]!;
      const straight = direction.map((value) => share * value);
      at = yield* followed(at, straight, place, j, u, all, units);
      if (at && isLower(at, place)) return { lower: at };
      const rise = at ? at.energy - place.energy : Infinity;
      if (rise <= CHANGED * Math.abs(place.energy)) continue;
      const isLost = isVast
        ? !(yield* risesBeyond(place, direction, j, all, units))
        : (yield* staysBeyond(place, direction, j, all, units)) && (yield* fades(place, direction, j, all, units));
      if (isLost) return { lost: j };
      break;
    }
  }
  return {};
}

/** The coordinate of a parameter that is so many times as large, of the odds where it is varied by these. */
const multiplied = ({ parameter: { scale } }: Coordinate, u: number, multiple: number): number =>
  scale === 'linear' ? multiple * u : u + Math.log(multiple);

/** How far a coordinate that is varied by its logarithm has come from its start; 0 of others. */
const remoteness = <E>({ point }: Place<E>, j: number, all: readonly Coordinate[]): number =>
  all[j]!.parameter.scale === 'linear' ? 0 : Math.abs(point[j]! - startingPoint(all)[j]!);

/** By what a coordinate is multiplied on its way back: so small a part, or less where it is so remote that as many steps lead to its start. */
function backwards<E>(place: Place<E>, j: number, all: readonly Coordinate[], part: number, steps: number): number {
  const back = Math.min(part, Math.exp(-remoteness(place, j, all) / steps));
  return isLargerFarther(place, j, all) ? back : 1 / back;
}

/** Whether a larger value is further from where it is ordinary: from 0, of what is varied by its logarithm from its start. */
const isLargerFarther = <E>({ point }: Place<E>, j: number, all: readonly Coordinate[]): boolean =>
  all[j]!.parameter.scale === 'linear' || point[j]! > startingPoint(all)[j]!;

/** An error so many times as large as its coordinate leaves open that the valley goes on to elsewhere. */
const VAGUE = 3;
/** How often it is doubled on the way there. */
const DOUBLINGS = 10;

/**
 * A lower place within the errors that a Hessian tells: it has some eight digits, and a valley that is as level as that ends it
 * knows not where. So the vaguest coordinate is doubled until it is one error off, the others following.
 */
export function* withinErrors<E extends Expansion>(
  place: Place<E>,
  deviation: Float64Array,
  all: readonly Coordinate[],
  units: EnergyUnits,
): Asking<Look, E, Place<E> | undefined> {
  const vagueness = deviation.map((error, j) =>
    all[j]!.parameter.scale === 'linear' && place.point[j] !== 0 ? Math.abs(error / place.point[j]!) : 0,
  );
  const j = vagueness.indexOf(Math.max(...vagueness));
  if (!(vagueness[j]! > VAGUE)) return undefined;
  let [at, along]: [Place<E>, Float64Array] = [place, deviation];
  for (let k = 0; k < DOUBLINGS && Math.abs(at.point[j]!) < Math.abs(deviation[j]!); k++) {
    const u = clamp(2 * at.point[j]!, all[j]!);
    const share = (u - at.point[j]!) / along[j]!;
    const straight = along.map((value) => share * value);
    const next: Place<E> | undefined = yield* followed(at, straight, place, j, u, all, units);
    if (!next) return undefined;
    if (isLower(next, place)) return next;
    along = next.point.map((value, i) => value - at.point[i]!);
    at = next;
  }
  return undefined;
}

/** Whether the energy rises beyond u_j as well, the others having followed: of two columns that are one to nine digits it does, 10⁷ from 0. */
function* risesBeyond<E extends Expansion>(
  place: Place<E>,
  direction: Float64Array,
  j: number,
  all: readonly Coordinate[],
  units: EnergyUnits,
): Asking<Look, E, boolean> {
  const u = 2 * place.point[j]!;
  if (clamp(u, all[j]!) !== u) return false;
  const share = place.point[j]! / direction[j]!;
  const straight = direction.map((value) => share * value);
  const next = yield* followed(place, straight, place, j, u, all, units);
  return next !== undefined && next.energy - place.energy > CHANGED * Math.abs(place.energy);
}

/** What a coordinate is multiplied by on its way out, and how often. */
const OUTWARDS = 1.1;
const STEPS_OUT = 2;

/** Whether the energy stays as it is beyond u_j, the others having followed, each step in the direction of the one before. */
function* staysBeyond<E extends Expansion>(
  place: Place<E>,
  direction: Float64Array,
  j: number,
  all: readonly Coordinate[],
  units: EnergyUnits,
): Asking<Look, E, boolean> {
  let [at, along] = [place, direction];
  const out = isLargerFarther(place, j, all) ? OUTWARDS : 1 / OUTWARDS;
  for (let k = 0; k < STEPS_OUT; k++) {
    const u = multiplied(all[j]!, at.point[j]!, out);
    if (clamp(u, all[j]!) !== u) return false;
    const share = (u - at.point[j]!) / along[j]!;
    const straight = along.map((value) => share * value);
    const next: Place<E> | undefined = yield* followed(at, straight, place, j, u, all, units);
    // The numbers may end there.
    if (!next) return k > 0;
    if (!(Math.abs(next.energy - place.energy) <= SAME * Math.abs(place.energy))) return false;
    along = next.point.map((value, i) => value - at.point[i]!);
    at = next;
  }
  return true;
}

/** What a coordinate is multiplied by on its way back, how often, the steps that the others may need, and shares of one. */
const BACKWARDS = 0.8;
const STEPS_BACK = 40;
const BACKWARDS_SPARED = 0.5;
const STEPS_SPARED = 13;
export const FOLLOWED = 40;
const SHARES = [1, 0.5, 0.2, 0.05, 0.01, 1e-3];
/** Of the energy: a rise that is none of rounding, for less than which nobody goes on where looks cost much, and one that is plain. */
const SLIGHT = 1e-10;
const PLAIN = 1e-5;

/**
 * Whether the energy fades towards u_j: nearer to 0, all others having followed as far as they can, it is first slightly higher, then
 * plainly. The floor of a valley on which a product stays what it is, is level to where it ends.
 */
function* fades<E extends Expansion>(
  place: Place<E>,
  direction: Float64Array,
  j: number,
  all: readonly Coordinate[],
  units: EnergyUnits,
): Asking<Look, E, boolean> {
  let at = place;
  // Where looks cost much, fewer and longer steps.
  let steps = STEPS_BACK;
  let back = backwards(place, j, all, BACKWARDS, steps);
  let before: Float64Array | undefined;
  let isSlight = false;
  for (let k = 0; k < steps; k++) {
    const u = clamp(multiplied(all[j]!, at.point[j]!, back), all[j]!);
    const pinned = all.map((coordinate, i) => (i === j ? { ...coordinate, lower: u, upper: u } : coordinate));
    // Others begin where they are, straight along the valley, or go on as they went.
    let next: Place<E> | undefined;
    for (const way of [new Float64Array(all.length), direction, ...(before ? [before] : [])]) {
      const share = way[j] === 0 ? 0 : (u - at.point[j]!) / way[j]!;
      const step = way.map((value) => share * value);
      const begun = yield* tried(at, step, pinned, bySlope);
      if (begun && !(begun.energy > (next?.energy ?? Infinity))) next = begun;
    }
    if (next && isSpared(next) && steps !== STEPS_SPARED) {
      steps = STEPS_SPARED;
      back = backwards(place, j, all, BACKWARDS_SPARED, steps);
    }
    const { point } = at;
    if (next) at = yield* followedDown(next, at, SLIGHT * Math.abs(place.energy), pinned, units);
    before = at.point.map((value, i) => value - point[i]!);
    const rise = at.point[j] === u ? (at.energy - place.energy) / Math.abs(place.energy) : NaN;
    if (!(rise <= PLAIN)) return isSlight && rise > PLAIN;
    isSlight ||= rise > SLIGHT;
  }
  return false;
}

/**
 * As far down as undamped steps lead, at most so many. Where a Hessian costs much, that of a place near by is taken along, as gradients
 * tell of its change, and asked for anew where it leads no further, until a step is no longer worth one.
 */
function* followedDown<E extends Expansion>(
  from: Place<E>,
  near: Place<E>,
  worth: number,
  all: readonly Coordinate[],
  units: EnergyUnits,
): Asking<Look, E, Place<E>> {
  let at = from;
  let known: Place<E> | undefined = isSpared(near) ? undefined : near;
  for (let step = 0, taken = 0; step < FOLLOWED; step++, taken++) {
    const carried: Place<E> | undefined = known && taken < TAKEN ? carriedOver(known, at) : undefined;
    known = carried ?? (yield* withCurvature(at));
    if (!carried) taken = 0;
    const next: Place<E> | undefined = yield* loweredBy(known, all, units);
    const isEnough = next !== undefined && !(isSpared(next) && at.energy - next.energy < worth);
    at = next ?? at;
    if (!isEnough && !carried) break;
    if (!isEnough) known = undefined;
  }
  return (known && carriedOver(known, at)) ?? at;
}

/** Steps for which a Hessian is taken along. */
const TAKEN = 10;

/** The place with the curvature of another; undefined where it has its own, or squares. */
function carriedOver<E extends Expansion>(known: Place<E>, to: Place<E>): Place<E> | undefined {
  const { expansion } = to;
  if (isSquares(expansion) || isSquares(known.expansion) || !isSpared(to)) return undefined;
  const { gradient, hessian } = known.expansion;
  const step = to.point.map((value, j) => value - known.point[j]!);
  const change = expansion.gradient.map((slope, j) => slope - gradient[j]!);
  return placeAt(to.point, { ...expansion, hessian: rankOne(hessian, step, change) });
}

/** Lower along the undamped step, or a share of it. */
export function* lowered<E extends Expansion>(
  place: Place<E>,
  all: readonly Coordinate[],
  units: EnergyUnits,
): Asking<Look, E, Place<E> | undefined> {
  return yield* loweredBy(yield* withCurvature(place), all, units);
}

function* loweredBy<E extends Expansion>(
  place: Place<E>,
  all: readonly Coordinate[],
  units: EnergyUnits,
): Asking<Look, E, Place<E> | undefined> {
  const { expansion } = place;
  const { step, downhill } = remaining(expansion, place.point, all, units);
  for (const along of downhill ? [downhill, step] : [step])
    for (const share of SHARES) {
      const next = yield* tried(
        place,
        along.map((value) => share * value),
        all,
        bySlope,
      );
      if (next && next.energy < place.energy - SEEN * Math.abs(place.energy)) return next;
    }
  return undefined;
}

/** Of the energy: a valley whose floor changes by as much is none; and what is no change to speak of beside that. */
const CHANGED = 1e-6;
const LEVEL = 1e-7;

/** By the information, where the Hessian was spared. */
function* withCurvature<E extends Expansion>(place: Place<E>): Asking<Look, E, Place<E>> {
  return isSpared(place) ? placeAt(place.point, yield byInformation(place.point)) : place;
}

/** The place near `from` and its first step with u_j = u, the others having followed; as soon as it is lower than `than`, or has come as low as it. */
export function* followed<E extends Expansion>(
  from: Place<E>,
  first: Float64Array,
  than: Place<E>,
  j: number,
  u: number,
  all: readonly Coordinate[],
  units: EnergyUnits,
): Asking<Look, E, Place<E> | undefined> {
  const pinned = all.map((coordinate, i) => (i === j ? { ...coordinate, lower: u, upper: u } : coordinate));
  let step = first;
  let next: Place<E> | undefined = from;
  let before = Infinity;
  for (let k = 0; k <= FOLLOWING && next; k++) {
    next = yield* tried(next, step, pinned, bySlope);
    if (!next || isLower(next, than)) break;
    if (k > 0 && next.energy <= than.energy * (1 + SEEN)) break;
    if (isSpared(next)) {
      // What costs much is asked only where there is some way to go, and where it leads there.
      const rise = next.energy - than.energy;
      if (rise <= LEVEL * Math.abs(than.energy)) break;
      if (k > 0 && !(rise < before / 2)) return undefined;
      before = rise;
    }
    const { expansion } = yield* withCurvature(next);
    ({ step } = remaining(expansion, next.point, pinned, units));
  }
  return next;
}

/** Multiples of a point's own size: as far out the energy stays as it is where it has flattened out, and as far back it does not. */
const OUT = [0.02, 0.2, 1, 3, 10];
const IN = [0.25, 0.5, 1, 2];
/** Of the energy: what stays as it is, and what rises. */
const SAME = 1e-9;
const RISES = 1e-3;

/**
 * Whether the energy has flattened out along a direction in which it does not curve: on one side it stays as it is however far, on the
 * other it rises. Of a sum of which only the whole is known it does on neither, and at a minimum on both. A coordinate that runs off, or
 * where the energy is lower.
 */
export function* flattenedOut<E extends Expansion>(
  place: Place<E>,
  direction: Float64Array,
  all: readonly Coordinate[],
  units: EnergyUnits,
): Asking<Look, E, Beside<E>> {
  const { point, energy } = place;
  const members = all.flatMap((_, j) => (direction[j] !== 0 && point[j] !== 0 ? [j] : []));
  const share = (j: number): number => Math.abs(direction[j]! / point[j]!);
  const most = members.reduce((best, j) => (share(j) > share(best) ? j : best), members[0] ?? 0);
  const length = 1 / share(most);
  if (members.length === 0 || !Number.isFinite(length)) return {};
  const at = function* (t: number): Asking<Look, E, Place<E> | undefined> {
    const step = direction.map((value) => t * length * value);
    const next = yield* tried(place, step, all, byValue);
    // What has come to a bound is no further out.
    const isFree = direction.every(
      (value, j) => value === 0 || next?.point[j] !== clamp(Infinity * t * value, all[j]!),
    );
    return isFree ? next : undefined;
  };
  const size = Math.abs(energy);
  for (const side of [1, -1]) {
    let stays = true;
    for (const t of OUT) {
      const next = yield* at(side * t);
      if (next && isLower(next, place)) return { lower: next };
      stays &&= next !== undefined && next.energy - energy <= SAME * size;
    }
    if (!stays) continue;
    for (const t of IN) {
      const next = yield* at(-side * t);
      const rises = next && next.energy - energy > RISES * size;
      if (rises && (yield* fades(place, direction, most, all, units))) return { lost: most };
    }
  }
  return {};
}
