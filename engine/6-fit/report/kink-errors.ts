/**
 * Errors where the energy has a kink and no Hessian: its curvature averaged over the errors themselves,
 *
 *   C⁻¹ = E[∇²E(û + C^½·z)] = C^(−½)ᵀ·E[z·∇E(û + C^½·z)ᵀ],   z ~ N(0, I)
 *
 * (Brown & Wang 2005, DOI 10.1093/biomet/92.1.149; the fixed point of Opper & Archambeau 2009, DOI
 * 10.1162/neco.2008.08-07-592). Of what bends evenly it is the Hessian; of Σ|y − f|/b it becomes JᵀJ/b², the information of
 * Laplace's distribution, as rows grow many.
 */
import normalQuantile from '@stdlib/stats-base-dists-normal-quantile';
import { cholesky, choleskyInverse } from '../algebra/cholesky.ts';
import { dot, numbers } from '../algebra/vectors.ts';
import type { Bounds } from '../coordinates.ts';
import { sobolSequence } from '../ensembles/sobol-sequence.ts';
import { rises, type SlopeAt } from '../stationary/rises.ts';
import { isFiniteSlope } from '../stationary/stationary.ts';

/** Pairs of points, on the way to the fixed point and at the end: of 256 the third digit of an error is known. */
const PAIRS = [48, 48, 48, 48, 48, 48, 256, 256, 256];
/** Of all pairs: as many may lie where the energy has no value, or beyond a bound, and are left out. */
const WITHOUT = 0.05;

/**
 * The averaged Hessian by the coordinates `free`, of an energy in units of −log L; undefined where it does not curve up, or is
 * bounded so near that errors of this kind say nothing.
 */
export async function averagedCurvature(
  slopeAt: SlopeAt,
  point: Float64Array,
  all: readonly Bounds[],
  free: readonly number[],
): Promise<Float64Array[] | undefined> {
  const n = free.length;
  const beside = (step: Float64Array): Float64Array => {
    const moved = point.slice();
    free.forEach((j, a) => (moved[j] = moved[j]! + step[a]!));
    return moved;
  };
  const slopeBeside = async (step: Float64Array): Promise<Float64Array | undefined> => {
    const u = beside(step);
    if (u.some((value, j) => value < all[j]!.lower || value > all[j]!.upper)) return undefined;
    const slope = await slopeAt(u);
    return isFiniteSlope(slope) ? Float64Array.from(free, (j) => slope.gradient[j]!) : undefined;
  };
  const widths = await rises(slopeAt, point, free, all);
  if (!widths) return undefined;
  let factor = widths.map((width, a) => numbers(n, (b) => (a === b ? width : 0)));
  let curvature: Float64Array[] | undefined;
  for (const pairs of PAIRS) {
    const directions = spread(n, pairs);
    const sums = factor.map(() => new Float64Array(n));
    let met = 0;
    const second = factor.map(() => new Float64Array(n));
    for (const z of directions) {
      const step = numbers(n, (a) => dot(factor[a]!, z));
      const [up, down] = [await slopeBeside(step), await slopeBeside(step.map((value) => -value))];
      if (!up || !down) continue;
      met++;
      for (let a = 0; a < n; a++)
        for (let b = 0; b < n; b++) {
          const row = sums[a] as Float64Array;
          row[b] = row[b]! + (z[a]! * (up[b]! - down[b]!)) / 2;
          const spreadRow = second[a] as Float64Array;
          spreadRow[b] = spreadRow[b]! + z[a]! * z[b]!;
        }
    }
    if (met < (1 - WITHOUT) * directions.length) return undefined;
    // E[z·gᵀ] = E[z·zᵀ]·Lᵀ·H, exact whatever the points are where g is linear.
    const known = cholesky(second);
    if (!known) return undefined;
    const across = timesTransposedInverse(factor, product(choleskyInverse(known), sums));
    curvature = across.map((row, a) => row.map((value, b) => (value + across[b]![a]!) / 2));
    const root = cholesky(curvature);
    const next = root && cholesky(choleskyInverse(root));
    if (!next) return undefined;
    factor = next;
  }
  return curvature;
}

/** Points that are spread as evenly as normal ones can be; each stands for its negative too. */
function spread(dimensions: number, count: number): Float64Array[] {
  const sequence = sobolSequence(dimensions, 0);
  return Array.from({ length: count }, (_, index) => {
    const into = new Float64Array(dimensions);
    sequence.point(index, into);
    return into.map((share) => normalQuantile(share, 0, 1));
  });
}

const product = (a: readonly Float64Array[], b: readonly Float64Array[]): Float64Array[] =>
  a.map((row) => numbers(b.length, (j) => b.reduce((sum, other, k) => sum + row[k]! * other[j]!, 0)));

/** L⁻ᵀ·M of a lower triangle L. */
function timesTransposedInverse(l: readonly Float64Array[], m: readonly Float64Array[]): Float64Array[] {
  const rows = m.map((row) => row.slice());
  for (let i = rows.length - 1; i >= 0; i--) {
    const row = rows[i] as Float64Array;
    for (let k = i + 1; k < rows.length; k++) {
      const share = l[k]![i]!;
      const below = rows[k] as Float64Array;
      for (let j = 0; j < row.length; j++) row[j] = row[j]! - share * below[j]!;
    }
    const pivot = l[i]![i]!;
    for (let j = 0; j < row.length; j++) row[j] = row[j]! / pivot;
  }
  return rows;
}
