/**
 * Minima at kinks, as those of Σ|y − f| are: a proximal bundle method (Kiwiel 1985, DOI 10.1007/BFb0074500). Slopes that
 * were met near a point x make a model of f there,
 *
 *     max over i of  f(x) − αᵢ + gᵢᵀd,  αᵢ = f(x) − (fᵢ + gᵢᵀ(x − yᵢ)), at least a share of ‖x − yᵢ‖²,
 *
 * and a step is to the minimum of the model and ½‖d‖². With λ the shares of the slopes in it, ½‖Σ λᵢgᵢ‖² + Σ λᵢαᵢ is what it
 * promises: where that is nothing 0 is among the slopes, to α, and x is a minimum of whatever curves up. Lengths are in
 * standard errors: ½‖d‖² is by how much f rises there on the average, kinks and all.
 */
import { symmetricEigen } from '../algebra/eigen.ts';
import { nearestToZero } from '../algebra/convex-hull.ts';
import { dot, numbers } from '../algebra/vectors.ts';
import type { Bounds } from '../coordinates.ts';
import { isFiniteSlope, isHeld, isLost, LEAST_DECREMENT, moved, type Slope } from '../stationary/stationary.ts';

export interface Kink {
  readonly point: Float64Array;
  readonly value: number;
  /** What a step promises at the end, and whether it is a minimum where the slope jumps. */
  readonly decrement: number;
  readonly isMinimum: boolean;
  readonly evaluations: number;
}

type SlopeAt = (u: Float64Array) => Promise<Slope>;
interface Met extends Slope {
  readonly point: Float64Array;
}
/** u of a vector of lengths, and lengths of a difference of points; `slope`: by lengths of one by u. */
interface Metric {
  readonly step: (z: Float64Array) => Float64Array;
  readonly length: (difference: Float64Array) => Float64Array;
  readonly slope: (gradient: Float64Array) => Float64Array;
}

interface Around {
  readonly metric: Metric;
  readonly met: readonly Met[];
}

/** How often lengths are measured anew, and evaluations between. */
const ROUNDS = 6;
const STEPS = 150;
/** f is to go down by this share of what is promised, or the slope there is added to the model. */
const SERIOUS = 0.1;
/** The least share of a step that is tried. */
const SHORTEST = 1e-7;
/** Of ‖x − y‖²: at least as far off a slope at y is, however f bends. */
const LOCALITY = 0.05;
/** Of LEAST_DECREMENT: what a step promises where there is no more to be had. */
const NOTHING = 1e-5;
/** Lengths are no better known than to two digits, so that as much may be promised to one who goes further. */
const SURE = 1e-4;
/** Slopes from nearer than this, in standard errors, that differ by as much, are those of a kink. */
const NEAR = 1e-3;
const JUMP = 1e-2;
/** Of slopes of length 1: as far from 0 as this is what they have in common, where they leave a way out. */
const FALLS = 0.05;
/** By a standard error: a slope that is none. */
const LEVEL = 1e-9;

export async function minimumAtKink(
  slopeAt: SlopeAt,
  all: readonly Bounds[],
  start: Float64Array,
  isCancelled: () => boolean,
): Promise<Kink | undefined> {
  let evaluations = 0;
  let lowest: Met | undefined;
  const at = async (point: Float64Array): Promise<Met> => {
    evaluations++;
    const met = { point, ...(await slopeAt(point)) };
    if (isFiniteSlope(met) && !(met.value >= (lowest?.value ?? Infinity))) lowest = met;
    return met;
  };
  let here = await at(start);
  if (!isFiniteSlope(here)) return undefined;
  let found: Kink | undefined;
  for (let round = 0; round < ROUNDS && !isCancelled(); round++) {
    const size = Math.min(1, Math.abs(here.value));
    const around = await measured(here, at, all, size);
    if (!around) return found;
    const { centre, ...end } = await descended(here, around.metric, around.met, at, all, size, isCancelled);
    const before = here;
    here = centre;
    const settled = end.promise <= SURE * LEAST_DECREMENT * size;
    const inwards = settled ? offBounds(here.point, end.slope, all) : undefined;
    if (inwards) {
      here = await at(inwards);
      continue;
    }
    const beside = settled ? await lowerBeside(here, around, at, all, size) : undefined;
    const jumps = end.jumps || (settled && (await jumpsBeside(here, around.metric, at, all)));
    // Lengths that were measured across a valley step over it, but what was met there is remembered.
    const lower = settled && lowest && lowest.value < here.value - LEAST_DECREMENT * size ? lowest : beside;
    if (lower && lower !== 'open') here = lower;
    const { point, value } = here;
    const isMinimum = settled && lower === undefined && jumps;
    found = { point, value, evaluations, decrement: end.promise, isMinimum };
    // Lengths that were measured elsewhere are to be measured again.
    if (found.isMinimum && before.value - value <= 0.1 * size) return found;
    if (lower === 'open' || (!settled && !(value < before.value))) return found;
  }
  return found;
}

/** Lengths, by the rise of f and the change of its slope within some standard error along each coordinate, and what was met. */
async function measured(
  here: Met,
  at: (u: Float64Array) => Promise<Met>,
  all: readonly Bounds[],
  size: number,
): Promise<Around | undefined> {
  const n = all.length;
  const met: Met[] = [];
  const open: number[] = [];
  const rows: Float64Array[] = [];
  for (const [j, bounds] of all.entries()) {
    const u = here.point[j]!;
    if (u <= bounds.lower || u >= bounds.upper) continue;
    const beside = (t: number): Promise<Met> => {
      const direction = new Float64Array(n);
      direction[j] = t;
      return at(moved(here.point, direction, all));
    };
    let t = 1e-3 * (Math.abs(u) || 1);
    let best: { readonly low: Met; readonly high: Met } | undefined;
    let [least, most] = [0, Infinity];
    for (let k = 0; k < 80; k++) {
      const [low, high] = [await beside(-t), await beside(t)];
      const rise = low.value + high.value - 2 * here.value;
      const isKnown = isFiniteSlope(low) && isFiniteSlope(high);
      if (isKnown && rise > 0) best = { low, high };
      if (isKnown && rise >= 0.25 * size && rise <= 4 * size) break;
      if (isKnown && rise < size) least = t;
      else most = t;
      t = most === Infinity ? 4 * t : least === 0 ? t / 4 : Math.sqrt(least * most);
    }
    if (!best) return undefined;
    open.push(j);
    met.push(best.low, best.high);
    const width = best.high.point[j]! - best.low.point[j]!;
    const { low, high } = best;
    rows.push(numbers(n, (i) => (high.gradient[i]! - low.gradient[i]!) / width));
  }
  // Where the energy has run out to 0 it rises from there, at the edge of the numbers, and yet it may be no minimum.
  if (open.length === 0 || (isLost(here.value) && met.every(({ gradient }) => gradient.every(isLost))))
    return undefined;
  const roots = rows.map((row, a) => Math.sqrt(Math.abs(row[open[a]!]!)) || 1);
  const scaled = rows.map((row, a) =>
    Float64Array.from(rows, (other, b) => {
      const both = row[open[b]!]! + other[open[a]!]!;
      return both / (2 * roots[a]! * roots[b]!);
    }),
  );
  const { values, vectors } = symmetricEigen(scaled);
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const lengths = values.map((value) => Math.sqrt(Math.max(Math.abs(value), 1e-10 * largest)));
  const metric: Metric = {
    step(z) {
      const step = new Float64Array(n);
      vectors.forEach((vector, k) =>
        open.forEach((j, a) => {
          const part = (vector[a]! * z[k]!) / (lengths[k]! * roots[a]!);
          step[j] = step[j]! + part;
        }),
      );
      return step;
    },
    length: (d) =>
      numbers(open.length, (k) => {
        const vector = vectors[k]!;
        const along = open.reduce((sum, j, a) => sum + vector[a]! * roots[a]! * d[j]!, 0);
        return lengths[k]! * along;
      }),
    slope: (g) =>
      numbers(open.length, (k) => {
        const vector = vectors[k]!;
        const along = open.reduce((sum, j, a) => sum + (vector[a]! * g[j]!) / roots[a]!, 0);
        return along / lengths[k]!;
      }),
  };
  return { metric, met };
}

const minus = (a: Float64Array, b: Float64Array): Float64Array => a.map((value, j) => value - b[j]!);

/** α of a slope that was met z from the centre. */
const costOf = (centre: Met, { value }: Met, g: Float64Array, z: Float64Array): number =>
  Math.max(centre.value - value - dot(g, z), LOCALITY * dot(z, z));

async function descended(
  from: Met,
  metric: Metric,
  others: readonly Met[],
  at: (u: Float64Array) => Promise<Met>,
  all: readonly Bounds[],
  size: number,
  isCancelled: () => boolean,
): Promise<{ centre: Met; promise: number; jumps: boolean; slope: Float64Array }> {
  let centre = from;
  let bundle: Met[] = [from, ...others];
  let [promise, jumps] = [Infinity, false];
  let together = from.gradient;
  for (let k = 0; k < STEPS && !isCancelled(); k++) {
    const away = bundle.map(({ point }) => metric.length(minus(centre.point, point)));
    const slopes = bundle.map(({ gradient }) => metric.slope(gradient));
    const costs = bundle.map((met, i) => {
      const [z, g] = [away[i]!, slopes[i]!];
      return costOf(centre, met, g, z);
    });
    const shares = nearestToZero(slopes, costs);
    const whole = numbers(slopes[0]!.length, (c) => shares.reduce((sum, share, i) => sum + share * slopes[i]![c]!, 0));
    promise = dot(whole, whole) / 2 + shares.reduce((sum, share, i) => sum + share * costs[i]!, 0);
    together = numbers(all.length, (j) => shares.reduce((sum, share, i) => sum + share * bundle[i]!.gradient[j]!, 0));
    const near = slopes.filter((_, i) => shares[i]! > 0 && dot(away[i]!, away[i]!) < NEAR * NEAR);
    jumps = near.some((a) => near.some((b) => dot(minus(a, b), minus(a, b)) > JUMP * JUMP));
    if (promise <= NOTHING * LEAST_DECREMENT * size) break;
    const direction = whole.map((value) => -value);
    const step = metric.step(direction);
    const slope = -2 * promise + shares.reduce((sum, share, i) => sum + share * costs[i]!, 0);
    let next: Met | undefined;
    let isSerious = false;
    // Where f bends the model may know the slope at the end of the step: nearer there is one that it does not, or f goes down.
    for (let t = 1; t > SHORTEST && !isSerious; t /= 4) {
      const trial = await at(moved(centre.point, step, all, t));
      if (!isFiniteSlope(trial)) continue;
      next = trial;
      isSerious = centre.value - trial.value > -SERIOUS * t * slope;
      const z = metric.length(minus(centre.point, trial.point));
      const g = metric.slope(trial.gradient);
      if (dot(g, direction) - costOf(centre, trial, g, z) > slope / 2) break;
    }
    if (!next) break;
    const kept = bundle.filter((_, i) => shares[i]! > 0);
    const recent = bundle.filter((_, i) => !(shares[i]! > 0)).slice(-2 * all.length);
    bundle = [...recent, ...kept, next, ...(isSerious ? [] : kept.includes(centre) ? [] : [centre])];
    bundle = [...new Set(bundle)];
    if (isSerious) centre = next;
  }
  return { centre, promise, jumps, slope: together };
}

/** A point a little off the bounds at which the energy falls inwards, if there is one. */
function offBounds(point: Float64Array, slope: Float64Array, all: readonly Bounds[]): Float64Array | undefined {
  const left = all.flatMap((bounds, j) => (isAt(point[j]!, bounds) && !isHeld(point, slope, all, j) ? [j] : []));
  const falling = left.filter((j) => slope[j] !== 0);
  if (falling.length === 0) return undefined;
  const step = new Float64Array(all.length);
  for (const j of falling) step[j] = -Math.sign(slope[j]!) * 1e-3 * (Math.abs(point[j]!) || 1);
  return moved(point, step, all);
}

/** Steps of a standard error along the axes of the metric, along the coordinates, and to where no slope that was met rises. */
function directions(here: Met, { metric, met }: Around, all: readonly Bounds[]): Float64Array[] {
  const n = metric.length(here.point).length;
  const axes = Array.from({ length: n }, (_, k) => metric.step(numbers(n, (i) => Number(i === k))));
  const coordinates = Array.from(all, (_, j) => {
    const unit = numbers(all.length, (i) => Number(i === j));
    const length = metric.length(unit);
    return unit.map((value) => value / Math.sqrt(dot(length, length)));
  }).filter((step) => step.every(Number.isFinite));
  const slopes = met.flatMap(({ gradient }) => {
    const slope = metric.slope(gradient);
    const length = Math.sqrt(dot(slope, slope));
    return length > 0 && Number.isFinite(length) ? [slope.map((value) => value / length)] : [];
  });
  const both = [...axes, ...coordinates].flatMap((step) => [step, step.map((value) => -value)]);
  if (slopes.length === 0) return both;
  const shares = nearestToZero(
    slopes,
    slopes.map(() => 0),
  );
  const falls = numbers(n, (c) => -shares.reduce((sum, share, i) => sum + share * slopes[i]![c]!, 0));
  const length = Math.sqrt(dot(falls, falls));
  return length > FALLS ? [...both, metric.step(falls.map((value) => value / length))] : both;
}

/**
 * A lower point within some standard errors; 'open' where f does not rise on each side, so that there may be no minimum.
 */
async function lowerBeside(
  here: Met,
  around: Around,
  at: (u: Float64Array) => Promise<Met>,
  all: readonly Bounds[],
  size: number,
): Promise<Met | 'open' | undefined> {
  for (const direction of directions(here, around, all)) {
    let [rises, changes] = [false, true];
    for (let t = 0.01; t < 100 && !rises; t *= 4) {
      const next = await at(moved(here.point, direction, all, t));
      if (next.value < here.value - LEAST_DECREMENT * size && isFiniteSlope(next)) return next;
      // Where the energy has run out to 0 there is no size, and what stays 0 does not rise.
      const rose = next.value !== here.value && !(next.value < here.value + 0.1 * size);
      // Where f has no value is a wall, unless f is level up to there: then it is the edge of the numbers.
      const isWall = rose && (changes || Number.isFinite(next.value));
      const isHeldThere = next.point.every((u, j) => u === here.point[j] || isAt(u, all[j]!));
      rises = isWall || isHeldThere;
      changes = Math.abs(next.value - here.value) > LEAST_DECREMENT * size;
    }
    if (!rises) return 'open';
  }
  return undefined;
}

/**
 * Whether the slope along a coordinate jumps beside x, as where signs of 0 cancel in a kink, or is none there, as on the level
 * between two kinks. Where f bends it changes a little.
 */
async function jumpsBeside(
  here: Met,
  metric: Metric,
  at: (u: Float64Array) => Promise<Met>,
  all: readonly Bounds[],
): Promise<boolean> {
  if (here.gradient.every((g) => g === 0)) return true;
  for (const j of all.keys()) {
    const unit = numbers(all.length, (i) => Number(i === j));
    const length = metric.length(unit);
    const width = 1 / Math.sqrt(dot(length, length));
    if (!Number.isFinite(width)) continue;
    const along = async (t: number): Promise<number> =>
      width * (await at(moved(here.point, unit, all, t * width))).gradient[j]!;
    const slopes = [await along(-NEAR / 2), width * here.gradient[j]!, await along(NEAR / 2)];
    const [least, most] = [Math.min(...slopes), Math.max(...slopes)];
    if (most - least > JUMP || (most <= LEVEL && least >= -LEVEL)) return true;
  }
  return false;
}

const isAt = (u: number, { lower, upper }: Bounds): boolean => u <= lower || u >= upper;
