/**
 * Where a fit may begin where nothing bounds it. Scales are not asked for: the model shows them, since where it has no value,
 * or none that depends on a coordinate, no descent gets anywhere. A herd of points that are drawn over many decades goes a few
 * steps down, all in one batch; the lower half is bred from: each child takes a coordinate from one of them, or from another,
 * a little off, or drawn anew, and goes a few steps down too. So points that have one term right and points that have another
 * right meet in one that has both. It ends when some generations have found nothing lower (memetic search: Moscato 1989;
 * short descents between are what separates it from a search by values alone).
 *
 * Parameters that are solved for need no start. The same seed gives the same points.
 */
import type { Asking } from './asking.ts';
import { clamp, toCoordinate, type Coordinate } from './coordinates.ts';
import { inStep, type AnswerAll } from './ensembles/lanes.ts';
import { partSeed, randomFrom } from './ensembles/random.ts';
import { sobolSequence } from './ensembles/sobol-sequence.ts';
import { track } from './track.ts';
import { isCancelled, type Ending, type FitParameter, type OptimiserOptions } from './problem.ts';
import { startingRange } from './starting-points.ts';

export interface Searched<Q, A> {
  readonly all: readonly Coordinate[];
  readonly own: Float64Array;
  /** Positions of coordinates that a descent solves for. */
  readonly solved: readonly number[];
  readonly steps: (start: Float64Array, options: OptimiserOptions) => Asking<Q, A, Ending>;
  readonly answerAll: AnswerAll<Q, A>;
  readonly options: OptimiserOptions;
}

/** Steps of each descent. */
const SHORT = 6;
/** Generations at most, and how many may find nothing lower. */
const MOST = 12;
const PATIENCE = 4;
const LOWER = 1e-3;
/** Energies this close are of one point, for breeding. */
const ALIKE = 1e-4;
/** Decades about the start's size over which a coordinate without bounds is drawn: more towards 0, which exp and powers need. */
const [FEWEST, DECADES] = [-4, 5];
/** Shares of draws: within ten times the start's size, then of the start's sign; the rest of the other. */
const [NEAR, SAME_SIGN] = [0.3, 0.85];

/**
 * The ends of the short descents, lowest first, at most `count`; none where no point has a value. Where the user stops, what there is.
 * The iterations of an end are those of all descents on the way to it, fewer than the options allow.
 */
export async function search<Q, A>(searched: Searched<Q, A>, count: number, seed: number): Promise<readonly Ending[]> {
  const { all, own, solved, options } = searched;
  const others = all.flatMap((_, j) => (solved.includes(j) ? [] : [j]));
  const random = randomFrom(partSeed(seed, 1));
  const sequence = sobolSequence(2 * others.length, seed);
  let drawn = 0;
  const fresh = (): Float64Array => {
    const shares = new Float64Array(2 * others.length);
    sequence.point(drawn++, shares);
    const point = own.slice();
    others.forEach((j, k) => {
      point[j] = drawnCoordinate(all[j]!, shares[k]!, shares[others.length + k]!);
    });
    return point;
  };
  let herd = await descended(
    searched,
    Array.from({ length: 2 * count }, () => ({ point: fresh(), iterations: 0 })),
  );
  for (
    let generation = 0, idle = 0;
    generation < MOST && idle < PATIENCE && !isCancelled(options.cancel);
    generation++
  ) {
    const before = energyOf(herd[0]);
    const parents = unlike(herd).slice(0, Math.max(2, count / 2));
    if (parents.length === 0) break;
    const anyParent = (): Ending => parents[random.integer(parents.length)]!;
    const children = Array.from({ length: count }, () => {
      const parent = anyParent();
      let { iterations } = parent;
      const child = parent.point.slice();
      const drawn = fresh();
      for (const j of others) {
        const coordinate = all[j]!;
        const way = random.uniform();
        if (way < 0.2) child[j] = drawn[j]!;
        else if (way < 0.45) {
          const other = anyParent();
          child[j] = other.point[j]!;
          iterations = Math.max(iterations, other.iterations);
        } else if (way < 0.7) child[j] = beside(coordinate, child[j]!, random.normal() / 2);
      }
      return { point: child, iterations };
    });
    herd = lowestFirst([...herd, ...(await descended(searched, children))]).slice(0, 4 * count);
    idle = energyOf(herd[0]) < before - LOWER * Math.abs(before) ? 0 : idle + 1;
  }
  return herd.slice(0, count);
}

/** Whether there is something to search: a coordinate that is not solved for, and not between two bounds. */
export function isSearched(all: readonly Coordinate[], solved: readonly number[]): boolean {
  return all.some(({ parameter, element }, j) => !solved.includes(j) && !isBounded(parameter, element));
}

function isBounded({ lower, upper, scale, freed }: FitParameter, element: number): boolean {
  if (freed) return false;
  const least = lower[element]!;
  return (scale === 'log' ? least > 0 : Number.isFinite(least)) && Number.isFinite(upper[element]);
}

function drawnCoordinate(coordinate: Coordinate, share: number, way: number): number {
  const { parameter, element } = coordinate;
  const start = parameter.initial[element]!;
  const [low, high] = startingRange(parameter, element);
  const evenly = parameter.scale === 'log' ? low * (high / low) ** share : low + (high - low) * share;
  if (parameter.scale !== 'linear' || isBounded(parameter, element) || way < NEAR)
    return clamp(toCoordinate(coordinate, evenly), coordinate);
  const size = (Math.abs(start) || 1) * 10 ** (FEWEST + DECADES * share);
  const value = (start < 0 ? -1 : 1) * (way < SAME_SIGN ? 1 : -1) * size;
  const inside = value >= coordinate.lower && value <= coordinate.upper;
  return clamp(inside ? value : -value, coordinate);
}

const beside = (coordinate: Coordinate, u: number, by: number): number =>
  clamp(coordinate.parameter.scale === 'linear' ? u * Math.exp(by) : u + by, coordinate);

/** Those that have a value, lowest first; one step is left to what begins where they end. */
async function descended<Q, A>(
  { steps, answerAll, options }: Searched<Q, A>,
  starts: readonly Pick<Ending, 'point' | 'iterations'>[],
): Promise<Ending[]> {
  const ended: Ending[] = [];
  const lanes = starts.flatMap(({ point, iterations }) => {
    const left = options.maxIterations - iterations - 1;
    const limits = { ...options, maxIterations: Math.min(SHORT, left) };
    return left > 0 ? [{ start: point, iterations, ...track(point, limits) }] : [];
  });
  await inStep(lanes, answerAll, {
    begin: ({ start, tracked }) => steps(start, tracked),
    stopped: ({ stopped }, error) => stopped(error),
    onEnd: (ending, index) =>
      void (ended[index] = { ...ending, iterations: lanes[index]!.iterations + ending.iterations }),
  });
  return lowestFirst(ended.filter((ending) => ending.status !== 'failed' && Number.isFinite(energyOf(ending))));
}

const energyOf = (ending: Ending | undefined): number => ending?.history.at(-1) ?? NaN;

const lowestFirst = (endings: readonly Ending[]): Ending[] =>
  [...endings].sort((a, b) => energyOf(a) - energyOf(b) || a.iterations - b.iterations);

/** One of each energy. */
function unlike(sorted: readonly Ending[]): Ending[] {
  return sorted.filter(
    (ending, i) => i === 0 || energyOf(ending) - energyOf(sorted[i - 1]) > ALIKE * Math.abs(energyOf(sorted[i - 1])),
  );
}
