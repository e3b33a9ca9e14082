/**
 * Householder bidiagonalisation of a square matrix: A = U·B·Vᵀ with B upper bidiagonal (Golub & Van Loan, Matrix
 * Computations, 5.4.8). After its O(n³), min ‖A·x - c‖² + λ‖x‖² costs O(n) for each λ (L. Eldén, Algorithms for the
 * regularization of ill-conditioned least squares problems, 1977, DOI 10.1007/BF01932285).
 */
import { dot, hypotenuse, norm } from './vectors.ts';

/** Overwritten when another matrix is brought into it. */
export interface Bidiagonal {
  /** Of the matrix: what follows may have room for more. */
  n: number;
  readonly diagonal: Float64Array;
  /** superdiagonal[k] stands right of diagonal[k]; the last is 0. */
  readonly superdiagonal: Float64Array;
  /** Uᵀ·c. */
  readonly utc: Float64Array;
  /** The reflections of V: vector k in the elements k·n + k + 1 … k·n + n - 1. */
  readonly right: Float64Array;
  readonly betas: Float64Array;
  /** What `solveRegularised` has found. */
  readonly y: Float64Array;
  /** Its triangle's diagonal and what stands right of it; a vector while a reflection is formed. */
  readonly main: Float64Array;
  readonly above: Float64Array;
}

/** For matrices of up to so many columns. */
export function emptyBidiagonal(most: number): Bidiagonal {
  const vector = () => new Float64Array(most);
  return {
    ...{ n: most, diagonal: vector(), superdiagonal: vector(), utc: vector(), right: new Float64Array(most * most) },
    ...{ betas: vector(), y: vector(), main: vector(), above: vector() },
  };
}

/** `a`: n × n, column by column; it is overwritten. `c`: its first n elements count. */
export function bidiagonalise(a: Float64Array, c: Float64Array, n: number, into = emptyBidiagonal(n)): Bidiagonal {
  const { diagonal, superdiagonal, utc, right, betas, main: v } = into;
  into.n = n;
  for (let k = 0; k < n; k++) utc[k] = c[k]!;
  for (let k = 0; k < n; k++) {
    for (let i = k; i < n; i++) v[i] = a[k * n + i]!;
    const beta = reflection(v, k, n);
    for (let j = k; j < n; j++) reflect(a, j * n + k, v, k, n, beta);
    reflect(utc, k, v, k, n, beta);
    diagonal[k] = a[k * n + k]!;
    superdiagonal[k] = 0;
    if (k + 1 >= n) continue;
    for (let j = k + 1; j < n; j++) right[k * n + j] = a[j * n + k]!;
    betas[k] = reflection(right, k * n + k + 1, (k + 1) * n);
    reflectRows(a, into, k);
    superdiagonal[k] = a[(k + 1) * n + k]!;
  }
  return into;
}

/** y ← V·y. */
export function applyV({ n, right, betas, y }: Bidiagonal): void {
  for (let k = n - 2; k >= 0; k--) reflect(y, k + 1, right, k * n + k + 1, (k + 1) * n, betas[k]!);
}

/** The y of min ‖B·y - c‖² + λ‖y‖², λ > 0; its size, and the derivative of that by λ. */
export function solveRegularised(bidiagonal: Bidiagonal, lambda: number): { size: number; slope: number } {
  const { n, diagonal, superdiagonal, utc, y, main, above } = bidiagonal;
  const root = Math.sqrt(lambda);
  // Rows B[k] and √λ·e[k], with what rotation k-1 has left in the latter's place (k, k+1) and right-hand side.
  let damping = root;
  let dampingRhs = 0;
  let own = diagonal[0]!;
  let ownRhs = utc[0]!;
  for (let k = 0; k < n; k++) {
    const size = hypotenuse(own, damping);
    const cos = own / size;
    const sin = damping / size;
    main[k] = size;
    above[k] = cos * superdiagonal[k]!;
    y[k] = cos * ownRhs + sin * dampingRhs;
    if (k + 1 >= n) break;
    // What is filled in right of the damping row is rotated into the next damping row.
    const fill = -sin * superdiagonal[k]!;
    const fillRhs = cos * dampingRhs - sin * ownRhs;
    damping = hypotenuse(root, fill);
    dampingRhs = (fill / damping) * fillRhs;
    own = diagonal[k + 1]!;
    ownRhs = utc[k + 1]!;
  }
  let next = 0;
  for (let k = n - 1; k >= 0; k--) {
    next = (y[k]! - above[k]! * next) / main[k]!;
    y[k] = next;
  }
  // d‖y‖/dλ = -yᵀ(BᵀB + λ)⁻¹y/‖y‖ = -‖w‖²/‖y‖ with w = T⁻ᵀy, TᵀT = BᵀB + λ; w takes the place of T's diagonal.
  const size = norm(y, 0, n);
  let last = 0;
  for (let k = 0; k < n; k++) {
    last = (y[k]! / size - (k > 0 ? above[k - 1]! * last : 0)) / main[k]!;
    main[k] = last;
  }
  return { size, slope: -size * norm(main, 0, n) ** 2 };
}

/** The β of the reflection I - β·v·vᵀ that makes x[first … end) a multiple of its first unit vector; v takes its place. */
function reflection(x: Float64Array, first: number, end: number): number {
  const size = norm(x, first, end);
  if (size === 0) return 0;
  const pivot = x[first]!;
  const head = pivot + (pivot > 0 ? size : -size);
  x[first] = head;
  return 1 / (size * Math.abs(head));
}

/** The elements of x from `at` on, reflected by v[first … end). */
function reflect(x: Float64Array, at: number, v: Float64Array, first: number, end: number, beta: number): void {
  const product = beta * dot(v, x, first, end, at);
  for (let i = first; i < end; i++) x[at + i - first] = x[at + i - first]! - product * v[i]!;
}

/** Every row of A from k on, reflected by vector k of V: A - β·(A·v)·vᵀ, column by column as they lie in memory. */
function reflectRows(a: Float64Array, { n, right, betas, above: product }: Bidiagonal, k: number): void {
  const beta = betas[k]!;
  product.fill(0);
  for (let j = k + 1; j < n; j++) {
    const weight = beta * right[k * n + j]!;
    for (let i = k; i < n; i++) product[i] = product[i]! + weight * a[j * n + i]!;
  }
  for (let j = k + 1; j < n; j++) {
    const weight = right[k * n + j]!;
    for (let i = k; i < n; i++) a[j * n + i] = a[j * n + i]! - weight * product[i]!;
  }
}
