/**
 * Where chains begin: paths from points drawn of the prior and around the initial values, and of the paths' ends those
 * that are not hopeless beside the best one.
 */
import type { Random } from '../../6-fit/ensembles/random.ts';
import { pathFrom, type Beginning, type Path } from './pathfinder.ts';
import type { Following } from './potential.ts';

/** Points that may fail before a path is given up. */
const tries = 20;
/** e⁻¹⁰ of the best one's probability is none; a chain from there would spend its warm-up on the way to the others. */
const hopeless = 10;

/** `begin`: a point for the try, closer to the initial values with every one. */
export function* pathOf(
  begin: (random: Random, nearness: number) => Beginning,
  random: Random,
): Following<Path | undefined> {
  for (let k = 0; k < tries; k++) {
    const path = yield* pathFrom(begin(random, 1 - k / (tries - 1)), random);
    if (path) return path;
  }
  return undefined;
}

/**
 * One for each chain: the best path, then whichever lies furthest from those that are taken, so that what the chains agree
 * on they have not been given. Again from the first where there are fewer; empty where no path was found.
 */
export function startsOf(paths: readonly (Path | undefined)[], chains: number): Path[] {
  const found = paths.filter((path) => path !== undefined).sort((a, b) => b.elbo - a.elbo);
  const best = found[0];
  if (!best) return [];
  const left = found.filter(({ elbo }) => elbo >= best.elbo - hopeless || best.elbo === -Infinity);
  const taken: Path[] = [];
  while (left.length > 0 && taken.length < chains) {
    let [next, furthest] = [0, -1];
    left.forEach((path, k) => {
      const nearest = Math.min(...taken.map((other) => distance(path, other, best)));
      if (nearest > furthest) [next, furthest] = [k, nearest];
    });
    taken.push(...left.splice(next, 1));
  }
  return Array.from({ length: chains }, (_, c) => taken[c % taken.length]!);
}

/** Squared, in standard deviations of the best path's metric. */
function distance(a: Path, b: Path, { metric }: Path): number {
  return a.state.position.reduce((sum, v, i) => {
    const apart = v - b.state.position[i]!;
    return sum + (apart * apart) / metric.variances[i]!;
  }, 0);
}
