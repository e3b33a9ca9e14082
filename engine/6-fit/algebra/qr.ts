/**
 * Householder QR of a dense matrix with column pivoting: A·P = Q·R (Golub & Van Loan, Matrix Computations, 5.4.2).
 * A tall matrix is a list of its columns, a square one an array, column by column.
 */
import { dot, norm, numbers } from './vectors.ts';

/** Overwritten when another matrix is factorised into it. */
export interface Factorisation {
  /** Columns of A: what follows may have room for more. */
  n: number;
  /** n × n, column by column: R(i, j) = r[j·n + i], 0 below the diagonal, whose absolute values do not increase. */
  readonly r: Float64Array;
  /** Column j of R belongs to column permutation[j] of A. */
  readonly permutation: Int32Array;
  /** The first n elements of Qᵀ·b. */
  readonly qtb: Float64Array;
  /** The norms of what is left of each column, as they are and as they were last formed. */
  readonly left: Float64Array;
  readonly exact: Float64Array;
}

/** Where short matrices are factorised, one after the other: to allocate takes longer than to factorise them. */
const room = new Float64Array(4096);

/** For matrices of up to `most` columns. */
export function emptyFactorisation(most: number): Factorisation {
  // One buffer for all: each costs more than what is done in it.
  const whole = new Float64Array(most * (most + 3));
  const part = (k: number): Float64Array => whole.subarray(most * (most + k), most * (most + k + 1));
  return {
    ...{ n: most, r: whole.subarray(0, most * most), permutation: new Int32Array(most) },
    ...{ qtb: part(0), left: part(1), exact: part(2) },
  };
}

/** Factorises A (m ≥ 1 rows, n columns of these norms) along with a right-hand side; both stay as they are. */
export function factorise(
  a: readonly Float64Array[],
  b: Float64Array,
  norms: Float64Array = numbers(a.length, (j) => norm(a[j]!)),
  into = emptyFactorisation(a.length),
): Factorisation {
  const work = reduceBeside(a, [b], norms, into);
  const [n, m] = [a.length, b.length];
  for (let j = 0; j < n; j++) into.qtb[j] = j < m ? work[n * m + j]! : 0;
  return into;
}

/** The same along with several right-hand sides, of each of which the first n elements of Qᵀ·b are given. */
export function factoriseBeside(
  a: readonly Float64Array[],
  sides: readonly Float64Array[],
): { readonly factors: Factorisation; readonly sides: readonly Float64Array[] } {
  const factors = emptyFactorisation(a.length);
  const norms = numbers(a.length, (j) => norm(a[j]!));
  const work = reduceBeside(a, sides, norms, factors);
  const n = a.length;
  const given = sides.map(({ length: m }, side) => {
    return numbers(n, (j) => (j < m ? work[(n + side) * m + j]! : 0));
  });
  return { factors, sides: given };
}

/** What A's columns and, behind them, the right-hand sides have become. */
function reduceBeside(
  a: readonly Float64Array[],
  sides: readonly Float64Array[],
  norms: Float64Array,
  into: Factorisation,
): Float64Array {
  const [n, m] = [a.length, sides[0]?.length ?? 0];
  const { r, permutation, left, exact } = into;
  into.n = n;
  const columns = n + sides.length;
  const work = columns * m <= room.length ? room : new Float64Array(columns * m);
  for (let j = 0; j < n; j++) {
    copy(a[j]!, work, j * m);
    left[j] = exact[j] = norms[j]!;
    permutation[j] = j;
  }
  sides.forEach((b, side) => copy(b, work, (n + side) * m));
  const steps = Math.min(m, n);
  for (let k = 0; k < steps; k++) {
    let best = k;
    for (let j = k + 1; j < n; j++) if (left[j]! > left[best]!) best = j;
    if (best !== k) {
      swap(permutation, k, best);
      swap(left, k, best);
      swap(exact, k, best);
    }
    reflect(work, permutation, k, { n, columns, m });
    reduceNorms(into, work, k, m);
  }
  r.fill(0);
  for (let j = 0; j < n; j++) {
    const from = permutation[j]! * m;
    for (let i = 0; i < Math.min(j + 1, m); i++) r[j * n + i] = work[from + i]!;
  }
  return work;
}

/** A call of `set` takes longer than a short column. */
function copy(column: Float64Array, work: Float64Array, at: number): void {
  for (let i = 0; i < column.length; i++) work[at + i] = column[i]!;
}

/**
 * The norms of what is left of the columns behind k once row k is done: taken down from step to step, and formed anew
 * where that has cancelled half of the digits that they had (LAPACK Working Note 176, section 3).
 */
function reduceNorms({ n, left, exact, permutation }: Factorisation, work: Float64Array, k: number, m: number): void {
  for (let j = k + 1; j < n; j++) {
    const [before, from] = [left[j]!, permutation[j]! * m];
    if (before === 0) continue;
    const share = work[from + k]! / before;
    const kept = Math.max(0, 1 - share * share);
    const ratio = before / exact[j]!;
    left[j] = before * Math.sqrt(kept);
    if (!(kept * ratio * ratio > 1e-8)) exact[j] = left[j] = norm(work, from + k + 1, from + m);
  }
}

/** Applies to all columns from k on the reflection that makes column k a multiple of the k-th unit vector below row k. */
function reflect(
  work: Float64Array,
  permutation: Int32Array,
  k: number,
  { n, columns, m }: { readonly n: number; readonly columns: number; readonly m: number },
): void {
  const from = permutation[k]! * m + k;
  const size = norm(work, from, from + m - k);
  if (!(size > 0)) return;
  const pivot = work[from]!;
  const alpha = pivot > 0 ? -size : size;
  // v takes the pivot's place while the other columns are reflected.
  const head = pivot - alpha;
  work[from] = head;
  // v·v = 2·size·(size + |pivot|), formed without squaring size twice over.
  const beta = 1 / (size * Math.abs(head));
  for (let j = k + 1; j < columns; j++) {
    const at = (j < n ? permutation[j]! : j) * m + k;
    const product = beta * dot(work, work, from, from + m - k, at);
    for (let i = 0; i < m - k; i++) work[at + i] = work[at + i]! - product * work[from + i]!;
  }
  work[from] = alpha;
}

/** R·x = c for the leading `rank` columns; the others are 0. `c` may lie within an array, from `at` on. */
export function backSubstitute(
  { n, r }: Factorisation,
  c: Float64Array,
  rank: number,
  at = 0,
  x: Float64Array = new Float64Array(n),
): Float64Array {
  for (let j = n - 1; j >= 0; j--) {
    if (j >= rank) x[j] = 0;
    else {
      let value = c[at + j]!;
      for (let l = j + 1; l < rank; l++) value -= r[l * n + j]! * x[l]!;
      x[j] = value / r[j * n + j]!;
    }
  }
  return x;
}

/** The number of diagonal elements of R above `tolerance` times the largest. */
export function numericalRank({ n, r }: Factorisation, tolerance: number): number {
  const limit = n === 0 ? 0 : tolerance * Math.abs(r[0]!);
  for (let j = 0; j < n; j++) if (!(Math.abs(r[j * n + j]!) > limit)) return j;
  return n;
}

function swap(list: Float64Array | Int32Array, i: number, j: number): void {
  const kept = list[i]!;
  list[i] = list[j]!;
  list[j] = kept;
}
