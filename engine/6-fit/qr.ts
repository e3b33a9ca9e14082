/**
 * Householder QR of a dense matrix with column pivoting: A·P = Q·R (Golub & Van Loan, Matrix Computations, 5.4.2).
 * A matrix here is a list of its columns.
 */
export type Columns = Float64Array[];

export interface Factorisation {
  /** Column j of R in the first j+1 elements of r[j]; the diagonal's absolute values do not increase. */
  readonly r: Columns;
  /** Column j of R belongs to column permutation[j] of A. */
  readonly permutation: number[];
  /** The first n elements of Qᵀ·b, and the norm of the rest. */
  readonly qtb: Float64Array;
  readonly rest: number;
}

/** Factorises A (m ≥ 1 rows, n columns, both overwritten copies) along with a right-hand side. */
export function factorise(a: readonly Float64Array[], b: Float64Array): Factorisation {
  const n = a.length;
  const m = b.length;
  const columns = a.map((column) => column.slice());
  const rhs = b.slice();
  const permutation = columns.map((_, j) => j);
  const steps = Math.min(m, n);
  for (let k = 0; k < steps; k++) {
    let best = k;
    let bestNorm = -1;
    for (let j = k; j < n; j++) {
      const size = norm(columns[j] as Float64Array, k);
      if (size > bestNorm) [best, bestNorm] = [j, size];
    }
    swap(columns, k, best);
    swap(permutation, k, best);
    if (bestNorm > 0) reflect(columns, rhs, k, bestNorm);
  }
  const qtb = new Float64Array(n);
  qtb.set(rhs.subarray(0, steps));
  return { r: columns.map((column) => pad(column, n)), permutation, qtb, rest: norm(rhs, steps) };
}

/** Applies to all columns from k on the reflection that makes column k a multiple of the k-th unit vector below row k. */
function reflect(columns: Columns, rhs: Float64Array, k: number, size: number): void {
  const pivot = columns[k] as Float64Array;
  const alpha = (pivot[k] as number) > 0 ? -size : size;
  // v takes the pivot's place while the other columns are reflected.
  const v = pivot;
  v[k] = (pivot[k] as number) - alpha;
  // v·v = 2·size·(size + |pivot|), formed without squaring size twice over.
  const beta = 1 / (size * Math.abs(v[k]));
  for (let j = k + 1; j <= columns.length; j++) {
    const column = columns[j] ?? rhs;
    let product = 0;
    for (let i = k; i < v.length; i++) product += (v[i] as number) * (column[i] as number);
    product *= beta;
    for (let i = k; i < v.length; i++) column[i] = (column[i] as number) - product * (v[i] as number);
  }
  pivot.fill(0, k + 1);
  pivot[k] = alpha;
}

/** R·x = c for the leading `rank` columns; the others are 0. */
export function backSubstitute(r: Columns, c: Float64Array, rank: number): Float64Array {
  const x = new Float64Array(r.length);
  for (let j = rank - 1; j >= 0; j--) {
    let value = c[j] as number;
    for (let l = j + 1; l < rank; l++) value -= ((r[l] as Float64Array)[j] as number) * (x[l] as number);
    x[j] = value / ((r[j] as Float64Array)[j] as number);
  }
  return x;
}

/** The number of diagonal elements of R above `tolerance` times the largest. */
export function numericalRank({ r }: Factorisation, tolerance: number): number {
  const diagonal = r.map((column, j) => Math.abs(column[j] as number));
  const limit = tolerance * (diagonal[0] ?? 0);
  const below = diagonal.findIndex((size) => !(size > limit));
  return below < 0 ? r.length : below;
}

/** ‖x‖ of the elements from `start` on, without overflow. */
export function norm(x: Float64Array, start = 0): number {
  let squares = 0;
  for (let i = start; i < x.length; i++) squares += (x[i] as number) * (x[i] as number);
  if (squares > 1e-280 && squares < 1e300) return Math.sqrt(squares);
  let largest = 0;
  for (let i = start; i < x.length; i++) largest = Math.max(largest, Math.abs(x[i] as number));
  if (largest === 0 || !Number.isFinite(largest)) return largest;
  let total = 0;
  for (let i = start; i < x.length; i++) {
    const share = (x[i] as number) / largest;
    total += share * share;
  }
  return largest * Math.sqrt(total);
}

export function dot(x: Float64Array, y: Float64Array): number {
  let total = 0;
  for (let i = 0; i < x.length; i++) total += (x[i] as number) * (y[i] as number);
  return total;
}

export function isFiniteVector(x: Float64Array): boolean {
  for (let i = 0; i < x.length; i++) if (!Number.isFinite(x[i])) return false;
  return true;
}

function pad(column: Float64Array, length: number): Float64Array {
  if (column.length >= length) return column.subarray(0, length);
  const padded = new Float64Array(length);
  padded.set(column);
  return padded;
}

function swap<T>(list: T[], i: number, j: number): void {
  const kept = list[i] as T;
  list[i] = list[j] as T;
  list[j] = kept;
}
