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
  const norms = numbers(n, (j) => norm(columns[j] as Float64Array));
  const exact = norms.slice();
  for (let k = 0; k < steps; k++) {
    let best = k;
    for (let j = k + 1; j < n; j++) if ((norms[j] as number) > (norms[best] as number)) best = j;
    if (best !== k) {
      swap(columns, k, best);
      swap(permutation, k, best);
      swap(norms, k, best);
      swap(exact, k, best);
    }
    const size = norm(columns[k] as Float64Array, k);
    if (size > 0) reflect(columns, rhs, k, size);
    reduceNorms(norms, exact, columns, k);
  }
  const qtb = new Float64Array(n);
  qtb.set(rhs.subarray(0, steps));
  return { r: columns.map((column) => pad(column, n)), permutation, qtb, rest: norm(rhs, steps) };
}

/**
 * The norms of what is left of the columns behind k once row k is done: taken down from step to step, and formed anew
 * where that has cancelled half of the digits that they had (LAPACK Working Note 176, section 3).
 */
function reduceNorms(norms: Float64Array, exact: Float64Array, columns: Columns, k: number): void {
  for (let j = k + 1; j < norms.length; j++) {
    const [before, column] = [norms[j] as number, columns[j] as Float64Array];
    if (before === 0) continue;
    const share = (column[k] as number) / before;
    const kept = Math.max(0, 1 - share * share);
    const ratio = before / (exact[j] as number);
    norms[j] = before * Math.sqrt(kept);
    if (!(kept * ratio * ratio > 1e-8)) exact[j] = norms[j] = norm(column, k + 1);
  }
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
    const product = beta * dot(v, column, k);
    for (let i = k; i < v.length; i++) column[i] = (column[i] as number) - product * (v[i] as number);
  }
  pivot.fill(0, k + 1);
  pivot[k] = alpha;
}

/** `Float64Array.from` goes by an iterator, which takes longer than all else that is done to a short vector. */
export function numbers(length: number, at: (i: number) => number): Float64Array {
  const values = new Float64Array(length);
  for (let i = 0; i < length; i++) values[i] = at(i);
  return values;
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
  const squares = dot(x, x, start);
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

/** Σ xᵢ·yᵢ over the elements from `start` on, as four sums, so that none waits for the one before it. */
export function dot(x: Float64Array, y: Float64Array, start = 0): number {
  let [a, b, c, d] = [0, 0, 0, 0];
  let i = start;
  for (; i + 3 < x.length; i += 4) {
    a += (x[i] as number) * (y[i] as number);
    b += (x[i + 1] as number) * (y[i + 1] as number);
    c += (x[i + 2] as number) * (y[i + 2] as number);
    d += (x[i + 3] as number) * (y[i + 3] as number);
  }
  for (; i < x.length; i++) a += (x[i] as number) * (y[i] as number);
  return a + b + (c + d);
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

function swap<T>(list: { [index: number]: T }, i: number, j: number): void {
  const kept = list[i] as T;
  list[i] = list[j] as T;
  list[j] = kept;
}
