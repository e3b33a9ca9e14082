/**
 * The point of a convex hull that is nearest to 0 where each corner costs something by itself:
 *
 *     min ½‖Σ λᵢ·gᵢ‖² + Σ λᵢ·αᵢ   over λ ≥ 0, Σ λᵢ = 1
 *
 * by active sets (Nocedal & Wright, algorithm 16.3): a corner whose share would turn negative is left out, the one that promises
 * most is taken in.
 */
import { dot } from './vectors.ts';

/** Of the largest ‖g‖². */
const RIDGE = 1e-12;

/** The shares λ. */
export function nearestToZero(corners: readonly Float64Array[], costs: readonly number[]): Float64Array {
  const m = corners.length;
  const gram = corners.map((a) => corners.map((b) => dot(a, b)));
  // Corners that say the same, or of which one lies between others, have shares that are not determined: hardly dearer together.
  const ridge = RIDGE * gram.reduce((most, row, i) => Math.max(most, row[i]!), 0);
  gram.forEach((row, i) => (row[i] = row[i]! + ridge));
  const entry = (i: number, j: number): number => gram[i]![j]!;
  const shares = new Float64Array(m);
  const slopes = (): number[] =>
    corners.map((_, i) => shares.reduce((sum, share, j) => sum + share * entry(i, j), costs[i]!));
  const first = argmin(corners.map((_, i) => entry(i, i) / 2 + costs[i]!));
  let used = [first];
  shares[first] = 1;
  for (let round = 0; round < 20 * m + 20; round++) {
    const wanted = balanced(used, entry, costs);
    if (!wanted) break;
    let [reach, out]: [number, number | undefined] = [1, undefined];
    used.forEach((i, k) => {
      const [now, then] = [shares[i]!, wanted[k]!];
      if (then < 0 && now / (now - then) < reach) [reach, out] = [now / (now - then), i];
    });
    used.forEach((i, k) => (shares[i] = shares[i]! + reach * (wanted[k]! - shares[i]!)));
    if (out !== undefined) {
      shares[out] = 0;
      used = used.filter((i) => i !== out);
      continue;
    }
    const slope = slopes();
    const level = used.reduce((sum, i) => sum + shares[i]! * slope[i]!, 0);
    const next = argmin(slope.map((value, i) => (used.includes(i) ? Infinity : value)));
    // One that says what another says gains what the ridge takes, and is no corner more.
    if (!(slope[next]! < level - 2 * ridge - 1e-14 * (Math.abs(level) + entry(next, next)))) break;
    used.push(next);
  }
  return shares;
}

function argmin(values: readonly number[]): number {
  return values.reduce((best, value, i) => (value < values[best]! ? i : best), 0);
}

/** The shares of these corners alone, of any sign, that sum to 1; undefined where they are not determined. */
function balanced(
  used: readonly number[],
  entry: (i: number, j: number) => number,
  costs: readonly number[],
): Float64Array | undefined {
  // By differences from the first of them: no multiplier is left, and the matrix is positive definite.
  const [base = 0, ...others] = used;
  const rows = others.map((i) => [
    ...others.map((j) => entry(i, j) - entry(i, base) - entry(base, j) + entry(base, base)),
    entry(base, base) - entry(i, base) + costs[base]! - costs[i]!,
  ]);
  const n = rows.length;
  const sizes = rows.map((row, i) => row[i]!);
  for (let k = 0; k < n; k++) {
    const pivot = rows[k]!;
    const size = pivot[k]!;
    if (!(size > 1e-15 * sizes[k]!)) return undefined;
    for (const row of rows.slice(k + 1)) {
      const factor = row[k]! / size;
      for (let j = k; j <= n; j++) row[j] = row[j]! - factor * pivot[j]!;
    }
  }
  const shares = new Float64Array(n + 1);
  for (let k = n - 1; k >= 0; k--) {
    const row = rows[k]!;
    let value = row[n]!;
    for (let j = k + 1; j < n; j++) value -= row[j]! * shares[j + 1]!;
    shares[k + 1] = value / row[k]!;
  }
  shares[0] = 1 - shares.reduce((sum, share) => sum + share, 0);
  return shares;
}
