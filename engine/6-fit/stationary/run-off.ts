/**
 * Where every row is met, to rounding, and parameters have run off: alone, together, or along a curve on which only what they make
 * of each other is seen, as a·b of a·(1 − exp(−b·x)) is where the rows lie on a line.
 */
import { symmetricEigen } from '../algebra/eigen.ts';
import { dot, norm, numbers } from '../algebra/vectors.ts';
import type { Asking } from '../asking.ts';
import { clamp, type Coordinate } from '../coordinates.ts';
import type { Look } from '../expansion.ts';
import { byValue, tried, type Place } from './around.ts';
import { EDGE_OF_NUMBERS, energyOfRounding, isSquares, type EnergyUnits, type Expansion } from './stationary.ts';
import { FOLLOWED, followed, lowered } from './valley.ts';

/** Multiples of its size on the way back from where parameters have run to. */
const BACK = [0.5, 0.1, 1e-2, 1e-4, 1e-8, 1e-16, 1e-32, 1e-64, 1e-128, 0, -1];
/** Of energies that are nothing but rounding: one that is more than that. */
const MORE = 1e6;

/**
 * Where every row is met, to rounding: a coordinate that has run off, alone or with all others. Twice as large it meets them as well,
 * and smaller it does not: rows of 0 and 1 are met by the ends of a curve that tells them apart, wherever it is steep enough.
 */
export function* runOff<E extends Expansion>(
  place: Place<E>,
  rounding: number,
  all: readonly Coordinate[],
): Asking<Look, E, number | undefined> {
  const { point } = place;
  const large = all
    .flatMap((_, j) => (point[j] !== 0 ? [j] : []))
    .sort((i, j) => Math.abs(point[j]!) - Math.abs(point[i]!));
  for (const members of [...large.map((j) => [j]), ...(large.length > 1 ? [large] : [])]) {
    const multiplied = function* (multiple: number): Asking<Look, E, number> {
      const there = all.map((coordinate, j) => {
        const at = clamp(multiple * point[j]!, coordinate);
        return members.includes(j) ? { ...coordinate, lower: at, upper: at } : coordinate;
      });
      const next = yield* tried(place, new Float64Array(all.length), there, byValue);
      return next && members.every((j) => next.point[j] !== point[j]) ? next.energy : NaN;
    };
    if (!((yield* multiplied(2)) <= rounding)) continue;
    for (const multiple of BACK)
      if ((yield* multiplied(multiple)) > MORE * rounding + EDGE_OF_NUMBERS) return members[0];
  }
  return undefined;
}

/** Residuals may be rounding where they are this share of what the parameters make of the rows, or less. */
const SMALL = 1e-5;
/** How far parameters are moved to see it, as shares of themselves: a formula that loses digits does not see less. */
const HAIRS = [1e-7, -3e-8, 9e-9, -3e-9];
/** By what few rows, seen so often, may be less than usual. */
const USUAL = 100;

/**
 * Σr² of residuals that are nothing but rounding: of what the rounding of parameters makes of the rows, and where columns of the
 * Jacobian have become one, so that a formula may take what is large from what is large, as a·(√(1 + b·x) − 1) with b·x of 10⁻⁸
 * does, of what a hair's breadth makes of the rows beyond their slopes.
 */
export function* rounded<E extends Expansion>(
  place: Place<E>,
  all: readonly Coordinate[],
  units: EnergyUnits,
): Asking<Look, E, number> {
  const { point, expansion, energy } = place;
  if (!isSquares(expansion)) return -Infinity;
  const ofParameters = energyOfRounding(expansion, point, units);
  const { residuals, jacobian } = expansion;
  const rows = jacobian.reduce((sum, column, j) => sum + (point[j]! * norm(column)) ** 2, 0);
  // Of rows that were compressed there are as many as parameters, and they are no longer those of another point.
  const isWhole = residuals.length > point.length + 1;
  if (energy <= ofParameters || energy > SMALL ** 2 * rows || !isWhole || curves(place, all).length === 0)
    return ofParameters;
  let seen = 0;
  for (const [k, share] of HAIRS.entries()) {
    const step = point.map((u, j) => (j === k % point.length ? share : share / 7) * u);
    const next = yield* tried(place, step, all);
    if (!next || !isSquares(next.expansion)) continue;
    const { residuals: there } = next.expansion;
    const moved = next.point.map((u, j) => u - point[j]!);
    const beyond = residuals.map((r, i) =>
      jacobian.reduce((sum, column, j) => sum - column[i]! * moved[j]!, there[i]! - r),
    );
    seen = Math.max(seen, dot(beyond, beyond));
  }
  return Math.max(ofParameters, USUAL * seen);
}

/** Squares of the sines of angles between columns of J, below which they are nearly one: a curve leads along there. */
const NEARLY_ONE = 1e-6;
/** How often what runs off is doubled, and halved on the way back. */
const DOUBLED = 2;
const HALVED = 100;

/**
 * The same along a curve: of coordinates whose columns of the Jacobian have become one, each changes by its share of itself, and all but
 * the one that changes most then follow. Further out every row is met as well; back towards ordinary sizes the energy rises
 * plainly at last. Of a product of which only the whole is known it does so nowhere, and at a minimum on both sides.
 */
export function* runOffTogether<E extends Expansion>(
  place: Place<E>,
  rounding: number,
  all: readonly Coordinate[],
  units: EnergyUnits,
): Asking<Look, E, number | undefined> {
  for (const shares of curves(place, all)) {
    const j = shares.reduce((most, share, i) => (Math.abs(share) > Math.abs(shares[most]!) ? i : most), 0);
    /** So many doublings along the curve. */
    const moved = function* (from: Place<E>, doublings: number): Asking<Look, E, Place<E> | undefined> {
      const step = numbers(all.length, (i) => {
        const change = Math.LN2 * doublings * (shares[i]! / shares[j]!);
        return isProportional(all[i]!) ? from.point[i]! * Math.expm1(change) : change;
      });
      const u = from.point[j]! + step[j]!;
      return clamp(u, all[j]!) === u ? yield* followed(from, step, place, j, u, all, units) : undefined;
    };
    for (const side of [1, -1]) {
      let most = Math.max(place.energy, rounding);
      let at: Place<E> | undefined = place;
      for (let k = 0; k < DOUBLED && at; k++) {
        at = yield* moved(at, side);
        most = Math.max(most, at?.energy ?? NaN);
      }
      at = at && place;
      for (let k = 0; k < HALVED && at; k++) {
        at = yield* moved(at, -side);
        if (at && at.energy > MORE * most + EDGE_OF_NUMBERS && (yield* staysAbove(at, MORE * most, j, all, units)))
          return j;
      }
    }
  }
  return undefined;
}

/** Coordinates that change by a share of themselves; others are logarithms of something. */
const isProportional = ({ parameter }: Coordinate): boolean => parameter.scale === 'linear';

/** Along what the residuals hardly change, as shares of the coordinates of which it is. */
function curves<E extends Expansion>({ point, expansion }: Place<E>, all: readonly Coordinate[]): Float64Array[] {
  if (!isSquares(expansion)) return [];
  const { jacobian } = expansion;
  const seen = all.flatMap((_, j) => (point[j] !== 0 && norm(jacobian[j]!) > 0 ? [j] : []));
  const columns = seen.map((j) => jacobian[j]!.map((value) => value / norm(jacobian[j]!)));
  const { values, vectors } = symmetricEigen(columns.map((a) => Float64Array.from(columns, (b) => dot(a, b))));
  return vectors.flatMap((vector, k) => {
    if (!(values[k]! < NEARLY_ONE)) return [];
    const shares = new Float64Array(all.length);
    vector.forEach((x, i) => {
      const j = seen[i]!;
      shares[j] = x / norm(jacobian[j]!) / (isProportional(all[j]!) ? point[j]! : 1);
    });
    return [shares];
  });
}

/** Whether the energy cannot be brought down to `least` with u_j held where it is. */
function* staysAbove<E extends Expansion>(
  from: Place<E>,
  least: number,
  j: number,
  all: readonly Coordinate[],
  units: EnergyUnits,
): Asking<Look, E, boolean> {
  const pinned = all.map((coordinate, i) =>
    i === j ? { ...coordinate, lower: from.point[j]!, upper: from.point[j]! } : coordinate,
  );
  let at: Place<E> | undefined = from;
  for (let k = 0; k < FOLLOWED && at; k++) {
    if (!(at.energy > least)) return false;
    at = yield* lowered(at, pinned, units);
  }
  return true;
}
