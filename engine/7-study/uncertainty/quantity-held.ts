/**
 * A quantity q(u) held along its profile. Every minimiser of
 *
 *   E(u) + w²·(q(u) − t)²
 *
 * is a minimiser of E among all points with its own q: an exact point of the profile, whatever t and w. So t is moved until q
 * is where it is wanted (the method of multipliers, Hestenes 1969, DOI 10.1007/BF00927673, by secants), and what is a little
 * off is an exact point beside it. The weight makes q stiffer than the data do, so that t and q differ by little.
 */
import type { Batched } from '../../6-fit/ensembles/batched-objective.ts';
import type { Linearisation } from '../../6-fit/expansion.ts';
import { dot } from '../../6-fit/algebra/vectors.ts';
import { clamp } from '../../6-fit/coordinates.ts';
import {
  farFrom,
  rootOf,
  searched,
  sizeOf,
  type Ask,
  type Expansion,
  type Held,
  type Reached,
} from './profile-others.ts';
import { unitsOf, type Fitted } from './fitted.ts';

/** The energy and all quantities around a point. */
export interface WithQuantities {
  readonly energy: Expansion;
  readonly quantities: Linearisation;
}

/** By how much stiffer q is than the data make it. */
const stiffness = 100;
/** Of the distance from the fit: q is where it is wanted. */
const near = 1e-5;
const mostMoves = 12;
/** A move that leaves so much of what was short comes nowhere: q is made stiffer by this. */
const slow = 0.3;
const stiffer = 10;
/** Where it is made stiffer and still lies so far behind as before, it goes no further. */
const still = 0.95;
/** So far short of what is wanted, as a share of its distance, q has stayed behind. */
const far = 0.05;

export interface QuantityAtFit {
  /** Its place among all quantities. */
  readonly index: number;
  readonly value: number;
  /** NaN where it is undetermined. */
  readonly standardError: number;
  /** By what a rise of the energy is multiplied to be τ². */
  readonly scale: number;
  readonly images: readonly Float64Array[];
  readonly elsewhere: readonly Reached[];
}

export function heldQuantity(
  fitted: Fitted,
  { index, value, standardError, scale, images, elsewhere }: QuantityAtFit,
): Held<WithQuantities> {
  const { problem, all } = fitted;
  const unit = standardError > 0 ? standardError : 0.1 * sizeOf(value, NaN);
  const softest = Math.sqrt(stiffness / scale) / unit;
  return {
    ...{ start: value, error: standardError, scale },
    bounds: { lower: -Infinity, upper: Infinity },
    limit: farFrom(value, standardError),
    resolution: 3e-4,
    images,
    elsewhere,
    reversed: (from, before) => [from, from.map((at, j) => 2 * at - (before?.[j] ?? at))],
    connected: (one, other, ask) => isConnected(index, one, other, ask),
    utmost: (last, ask) => atBounds(fitted, { index, scale }, last, ask),
    endless: (last, direction, ask) => isInfiniteBeyond(index, last, direction, ask),
    async optimise(wanted, begun, enough, ask, cancel) {
      const distance = wanted - value;
      // A line through points within the bounds leads out of them, and no search comes back by itself.
      const from = begun.map((u, j) => clamp(u, all[j]!));
      let target = wanted + (standardError > 0 ? distance / stiffness : 0);
      let start = await movedTo(fitted, index, wanted, near * Math.abs(distance), from, ask);
      let before: { readonly target: number; readonly q: number; readonly short: number } | undefined;
      let weight = softest;
      let behind = Infinity;
      for (let move = 1; ; move++) {
        const ending = await searched(problem, all, pulled(index, weight, target, ask), start, { cancel });
        const { energy, quantities } = await ask(ending.point);
        const q = quantities.residuals[index]!;
        const found = { u: q, energy: ending.status === 'failed' ? NaN : energyOf(energy), point: ending.point };
        const short = wanted - q;
        if (!Number.isFinite(found.energy) || Math.abs(short) <= near * Math.abs(distance) || move === mostMoves)
          return found;
        // What is wanted lies beyond what is excluded already, and may be out of reach.
        const isFar = Math.abs(short) > far * Math.abs(distance);
        if (move > 1 && isFar && rootOf(fitted, { scale }, found.energy) >= enough) return found;
        if (isFar && weight > softest && Math.abs(short) > still * behind) return found;
        behind = Math.abs(short);
        start = ending.point;
        if (before && Math.abs(short) > slow * Math.abs(before.short)) {
          // Here the data make it stiffer than at the fit, as where a ratio's divisor has come away from 0.
          weight *= stiffer;
          target = wanted + (target - q) / stiffer ** 2;
          before = undefined;
          continue;
        }
        const slope = before ? (target - before.target) / (q - before.q) : 1;
        before = { target, q, short };
        target += short * (slope >= 1 && Number.isFinite(slope) ? Math.min(slope, mostSlope) : 1);
      }
    },
  };
}

/** Energy and quantities at points, not all at once: each brings a Jacobian as long as the data. */
export async function knownAt(
  points: readonly Float64Array[],
  both: Batched<Float64Array, WithQuantities>,
): Promise<readonly { readonly energy: number; readonly values: Float64Array; readonly point: Float64Array }[]> {
  const known = [];
  for (let first = 0; first < points.length; first += together) {
    const some = points.slice(first, first + together);
    const answers = await both.at(some);
    known.push(
      ...answers.map(({ energy, quantities }, i) => ({
        ...{ energy: energyOf(energy), values: Float64Array.from(quantities.residuals), point: some[i]! },
      })),
    );
  }
  return known;
}

const together = 16;

const between = (one: Float64Array, other: Float64Array): Float64Array => one.map((u, j) => (u + other[j]!) / 2);

/**
 * Whether q has no pole and no jump on the line between two points. Where its middle lies between their values it is taken to
 * have none; else the half that q changes more over is halved, until it changes by nothing or does so still.
 */
async function isConnected(index: number, from: Reached, to: Reached, ask: Ask<WithQuantities>): Promise<boolean> {
  const distance = Math.abs(to.u - from.u);
  let [one, other] = [from, to].map(({ point, u }) => ({ point, q: u })) as [At, At];
  for (let halving = 0; halving < mostHalvings; halving++) {
    const point = between(one.point, other.point);
    const q = (await ask(point)).quantities.residuals[index]!;
    if (!Number.isFinite(q)) return false;
    const isBetween = (q - one.q) * (other.q - q) >= 0;
    if (halving === 0 && isBetween) return true;
    if (Math.abs(q - one.q) > Math.abs(q - other.q)) other = { point, q };
    else one = { point, q };
  }
  return Math.abs(one.q - other.q) <= 1e-3 * distance;
}

interface At {
  readonly point: Float64Array;
  readonly q: number;
}

const mostHalvings = 40;

/** A search nears a bound and never comes to it: with what has come so near put there. Undefined where nothing has. */
async function atBounds(
  fitted: Fitted,
  { index, scale }: Pick<QuantityAtFit, 'index' | 'scale'>,
  { point }: Reached,
  ask: Ask<WithQuantities>,
): Promise<Reached | undefined> {
  const there = point.map((u, j) => {
    const { lower, upper } = fitted.all[j]!;
    const isThere = (bound: number): boolean => Math.abs(u - bound) <= 1e-6 * Math.abs(fitted.point[j]! - bound);
    return Number.isFinite(lower) && isThere(lower) ? lower : Number.isFinite(upper) && isThere(upper) ? upper : u;
  });
  if (there.every((u, j) => u === point[j])) return undefined;
  const { energy, quantities } = await ask(there);
  const found = energyOf(energy);
  return { u: quantities.residuals[index]!, root: rootOf(fitted, { scale }, found), energy: found, point: there };
}

/** Roundings of a coordinate within which log(A − 9.9) comes from its last value to −∞. */
const roundings = 16;

/** Along the coordinate whose rounding moves q furthest. */
async function isInfiniteBeyond(
  index: number,
  { point }: Reached,
  direction: 1 | -1,
  ask: Ask<WithQuantities>,
): Promise<boolean> {
  const { quantities } = await ask(point);
  const slopes = quantities.jacobian.map((column) => column[index]!);
  // Between neighbouring doubles, so that each is come to.
  const steps = point.map((u) => Number.EPSILON * 2 ** Math.floor(Math.log2(Math.abs(u))));
  const moves = slopes.map((slope, j) => Math.abs(slope * steps[j]!));
  const furthest = moves.indexOf(Math.max(...moves));
  if (!(moves[furthest]! > 0)) return false;
  const sense = direction * Math.sign(slopes[furthest]!);
  for (let times = 1; times <= roundings; times++) {
    const beyond = point.map((u, j) => (j === furthest ? u + sense * times * steps[j]! : u));
    if ((await ask(beyond)).quantities.residuals[index] === direction * Infinity) return true;
  }
  return false;
}

/**
 * From elsewhere, a point at which q is about what is wanted, by the shortest way in units of the standard errors: of a
 * quantity that is one parameter it is that parameter alone that moves, as in the parameter's own profile. `from` itself
 * where q does not follow.
 */
async function movedTo(
  fitted: Fitted,
  index: number,
  wanted: number,
  close: number,
  from: Float64Array,
  ask: Ask<WithQuantities>,
): Promise<Float64Array> {
  const units = unitsOf(fitted);
  let at = from;
  let least = Infinity;
  for (let move = 0; ; move++) {
    const { energy, quantities } = await ask(at);
    const short = wanted - quantities.residuals[index]!;
    if (!(Math.abs(short) < least) || !Number.isFinite(energyOf(energy))) return from;
    if (Math.abs(short) <= close || move === mostMoves) return at;
    least = Math.abs(short);
    const slopes = Float64Array.from(quantities.jacobian, (column, j) => column[index]! * units[j]!);
    const length = dot(slopes, slopes);
    if (!(length > 0)) return from;
    at = at.map((u, j) => clamp(u + (units[j]! * slopes[j]! * short) / length, fitted.all[j]!));
  }
}

/** A target runs ahead of q no faster: where q stays behind, it is at the end of its range. */
const mostSlope = 1e3;

const energyOf = (energy: Expansion): number =>
  'residuals' in energy ? energy.residuals.reduce((sum, r) => sum + r * r, 0) : energy.value;

/** The energy and the pull. What q bends of it is left out: the gradient is exact, and so is where it ends. */
function pulled(
  index: number,
  weight: number,
  target: number,
  ask: Ask<WithQuantities>,
): (u: Float64Array) => Promise<Expansion> {
  return async (u) => {
    const { energy, quantities } = await ask(u);
    const gap = weight * (quantities.residuals[index]! - target);
    const slopes = Float64Array.from(quantities.jacobian, (column) => weight * column[index]!);
    if ('residuals' in energy)
      return {
        residuals: longer(energy.residuals, gap),
        jacobian: energy.jacobian.map((column, j) => longer(column, slopes[j]!)),
      };
    return {
      value: energy.value + gap * gap,
      gradient: energy.gradient.map((g, j) => g + 2 * gap * slopes[j]!),
      hessian: energy.hessian.map((row, i) => row.map((h, j) => h + 2 * slopes[i]! * slopes[j]!)),
    };
  };
}

function longer(array: Float64Array, last: number): Float64Array {
  const whole = new Float64Array(array.length + 1);
  whole.set(array);
  whole[array.length] = last;
  return whole;
}

/** Both at once. */
export function answeringBoth(
  energy: Batched<Float64Array, Expansion>,
  quantities: Batched<Float64Array, Linearisation>,
): Batched<Float64Array, WithQuantities> {
  return {
    async at(points) {
      const [energies, values] = [await energy.at(points), await quantities.at(points)];
      return energies.map((each, i) => ({ energy: each, quantities: values[i]! }));
    },
    release() {
      energy.release();
      quantities.release();
    },
  };
}
