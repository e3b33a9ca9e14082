/**
 * The restricted likelihood, fixed effects β integrated out with all else. Where −log L is quadratic in β with the Hessian
 * X of its rows, which depends on the other parameters θ alone,
 *
 *   −log ∫ L dβ = min_β −log L(θ, β) + ½ log det X(θ) − (p/2)·log 2π
 *
 * and what is minimised here is this without the min, so that β ends where it would with those θ. Gradients of a quadratic
 * are linear: X is had from p + 1 of them, and with X⁻¹ = V·Vᵀ
 *
 *   ∂/∂θ log det X = Σ_k ∂/∂θ (−log L)(β + v_k) + … (β − v_k) − 2 … (β)
 *
 * exactly, whatever the size of the steps.
 *
 * Patterson and Thompson (1971); Harville (1974).
 */
import { cholesky, choleskyInverse } from '../algebra/cholesky.ts';
import type { Coordinate } from '../coordinates.ts';
import type { Ask } from '../questions.ts';
import type { Slope } from '../stationary/stationary.ts';
import type { Likelihood } from './joint.ts';

/** `names`: the parameters β, whose coordinates are themselves. */
export function restricted(likelihood: Likelihood, names: readonly string[], all: readonly Coordinate[]): Likelihood {
  const fixed = placesOf(names, all);
  const constant = (fixed.length / 2) * Math.log(2 * Math.PI);
  const rowsAt = (ask: Ask, point: Float64Array, here: Slope) =>
    informationOf((u) => likelihood.slope(ask, u), fixed, point, here);
  const beside = (factor: readonly Float64Array[] | undefined): number =>
    factor ? factor.reduce((sum, row, i) => sum + Math.log(row[i]!), 0) - constant : NaN;
  return {
    async values(ask, point, results) {
      const values = await likelihood.values(ask, point, results);
      const added = beside(cholesky(await rowsAt(ask, point, await likelihood.slope(ask, point))));
      return values.map((value) => value + added);
    },
    async slope(ask, point) {
      const here = await likelihood.slope(ask, point);
      const factor = cholesky(await rowsAt(ask, point, here));
      const roots = factor && cholesky(choleskyInverse(factor));
      if (!roots) return { value: NaN, gradient: here.gradient.map(() => NaN) };
      const bent = new Float64Array(all.length);
      for (const k of fixed.keys())
        for (const side of [1, -1]) {
          const step = roots.map((row) => side * row[k]!);
          const { gradient } = await likelihood.slope(ask, moved(point, fixed, step));
          gradient.forEach((g, j) => (bent[j] = bent[j]! + g - here.gradient[j]!));
        }
      for (const j of fixed) bent[j] = 0;
      const gradient = here.gradient.map((g, j) => g + bent[j]! / 2);
      return { value: here.value + beside(factor), gradient };
    },
  };
}

/** Why a parameter cannot be integrated out. */
export interface Unrestricted {
  readonly name: string;
  /** The model is not linear in it, or the data do not tell it from others. */
  readonly why: 'bent' | 'confounded';
}

/** Of a pivot of the correlations of X, whose square is the share of a column that the others leave. */
const CONFOUNDED = 1e-6;

/** The first of the parameters β that −log L is not quadratic in at a point, or by which X is singular. */
export async function unrestricted(
  { slope }: Likelihood,
  names: readonly string[],
  all: readonly Coordinate[],
  ask: Ask,
  point: Float64Array,
): Promise<Unrestricted | undefined> {
  const fixed = placesOf(names, all);
  const here = await slope(ask, point);
  const rows = await informationOf((u) => slope(ask, u), fixed, point, here);
  const nameAt = (i: number): string => all[fixed[i]!]!.parameter.name;
  const unseen = fixed.findIndex((_, i) => rows[i]![i] === 0);
  if (unseen >= 0) return { name: nameAt(unseen), why: 'confounded' };
  // Each coordinate alone, twice as far; then all together.
  const steps = [...fixed.keys()].map((j) => fixed.map((place, i) => (i === j ? 2 * stepOf(point, place) : 0)));
  steps.push(fixed.map((place, i) => 0.3 * (-1) ** i * stepOf(point, place)));
  for (const [j, step] of steps.entries()) {
    const { gradient } = await slope(ask, moved(point, fixed, step));
    for (const [i, place] of fixed.entries()) {
      const terms = step.map((h, k) => h * rows[i]![k]!);
      const expected = here.gradient[place]! + terms.reduce((sum, term) => sum + term, 0);
      const size = Math.abs(here.gradient[place]!) + terms.reduce((sum, term) => sum + Math.abs(term), 0);
      if (!(Math.abs(gradient[place]! - expected) <= 1e-6 * size))
        return { name: nameAt(j < fixed.length ? j : i), why: 'bent' };
    }
  }
  const size = (i: number): number => Math.sqrt(rows[i]![i]!);
  const scaled = rows.map((row, i) => row.map((x, j) => x / (size(i) * size(j))));
  const pivots = fixed.map((_, i) => cholesky(scaled.slice(0, i + 1).map((row) => row.slice(0, i + 1)))?.[i]?.[i]);
  const lost = pivots.findIndex((pivot) => !(pivot !== undefined && pivot > CONFOUNDED));
  return lost < 0 ? undefined : { name: nameAt(lost), why: 'confounded' };
}

const placesOf = (names: readonly string[], all: readonly Coordinate[]): number[] =>
  all.flatMap(({ parameter }, j) => (names.includes(parameter.name) ? [j] : []));

/** Any would do, the gradient being linear. */
const stepOf = (point: Float64Array, place: number): number => Math.max(1, Math.abs(point[place]!));

function moved(point: Float64Array, places: readonly number[], step: readonly number[]): Float64Array {
  const u = point.slice();
  places.forEach((place, i) => (u[place] = u[place]! + step[i]!));
  return u;
}

/** X, by rows. */
async function informationOf(
  slope: (u: Float64Array) => Promise<Slope>,
  fixed: readonly number[],
  point: Float64Array,
  here: Slope,
): Promise<Float64Array[]> {
  const rows: Float64Array[] = [];
  for (const place of fixed) {
    const h = stepOf(point, place);
    const { gradient } = await slope(moved(point, [place], [h]));
    rows.push(Float64Array.from(fixed, (k) => (gradient[k]! - here.gradient[k]!) / h));
  }
  return rows.map((row, i) => row.map((x, j) => (x + rows[j]![i]!) / 2));
}
