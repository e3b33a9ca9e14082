/**
 * Where the fit is once more: the same point with like terms in each other's places, as A·exp(-a·x) + B·exp(-b·x) allows.
 * A profile that runs into such a place goes on from there, and no search from the fit itself need find it. Sets of like
 * coordinates that change places two by two are tried, the fewest first; values of the energy about the fit and at their
 * images say which of them the model does not tell apart (6-fit/symmetry.ts).
 */
import type { Device } from '../../5-runtime/device.ts';
import { batched } from '../../6-fit/ensembles/batched-objective.ts';
import { scalarsOf } from '../../6-fit/marginal/questions.ts';
import { isLarge } from '../../6-fit/optimisers/large-least-squares.ts';
import { applied, areLike, areSame, pointsAbout, type Symmetry } from '../../6-fit/symmetry.ts';
import type { Fitted } from './fitted.ts';

/** Sets of pairs that are tried, and coordinates beyond which none is. */
const mostTried = 1000;
const mostCoordinates = 40;
const rounding = { f64: 1e-8, f32: 1e-3 };

/** Those of the model that let like coordinates change places. */
export async function exchangesOf(
  { problem, all, point, errors }: Fitted,
  device: Device,
  cancel: Int32Array | undefined,
): Promise<Symmetry[]> {
  const tried = all.length > mostCoordinates || problem.effects || isLarge(problem, all) ? [] : pairings(all);
  if (tried.length === 0) return [];
  const energies = await batched(scalarsOf(problem, all, [problem.energy]), problem, device, cancel);
  const valuesAt = async (points: readonly Float64Array[]): Promise<number[]> =>
    (await energies.at(points)).map(([value]) => value!);
  try {
    const points = pointsAbout(all, point, errors);
    const values = await valuesAt(points);
    const first = values.findIndex(Number.isFinite);
    if (first < 0) return [];
    const images = await valuesAt(tried.map((symmetry) => applied(symmetry, points[first]!)));
    const close = (value: number): boolean =>
      Math.abs(value - values[first]!) <= rounding[device.precision] * Math.abs(value);
    const found: Symmetry[] = [];
    for (const symmetry of tried.filter((_, i) => close(images[i]!)))
      if (areSame(values, await valuesAt(points.map((u) => applied(symmetry, u))), rounding[device.precision]))
        found.push(symmetry);
    return found;
  } finally {
    energies.release();
  }
}

/** Disjoint pairs of like coordinates, one pair by itself first. */
function pairings(all: Fitted['all']): Symmetry[] {
  const pairs = all.flatMap((one, i) =>
    all.flatMap((other, j) => (i < j && areLike(one, other) ? [[i, j] as const] : [])),
  );
  let sets: (readonly (readonly [number, number])[])[] = pairs.map((pair) => [pair]);
  const found = [...sets];
  while (sets.length > 0 && found.length < mostTried) {
    sets = sets
      .flatMap((set) => {
        const last = set.at(-1)!;
        const taken = new Set(set.flat());
        return pairs.flatMap((pair) =>
          pair[0] > last[0] && !taken.has(pair[0]) && !taken.has(pair[1]) ? [[...set, pair]] : [],
        );
      })
      .slice(0, mostTried - found.length);
    found.push(...sets);
  }
  return found.map((set) => {
    const from = all.map((_, j) => j);
    for (const [i, j] of set) [from[i], from[j]] = [j, i];
    return { moves: from.map((j) => ({ from: j, sign: 1, halfTurns: 0 })) };
  });
}
