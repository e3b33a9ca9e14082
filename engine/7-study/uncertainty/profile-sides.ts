/**
 * The sides of a profile, each a march outward from the fit with steps from the slope of τ (profile.ts), the others
 * optimised again from a start extrapolated along the profile, then root finding for the crossing. Each side is a lane,
 * and all lanes advance as one batch.
 *
 * An end that is found is then doubted: a little beyond it the others are optimised from elsewhere, from the fit, from
 * where the other side ended, and from points drawn about. One that is not excluded there proves the end wrong, and the
 * march goes on from it. An element's sides depend on the fit alone, so that any of them may be followed anywhere.
 */
import { Cancelled } from '../../0-ir/errors.ts';
import type { Device } from '../../5-runtime/device.ts';
import { fitContext } from '../../6-fit/context.ts';
import { clamp } from '../../6-fit/coordinates.ts';
import { apart } from './profile-doubts.ts';
import { hasKinks } from '../../6-fit/kinks.ts';
import { positionsOf } from '../../6-fit/optimisers/variable-projection.ts';
import { isCancelled } from '../../6-fit/problem.ts';
import { batchedLinearisation, batchedQuadratic } from '../../6-fit/ensembles/batched-objective.ts';
import { inLanes, type AnswerAll } from '../../6-fit/ensembles/lanes.ts';
import type { Part } from '../../6-fit/ensembles/parts.ts';
import { partSeed, randomFrom } from '../../6-fit/ensembles/random.ts';
import type { MethodOptions } from './problem.ts';
import { criticalValue, offEdges, unitsOf, type Fitted } from './fitted.ts';
import { exchangesOf } from './exchanges.ts';
import { crossingBetween, type SearchNear } from './profile-crossing.ts';
import {
  heldCoordinate,
  reach,
  rootOf,
  sizeOf,
  type Ask,
  type Expansion,
  type Held,
  type Reached,
} from './profile-others.ts';

/** Where a side ended, in the optimiser's coordinate. */
export interface End {
  readonly u: number;
  readonly kind: 'crossing' | 'bound' | 'infinite' | 'edge' | 'jump' | 'cancelled';
  /** u and τ of what was optimised, from the fit outward. */
  readonly path: readonly (readonly [u: number, root: number])[];
  readonly lowest: number;
  /** Of an end that is infinite: a value beyond infinity, on the other side of all, that is not excluded. */
  readonly around?: number;
}

/** Of one element. */
export type Sides = readonly [below: End, above: End];

/** A side as it was followed, the last point that is not excluded, and whether the end has been doubted in vain. */
interface Followed extends End {
  readonly inside: Reached;
  readonly sure: boolean;
}

/** Of one that is held, the nth of its like; `end` and that of the other side, as far as they have been followed. */
interface Task<A> {
  readonly held: Held<A>;
  readonly n: number;
  readonly direction: 1 | -1;
  readonly end?: Followed;
  readonly mate?: Followed;
}

interface Context<A> {
  readonly fitted: Fitted;
  readonly critical: number;
  readonly ask: Ask<A>;
  readonly cancel: Int32Array | undefined;
}

/**
 * An end is doubted so far beyond it, as shares of its distance from the fit, in so many rounds at most: another valley may pass
 * below the end and be excluded itself within the next hundredth, or begin there.
 */
const beyond = [0.02, 1e-4];
const rounds = 6;
/** A known point is beyond an end by more than this share of its distance; searches begin at so many of them. */
const further = 1e-3;
const mostKnown = 2;
/** From where like terms have changed places to beyond an end. */
const steps = 8;
const flat = 1e-3;
/** Of a step: less is the search's own error. */
const shortfall = 0.05;
/** In sizes of what is held. */
const farOut = 30;
/** Steps that are shortened one after the other. */
const mostTries = 12;
/** Starts that are drawn about, where each kink may have a minimum beside it and where none has, and how far in standard errors. */
const drawn = { kinked: 24, smooth: 4 };
const spread = 2;

/** Of the elements from..to, in their order. */
export async function followProfiles(
  fitted: Fitted,
  device: Device,
  { from, to }: Part,
  options: Pick<MethodOptions, 'level' | 'cancel' | 'onProgress'>,
): Promise<Sides[]> {
  const { problem, all } = fitted;
  const expand = await (problem.residuals.length > 0 ? batchedLinearisation : batchedQuadratic)(
    problem,
    device,
    all,
    options.cancel,
  );
  const solved = positionsOf(fitContext(problem, device).solved(), all);
  const exchanges = await exchangesOf(fitted, device, options.cancel);
  const elements = Array.from({ length: to - from }, (_, i) => {
    return [from + i, heldCoordinate(fitted, from + i, { solved, exchanges })] as const;
  });
  return followSides<Expansion>(fitted, new Map(elements), expand.at, options).finally(() => expand.release());
}

/** Of whatever is held, by their numbers, which seed the starts that doubt an end; in their order. */
export async function followSides<A>(
  fitted: Fitted,
  numbered: ReadonlyMap<number, Held<A>>,
  answers: AnswerAll<Float64Array, A>,
  { level, cancel, onProgress }: Pick<MethodOptions, 'level' | 'cancel' | 'onProgress'>,
): Promise<Sides[]> {
  const critical = criticalValue(fitted, level);
  const sides = [...numbered].flatMap(([n, held]) => [
    { n, held, direction: -1 as const },
    { n, held, direction: 1 as const },
  ]);
  let ends: Followed[] = [];
  for (let round = 0; round <= rounds && (round === 0 || ends.some(({ sure }) => !sure)); round++) {
    let ended = 0;
    const tasks = sides.map((side, i): Task<A> => {
      const [end, mate] = [ends[i], ends[i ^ 1]];
      return { ...side, ...(end && mate && { end, mate }) };
    });
    ends = await inLanes<Task<A>, Float64Array, A, Followed>(tasks, answers, async (task, ask) => {
      const found = await followedOrDoubted({ fitted, critical, ask, cancel }, task, round);
      if (round === 0) onProgress?.(++ended / tasks.length);
      return found;
    });
  }
  const plain = ends.map(({ inside: _, sure: __, ...end }): End => end);
  return Array.from(numbered, (_, i) => [plain[2 * i]!, plain[2 * i + 1]!]);
}

async function followedOrDoubted<A>(context: Context<A>, task: Task<A>, round: number): Promise<Followed> {
  const { fitted, critical } = context;
  const { held, end, direction } = task;
  const { point, result } = fitted;
  const origin: Reached = { u: held.start, root: 0, energy: result.energy, point };
  const path = pathFrom(direction, origin.u);
  let { inside } = end ?? { inside: origin };
  try {
    if (end?.sure) return end;
    if (Number.isNaN(critical)) return { ...path.end('edge', NaN), inside, sure: true };
    if (end) {
      const witness = await witnessBeyond(context, task, end, round);
      if (!witness) return { ...end, sure: true };
      path.corrected(end, critical);
      path.add(witness);
      inside = witness;
    }
    return await march(context, task, inside, path);
  } catch (caught) {
    if (!(caught instanceof Cancelled)) throw caught;
    return { ...path.end('cancelled', NaN), inside, sure: true };
  }
}

interface Path {
  add(reached: Reached): void;
  /** With the points of an end that was not the end, but for those that were excluded wrongly. */
  corrected(end: End, critical: number): void;
  end(kind: End['kind'], u: number): End;
}

function pathFrom(direction: 1 | -1, start: number): Path {
  let points: (readonly [number, number])[] = [[start, 0]];
  let lowest = Infinity;
  return {
    add({ u, root, energy }) {
      if (!Number.isFinite(root)) return;
      points.push([u, direction * root]);
      lowest = Math.min(lowest, energy);
    },
    corrected(end, critical) {
      points = end.path.filter(([, root]) => Math.abs(root) < critical);
      lowest = end.lowest;
    },
    end: (kind, u) => ({ kind, u, path: points, lowest }),
  };
}

/** A point a little beyond an end that is not excluded, from elsewhere. */
async function witnessBeyond<A>(
  context: Context<A>,
  { held, n, direction, mate }: Task<A>,
  end: Followed,
  round: number,
): Promise<Reached | undefined> {
  const { fitted, critical, ask, cancel } = context;
  const { point } = fitted;
  const known = await knownBeyond(context, held, direction, end);
  if (known.witness || end.kind === 'bound') return known.witness;
  const random = randomFrom(partSeed(round, 2 * n + (direction > 0 ? 1 : 0)));
  const units = unitsOf(fitted);
  const about = (from: Float64Array): Float64Array =>
    from.map((value, k) => value + spread * units[k]! * random.normal());
  const off = offEdges(fitted);
  const far = [
    point,
    ...(off === point ? [] : [off]),
    ...held.images,
    ...known.starts,
    ...(mate ? [mate.inside.point] : []),
    ...Array.from({ length: hasKinks(fitted) ? drawn.kinked : drawn.smooth }, () => about(end.inside.point)),
  ];
  const outside = clamp(end.u + beyond[0]! * (end.u - held.start), held.bounds);
  for (const image of held.images) {
    const found = await walkedBeyond(context, held, image, end.u, outside);
    if (found) return found;
  }
  let starts: readonly Float64Array[] = far;
  for (const share of beyond) {
    const u = clamp(end.u + share * (end.u - held.start), held.bounds);
    const { ends, ...found } = await reach(fitted, held, u, { near: [], far: starts }, critical, ask, cancel);
    if (found.root < critical) return found;
    // What passes below the end has been met further out, where it may be excluded.
    starts = apart(fitted, ends).map((each) => each.point);
  }
  return undefined;
}

/** From where like terms have changed places, step by step along the profile there: the last point beyond the end that is not excluded. */
async function walkedBeyond<A>(
  { critical, ask, cancel, fitted }: Context<A>,
  held: Held<A>,
  image: Float64Array,
  end: number,
  to: number,
): Promise<Reached | undefined> {
  const from = held.at?.(image);
  if (from === undefined) return undefined;
  let beyond: Reached | undefined;
  let point = image;
  for (let step = 1; step <= steps; step++) {
    const u = from + (step / steps) * (to - from);
    const found = await held.optimise(u, point, critical, ask, cancel);
    const root = rootOf(fitted, held, found.energy);
    if (!(root < critical)) break;
    ({ point } = found);
    if ((u - end) * (to - end) > 0) beyond = { ...found, root };
  }
  return beyond;
}

/**
 * Of the points that are known, those at which what is held lies beyond an end, and is come to without a jump: the furthest of
 * them that is not excluded, or where searches may begin. A function that turns round, as |m - 1|, has values on the far side
 * of its turn that its profile does not come to from the near one.
 */
async function knownBeyond<A>(
  { fitted: { point, result }, critical, ask }: Context<A>,
  held: Held<A>,
  direction: 1 | -1,
  end: Followed,
): Promise<{ readonly witness?: Reached; readonly starts: readonly Float64Array[] }> {
  const fit: Reached = { u: held.start, root: 0, energy: result.energy, point };
  const least = further * Math.abs(end.u - held.start);
  const outside = (held.elsewhere ?? []).filter(
    ({ u, root }) => direction * (u - end.u) > least && Number.isFinite(root),
  );
  const furthestFirst = outside
    .filter(({ root }) => root < critical)
    .toSorted((one, other) => direction * (other.u - one.u));
  for (const witness of furthestFirst)
    if ((await held.connected?.(fit, witness, ask)) !== false) return { witness, starts: [] };
  const excluded = outside.filter(({ root }) => root >= critical).toSorted((one, other) => one.root - other.root);
  return { starts: excluded.slice(0, mostKnown).map((each) => each.point) };
}

async function march<A>(
  context: Context<A>,
  { held, direction }: Task<A>,
  from: Reached,
  path: Path,
): Promise<Followed> {
  const { fitted, critical, ask, cancel } = context;
  const { point } = fitted;
  const off = offEdges(fitted);
  const { start, error, bounds, limit, images } = held;
  const far = [point, ...(off === point ? [] : [off]), ...images];
  const search: SearchNear = async (u, near, enough) => {
    let found = await reach(fitted, held, u, { near, far }, enough, ask, cancel);
    const [way, last] = near;
    if (!Number.isFinite(found.root) && held.inwards) {
      // What is least by or on the edge of where the model has a value at one u may lie beyond it at the next.
      const further = [2, 4].map((times) => last.map((value, i) => value + times * (way[i]! - value)));
      const inside = [...(await held.inwards(last, ask)), ...further];
      found = await reach(fitted, held, u, { near: [], far: inside }, enough, ask, cancel);
    }
    path.add(found);
    return found;
  };
  let inner = from;
  const end = (kind: End['kind'], u: number): Followed => ({
    ...path.end(kind, u),
    inside: inner,
    // What cannot be more along the way that was taken may be on another.
    sure: kind !== 'crossing' && !(kind === 'bound' && held.elsewhere),
  });

  const bound = direction > 0 ? bounds.upper : bounds.lower;
  const undetermined = 0.1 * Math.min(sizeOf(start, error), limit);
  let step = Number.isFinite(error) && error > 0 ? Math.min(error * critical, limit) / 2 : undetermined;
  let previous: Reached | undefined;
  let failures = 0;
  let gaps = 0;
  if (start === bound) return end('bound', bound);
  // Without residuals every other value is excluded, but of what the data do not see; how far that goes nothing tells.
  if (held.scale === Infinity)
    return { ...(Number.isFinite(error) ? end('crossing', start) : end('edge', NaN)), sure: true };
  const isFarOut = (): boolean => Math.abs(inner.u - start) > farOut * sizeOf(start, error);
  const isLevel = (): boolean => isFlat(path.end('infinite', NaN).path, inner, start, critical);
  /**
   * A profile that had long been flat where numbers overflow has no end; of another it is not known. A function that is still
   * near has come to the end of its range, as a ratio of what is positive to 0.
   */
  const beyondSight = (kind: 'edge' | 'jump'): Followed => {
    if (!isLevel()) return end(kind, NaN);
    return held.connected && !isFarOut() ? end('bound', inner.u) : end('infinite', direction * Infinity);
  };
  /** So far out, and τ no longer rises: as of log(m), which has no least, though no number is smaller than its last. */
  const isEndless = (): boolean => held.connected !== undefined && isFarOut() && isLevel();
  /** A ratio whose divisor may be 0 goes on beyond infinity. */
  const around = async (): Promise<number | undefined> => {
    const near = held.reversed(inner.point, previous?.point);
    if (near.length === 0 || clamp(-inner.u, bounds) !== -inner.u) return undefined;
    const { u, root } = await reach(fitted, held, -inner.u, { near, far }, critical, ask, cancel);
    return root < critical && u * inner.u < 0 ? u : undefined;
  };
  for (;;) {
    if (isCancelled(cancel)) return end('cancelled', NaN);
    if (inner.u === bound) return end('bound', bound);
    if (Math.abs(inner.u - start) >= limit) {
      const beyond = await around();
      return { ...end('infinite', direction * Infinity), ...(beyond !== undefined && { around: beyond }) };
    }
    let u = clamp(inner.u + direction * step, bounds);
    let found: Reached | undefined;
    // 1/u goes from one infinity to the other at 0, where no row may be met, while those beyond are met as well.
    if (!held.connected && inner.u * u < 0) {
      const between = await search(0, [extrapolated(previous, inner, 0), inner.point], critical);
      if (between.root >= critical) [u, found] = [0, between];
    }
    found ??= await search(u, [extrapolated(previous, inner, u), inner.point], critical);
    if (!Number.isFinite(found.root)) {
      // The model has no value there: nearer, down to where it ends.
      if (++failures > mostTries) return beyondSight('edge');
      step /= 4;
      continue;
    }
    if (found.root >= critical) {
      const crossing = await crossingBetween(held, inner, found, critical, search);
      // What is held is a function, and beyond the end of its range τ is that of what is left.
      if (crossing.kind === 'jump' && held.connected && isLevel()) inner = crossing.inside;
      if (crossing.kind !== 'crossing') return beyondSight(crossing.kind);
      inner = crossing.inside;
      return end('crossing', crossing.u);
    }
    if (held.connected && !(await held.connected(inner, found, ask))) {
      // What lies there is reached around by infinity, or by a jump, and tells nothing of what lies between. Through a point
      // where it has no value, as a ratio where both are 0, τ goes on as it was.
      const goesOn = ++gaps > mostTries / 2 && Math.abs(found.root - inner.root) <= shortfall * critical;
      if (!goesOn && gaps > mostTries) return end('edge', NaN);
      step /= 4;
      if (!goesOn) continue;
    }
    gaps = 0;
    previous = inner;
    inner = found;
    // It goes no further: what is held is a function, and that was the end of its range.
    if (Math.abs(found.u - u) > shortfall * Math.abs(u - previous.u)) {
      const utmost = (await held.utmost?.(inner, ask)) ?? inner;
      const isFurther = direction * (utmost.u - inner.u) > 0 && utmost.root < critical;
      const isInfinite = isEndless() || (await held.endless?.(inner, direction, ask)) === true;
      const last = isFurther ? utmost.u : isInfinite ? direction * Infinity : inner.u;
      return end(Number.isFinite(last) ? 'bound' : 'infinite', last);
    }
    // To the crossing, as the slope of τ from the fit has it, and a little beyond.
    const wanted = (Math.abs(u - start) * critical * 1.1) / found.root - Math.abs(u - start);
    step = Math.min(Math.max(wanted, step / 4), 4 * Math.max(step, Math.abs(u - start) / 2), limit);
  }
}

/** Whether τ has risen by next to nothing since a fifth of the way. */
function isFlat(path: End['path'], { u, root }: Reached, start: number, critical: number): boolean {
  const early = path.filter(([at]) => Math.abs(at - start) <= Math.abs(u - start) / 5);
  const risen = root - Math.max(...early.map(([, value]) => Math.abs(value)));
  return early.length > 1 && Math.abs(risen) < flat * critical;
}

/** The others' start at u, along the line through the last two points. */
function extrapolated(previous: Reached | undefined, last: Reached, u: number): Float64Array {
  if (!previous || last.u === previous.u) return last.point;
  const share = (u - last.u) / (last.u - previous.u);
  return last.point.map((value, i) => value + share * (value - previous.point[i]!));
}
