/**
 * Conditional weighted residuals: of the model made linear in the effects at their modes b̂, each group's observations
 *
 *   y ≈ f(b̂) + F·(b − b̂) + ε,   E y = f(b̂) − F·b̂,   cov y = V = F·Σ·Fᵀ + R,   CWRES = V^(−½)·(y − E y)
 *
 * with the symmetric root of V, F = ∂f/∂b and R the noise at b̂. Where the model holds they are independent and standard
 * normal. Of effects w ~ N(0, I), by which Σ = I.
 *
 * Hooker, Staatz and Karlsson (2007).
 */
import { symmetricEigen } from '../../6-fit/algebra/eigen.ts';

/** Of one effect: what each row's prediction moves with that of its own group, and which group that is (−1 where it moves not). */
export interface EffectSlopes {
  readonly slopes: Float64Array;
  readonly groups: Int32Array;
}

export interface LinearisedRows {
  /** y − E y, row by row; NaN where nothing was observed. */
  readonly distances: Float64Array;
  /** The diagonal of R. */
  readonly variances: Float64Array;
  readonly effects: readonly EffectSlopes[];
}

/** NaN where nothing was observed, and where V is not positive definite. */
export function conditionalResiduals({ distances, variances, effects }: LinearisedRows): Float64Array {
  const residuals = new Float64Array(distances.length).fill(NaN);
  for (const rows of rowsTogether(effects, distances.length)) {
    const seen = rows.filter((row) => Number.isFinite(distances[row]) && Number.isFinite(variances[row]));
    const covariance = seen.map((a) =>
      Float64Array.from(seen, (b) =>
        effects.reduce(
          (sum, { slopes, groups }) => (groups[a] === groups[b] ? sum + slopes[a]! * slopes[b]! : sum),
          a === b ? variances[a]! : 0,
        ),
      ),
    );
    const { values, vectors } = symmetricEigen(covariance);
    if (!values.every((value) => value > 0)) continue;
    const along = vectors.map((v) => seen.reduce((sum, row, i) => sum + v[i]! * distances[row]!, 0));
    seen.forEach((row, i) => {
      residuals[row] = vectors.reduce((sum, v, k) => sum + (v[i]! * along[k]!) / Math.sqrt(values[k]!), 0);
    });
  }
  return residuals;
}

/** Rows that share a group with one another, or with others that do; a row that no effect moves is by itself. */
export function rowsTogether(effects: readonly Pick<EffectSlopes, 'groups'>[], count: number): number[][] {
  const above = Int32Array.from({ length: count }, (_, row) => row);
  const top = (row: number): number => {
    let at = row;
    while (above[at] !== at) at = above[at] = above[above[at]!]!;
    return at;
  };
  for (const { groups } of effects) {
    const first = new Map<number, number>();
    groups.forEach((group, row) => {
      if (group < 0) return;
      const other = first.get(group);
      if (other === undefined) first.set(group, row);
      else above[top(row)] = top(other);
    });
  }
  const together = new Map<number, number[]>();
  for (let row = 0; row < count; row++) {
    const of = top(row);
    const known = together.get(of);
    if (known) known.push(row);
    else together.set(of, [row]);
  }
  return [...together.values()];
}
