/**
 * A point of a profile: the least energy with one value held, over all others. A point whose energy is low proves
 * that its value is not excluded, wherever the search began; that a value is excluded shows only in that no search finds
 * such a point. So several starts are tried before a value counts as excluded, and the lowest end is taken.
 */
import { Cancelled } from '../../0-ir/errors.ts';
import { clamp, coordinateSlopes, toCoordinate, type Bounds, type Coordinate } from '../../6-fit/coordinates.ts';
import { wholly, type Linearisation, type Quadratic } from '../../6-fit/expansion.ts';
import { endedAtKink, mayHaveKinks } from '../../6-fit/kinks.ts';
import { levenbergMarquardt } from '../../6-fit/optimisers/levenberg-marquardt.ts';
import { newton } from '../../6-fit/optimisers/newton.ts';
import { norm } from '../../6-fit/algebra/vectors.ts';
import type { Ending, FitProblem, OptimiserOptions } from '../../6-fit/problem.ts';
import { slopeAt, type Slope } from '../../6-fit/stationary/stationary.ts';
import { applied, type Symmetry } from '../../6-fit/symmetry.ts';
import type { Fitted } from './fitted.ts';
import { whileOpen, type Doubt, type Ended } from './profile-doubts.ts';

export type Expansion = Linearisation | Quadratic;

export type Ask<A> = (u: Float64Array) => Promise<A>;

/** What is held along a profile: a coordinate, or a quantity that all of them make (quantity-held.ts). `A` answers a point. */
export interface Held<A> {
  /** Its value and its standard error at the fit; NaN where that is undetermined. */
  readonly start: number;
  readonly error: number;
  readonly bounds: Bounds;
  /** Further from the start nobody looks. */
  readonly limit: number;
  /** By what a rise of the energy is multiplied to be τ². */
  readonly scale: number;
  /** Of the distance from the fit: how near two values are that are told apart. */
  readonly resolution: number;
  /** The fit with like terms in each other's places, where that changes what is held (exchanges.ts). */
  readonly images: readonly Float64Array[];
  /** What is held at a point, where that is known without asking. */
  readonly at?: (point: Float64Array) => number;
  /** Points that are known of all over the region that the data leave: an end beyond which one of them lies is none. */
  readonly elsewhere?: readonly Reached[];
  /** Whether what is held goes from one point to the other through all that lies between, and not around by infinity. */
  readonly connected?: (from: Reached, to: Reached, ask: Ask<A>) => Promise<boolean>;
  /** Starts beyond infinity, on the other side of all, from a point that is far out. */
  readonly reversed: (from: Float64Array, before: Float64Array | undefined) => readonly Float64Array[];
  /** How far it reaches where coordinates that all but lie at their bounds lie there, from the last point that was found. */
  readonly utmost?: (from: Reached, ask: Ask<A>) => Promise<Reached | undefined>;
  /** Where the energy falls towards the edge of where the model has a value: starts away from there. */
  readonly inwards?: (from: Float64Array, ask: Ask<A>) => Promise<readonly Float64Array[]>;
  /** Whether it is infinite a few roundings of the coordinates further, so that its last value is rounding's and no end. */
  readonly endless?: (from: Reached, direction: 1 | -1, ask: Ask<A>) => Promise<boolean>;
  /**
   * The least energy at u from a start; `u` is where it was found, short of what was asked where that is out of reach, or
   * where what lies that far is excluded already: its τ is `enough`. One that only doubts that may stop early.
   */
  readonly optimise: (
    u: number,
    from: Float64Array,
    enough: number,
    ask: Ask<A>,
    cancel: Int32Array | undefined,
    doubt?: Doubt,
  ) => Promise<{ readonly u: number; readonly energy: number; readonly point: Float64Array }>;
}

/** A value of what is held, with what all coordinates had to be. */
export interface Reached {
  readonly u: number;
  /** |τ|: NaN where the model has no value. */
  readonly root: number;
  readonly energy: number;
  readonly point: Float64Array;
}

/** How far starts are taken from an edge. */
const away = [0.01, 0.1, 1] as const;
/** Of τ² by a standard error of the others: less is what a search leaves where there is no edge. */
const leaning = 1e-5;

/** Iterations of one search, and of one that goes on where those were not enough. */
const few = 60;
const many = 600;

/** Where searches begin: beside the point, and elsewhere. */
export interface Starts {
  readonly near: readonly Float64Array[];
  readonly far: readonly Float64Array[];
}

/**
 * With u held, from each start in turn until one ends below `enough`: the lowest end, and all. Where a start beside it has no
 * derivatives, as beyond where numbers overflow, no search from elsewhere can show that u is excluded.
 */
export async function reach<A>(
  fitted: Fitted,
  held: Held<A>,
  u: number,
  { near, far }: Starts,
  enough: number,
  ask: Ask<A>,
  cancel: Int32Array | undefined,
): Promise<Reached & { readonly ends: readonly Ended[] }> {
  const nothing: Reached = { u, root: NaN, energy: NaN, point: near[0] ?? fitted.point };
  let best = nothing;
  let short = nothing;
  let blind = false;
  const ends: Ended[] = [];
  const doubted = fitted.result.energy + enough ** 2 / held.scale;
  for (const [i, start] of [...near, ...far].entries()) {
    const doubt = i < near.length ? undefined : { enough: doubted, scale: held.scale, ends };
    const found = await held.optimise(u, start, enough, ask, cancel, doubt);
    ends.push(found);
    const way = (found.u - held.start) / (u - held.start);
    // A search that has ended elsewhere tells nothing of u.
    if (way < 0 || way > 1 + aside) continue;
    const root = rootOf(fitted, held, found.energy);
    if (!Number.isFinite(root)) blind ||= i < near.length;
    else if (way < 1 - aside) {
      if (short === nothing || Math.abs(found.u - u) < Math.abs(short.u - u)) short = { ...found, root };
    } else if (!(root >= best.root)) best = { ...found, root };
    if (best.root < enough) return { ...best, ends };
  }
  if (blind) return { ...nothing, ends };
  // Short of u is where the range of what is held ends, if no search has come any further.
  return { ...(best === nothing ? short : best), ends };
}

/** |τ| of a point by its energy. */
export const rootOf = ({ result }: Fitted, { scale }: Pick<Held<unknown>, 'scale'>, energy: number): number =>
  Math.sqrt(Math.max(0, energy - result.energy) * scale);

const aside = 0.05;

/** Further than so many times the value (or e^±30 of it on a log scale) nobody looks. */
const reachable = 1e5;
const logReachable = 30;

/** Where a fit has run down to 0, what is likely is of the size at which it began, and not e^30 of what was left. */
function awayFrom(coordinate: Coordinate, start: number): number {
  const began = toCoordinate(coordinate, coordinate.parameter.initial[coordinate.element] ?? NaN);
  return Number.isFinite(began) ? Math.abs(began - start) : 0;
}

/** Of something of this value and standard error, on a linear scale. */
export const farFrom = (value: number, error: number): number => reachable * sizeOf(value, error);

export const sizeOf = (value: number, error: number): number =>
  Math.max(Math.abs(value), Number.isFinite(error) ? error : 0) || 1;

/** Coordinate j, and the others as they have to be; those at the positions `solved` enter linearly (variable-projection.ts). */
export function heldCoordinate(
  fitted: Fitted,
  j: number,
  { solved, exchanges }: { readonly solved: readonly number[]; readonly exchanges: readonly Symmetry[] },
): Held<Expansion> {
  const { all, point, errors, rises, problem } = fitted;
  const coordinate = all[j]!;
  const start = point[j]!;
  const error = errors[j]! / coordinateSlopes(coordinate, start)[0];
  const scale = problem.residuals.length > 0 ? 1 / rises[j]! : 2;
  return {
    ...{ start, error, bounds: coordinate, resolution: 1e-9 },
    images: exchanges.flatMap((symmetry) => (symmetry.moves[j]?.from === j ? [] : [applied(symmetry, point)])),
    limit: coordinate.parameter.scale === 'linear' ? farFrom(start, error) : logReachable + awayFrom(coordinate, start),
    scale,
    at: (at) => at[j]!,
    // What has gone out with it, as both of a·x/(b + x) where the rows lie on a line, comes back with it from the other side.
    reversed: (from) =>
      coordinate.parameter.scale === 'linear'
        ? [from.map((u, i) => clamp(hasGone(fitted, i, u) ? -u : u, all[i]!))]
        : [],
    inwards: async (from, ask) => inwards(fitted, j, scale, from, slopeAt(await ask(from))),
    optimise: async (u, from, _, ask, cancel, doubt) => ({
      u,
      ...(await optimiseOthers(fitted, j, u, from, solved, ask, { cancel, doubt })),
    }),
  };
}

/** In sizes of a coordinate: farther from the fit it has gone out. */
const gone = 30;

function hasGone({ all, point, errors }: Fitted, i: number, u: number): boolean {
  const coordinate = all[i]!;
  const error = errors[i]! / coordinateSlopes(coordinate, point[i]!)[0];
  return coordinate.parameter.scale === 'linear' && Math.abs(u) > gone * sizeOf(point[i]!, error);
}

/** Up the slope of the others, which is none but at an edge, by some of their standard errors. */
function inwards(
  { all, point, errors }: Fitted,
  j: number,
  scale: number,
  from: Float64Array,
  { gradient }: Slope,
): Float64Array[] {
  const units = all.map((coordinate, i) => {
    const error = errors[i]! / coordinateSlopes(coordinate, point[i]!)[0];
    return i === j ? 0 : Number.isFinite(error) ? error : sizeOf(point[i]!, NaN);
  });
  const slopes = gradient.map((slope, i) => slope * units[i]!);
  const length = norm(slopes);
  if (!(length * scale > leaning)) return [];
  return away.map((t) => from.map((u, i) => clamp(u + (t * units[i]! * slopes[i]!) / length, all[i]!)));
}

async function optimiseOthers(
  fitted: Fitted,
  j: number,
  held: number,
  from: Float64Array,
  solved: readonly number[],
  ask: Ask<Expansion>,
  { cancel, doubt }: { readonly cancel: Int32Array | undefined; readonly doubt: Doubt | undefined },
): Promise<{ readonly energy: number; readonly point: Float64Array }> {
  const { all, problem } = fitted;
  const others = all.filter((_, i) => i !== j);
  const without = <T>(list: readonly T[]): T[] => list.filter((_, i) => i !== j);
  const whole = (v: Float64Array): Float64Array =>
    Float64Array.from(all, (_, i) => (i === j ? held : v[i < j ? i : i - 1]!));
  const start = Float64Array.from(others, (other, i) => clamp(from[i < j ? i : i + 1]!, other));
  if (others.length === 0) {
    const found = await ask(whole(start));
    const energy = 'residuals' in found ? found.residuals.reduce((sum, r) => sum + r * r, 0) : found.value;
    return { energy, point: whole(start) };
  }
  const expand = async (v: Float64Array): Promise<Expansion> => {
    const found = await ask(whole(v));
    if ('residuals' in found) return { residuals: found.residuals, jacobian: without(found.jacobian) };
    return {
      value: found.value,
      gradient: Float64Array.from(without([...found.gradient])),
      hessian: without(found.hessian).map((row) => Float64Array.from(without([...row]))),
    };
  };
  const linear = without(all.map((_, i) => solved.includes(i))).flatMap((is, i) => (is ? [i] : []));
  const search = async (onIteration?: OptimiserOptions['onIteration']): Promise<Ending> => {
    const more = { cancel, ...(onIteration && { onIteration }) };
    const found = await searched(problem, others, expand, start, { ...more, solved: linear });
    // Where no minimum is found with the projection, it is tried without.
    return linear.length > 0 && found.status === 'not-converged'
      ? lower(found, await searched(problem, others, expand, start, more))
      : found;
  };
  const ending = await (doubt ? whileOpen(fitted, doubt, whole, few + many, search) : search());
  const energy = ending.status === 'failed' ? NaN : ending.history.at(-1)!;
  return { energy, point: whole(ending.point) };
}

const lower = (one: Ending, other: Ending): Ending => (other.history.at(-1)! < one.history.at(-1)! ? other : one);

interface Searching extends Pick<OptimiserOptions, 'onIteration'> {
  readonly cancel: Int32Array | undefined;
  /** Positions of those that are solved for. */
  readonly solved?: readonly number[] | undefined;
}

/** A search, where it was not done one that goes on from there, and where it found no minimum one that finds those at kinks. */
export async function searched(
  problem: FitProblem,
  all: readonly Coordinate[],
  expand: (u: Float64Array) => Promise<Expansion>,
  start: Float64Array,
  { cancel, solved = [], onIteration }: Searching,
): Promise<Ending> {
  const stop = { ...(cancel && { cancel }), ...(onIteration && { onIteration }) };
  const search = (at: Float64Array, maxIterations: number): Promise<Ending> =>
    problem.residuals.length > 0
      ? levenbergMarquardt(expand as Ask<Linearisation>, all, at, { maxIterations, solved, ...stop })
      : newton(wholly(expand as Ask<Quadratic>), all, at, { maxIterations, ...stop });
  let ending = await search(start, few);
  if (ending.status === 'not-converged') ending = await search(ending.point, many);
  if (ending.status === 'not-converged' && mayHaveKinks({ problem, all })) {
    const slope = async (u: Float64Array): Promise<Slope> => slopeAt(await expand(u));
    ending = await endedAtKink(slope, { problem, all }, ending, { maxIterations: many, ...stop });
  }
  if (ending.status === 'cancelled') throw new Cancelled();
  return ending;
}
