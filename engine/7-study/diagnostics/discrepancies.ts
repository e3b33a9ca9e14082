/**
 * Normalised prediction distribution errors: what was observed held against as many data sets drawn from the model. With the
 * mean m and the covariance C = L·Lᵀ of the draws of each group
 *
 *   y* = L⁻¹·(y − m),   pde = the share of draws whose y* lies below that of the data,   npde = Φ⁻¹(pde)
 *
 * a share of 0 or 1 counting as half a draw. Where the model holds they are standard normal, without approximation.
 *
 * Brendel, Comets, Laffont, Laveille and Mentré (2006); Comets, Brendel and Mentré (2008), as R's npde.
 */
import normalQuantile from '@stdlib/stats-base-dists-normal-quantile';
import { cholesky } from '../../6-fit/algebra/cholesky.ts';

/** `groups`: rows that are decorrelated together. NaN where nothing was observed, or there are too few draws for a group. */
export function predictionErrors(
  observed: ArrayLike<number>,
  draws: readonly ArrayLike<number>[],
  groups: readonly (readonly number[])[],
): Float64Array {
  const errors = new Float64Array(observed.length).fill(NaN);
  const K = draws.length;
  for (const rows of groups) {
    const seen = rows.filter((row) => Number.isFinite(observed[row]));
    const means = seen.map((row) => draws.reduce((sum, draw) => sum + draw[row]!, 0) / K);
    const off = (of: ArrayLike<number>): Float64Array => Float64Array.from(seen, (row, i) => of[row]! - means[i]!);
    const centred = draws.map(off);
    const covariance = seen.map((_, i) =>
      Float64Array.from(seen, (__, j) => centred.reduce((sum, draw) => sum + draw[i]! * draw[j]!, 0) / (K - 1)),
    );
    const factor = K > seen.length ? cholesky(covariance) : undefined;
    if (!factor) continue;
    const data = forward(factor, off(observed));
    const others = centred.map((draw) => forward(factor, draw));
    seen.forEach((row, i) => {
      const below = others.filter((other) => other[i]! < data[i]!).length;
      errors[row] = normalQuantile(Math.min(1 - 0.5 / K, Math.max(0.5 / K, below / K)), 0, 1);
    });
  }
  return errors;
}

/** L⁻¹·v */
function forward(l: readonly Float64Array[], v: Float64Array): Float64Array {
  const x = v.slice();
  for (let i = 0; i < x.length; i++) {
    const row = l[i]!;
    for (let k = 0; k < i; k++) x[i] = x[i]! - row[k]! * x[k]!;
    x[i] = x[i]! / row[i]!;
  }
  return x;
}
