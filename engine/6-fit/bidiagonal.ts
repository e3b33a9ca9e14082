/**
 * Householder bidiagonalisation of a square matrix: A = U·B·Vᵀ with B upper bidiagonal (Golub & Van Loan, Matrix
 * Computations, 5.4.8). After its O(n³), min ‖A·x - c‖² + λ‖x‖² costs O(n) for each λ (L. Eldén, Algorithms for the
 * regularization of ill-conditioned least squares problems, 1977, DOI 10.1007/BF01932285).
 */
import { dot, norm, type Columns } from './qr.ts';

export interface Bidiagonal {
  readonly diagonal: Float64Array;
  /** superdiagonal[k] stands right of diagonal[k]; the last is 0. */
  readonly superdiagonal: Float64Array;
  /** Uᵀ·c. */
  readonly utc: Float64Array;
  /** V·y. */
  timesV(y: Float64Array): Float64Array;
}

/** I - β·v·vᵀ; v is 0 before `first`. */
interface Reflection {
  readonly v: Float64Array;
  readonly beta: number;
  readonly first: number;
}

/** `a`: n columns of n elements. */
export function bidiagonalise(a: readonly Float64Array[], c: Float64Array): Bidiagonal {
  const n = a.length;
  const columns = a.map((column) => column.slice());
  const utc = c.slice();
  const diagonal = new Float64Array(n);
  const superdiagonal = new Float64Array(n);
  const fromRight: Reflection[] = [];
  for (let k = 0; k < n; k++) {
    const left = reflection((columns[k] as Float64Array).slice(), k);
    for (let j = k; j < n; j++) reflect(columns[j] as Float64Array, left);
    reflect(utc, left);
    diagonal[k] = (columns[k] as Float64Array)[k] as number;
    if (k + 1 >= n) continue;
    const right = reflection(
      Float64Array.from(columns, (column) => column[k] as number),
      k + 1,
    );
    fromRight.push(right);
    reflectRows(columns, right, k);
    superdiagonal[k] = (columns[k + 1] as Float64Array)[k] as number;
  }
  return {
    diagonal,
    superdiagonal,
    utc,
    timesV(y) {
      const x = y.slice();
      for (let k = fromRight.length - 1; k >= 0; k--) reflect(x, fromRight[k] as Reflection);
      return x;
    },
  };
}

/** The y of min ‖B·y - c‖² + λ‖y‖², λ > 0, and the derivative of ‖y‖ by λ. */
export function solveRegularised(
  { diagonal, superdiagonal, utc }: Bidiagonal,
  lambda: number,
): { y: Float64Array; size: number; slope: number } {
  const n = diagonal.length;
  const root = Math.sqrt(lambda);
  const main = new Float64Array(n);
  const above = new Float64Array(n);
  const c = new Float64Array(n);
  // Rows B[k] and √λ·e[k], with what rotation k-1 has left in the latter's place (k, k+1) and right-hand side.
  let [damping, dampingRhs] = [root, 0];
  let [own, ownRhs] = [diagonal[0] as number, utc[0] as number];
  for (let k = 0; k < n; k++) {
    const size = Math.hypot(own, damping);
    const [cos, sin] = [own / size, damping / size];
    main[k] = size;
    above[k] = cos * (superdiagonal[k] as number);
    c[k] = cos * ownRhs + sin * dampingRhs;
    if (k + 1 >= n) break;
    // What is filled in right of the damping row is rotated into the next damping row.
    const fill = -sin * (superdiagonal[k] as number);
    const fillRhs = cos * dampingRhs - sin * ownRhs;
    damping = Math.hypot(root, fill);
    dampingRhs = (fill / damping) * fillRhs;
    [own, ownRhs] = [diagonal[k + 1] as number, utc[k + 1] as number];
  }
  const y = new Float64Array(n);
  for (let k = n - 1; k >= 0; k--)
    y[k] = ((c[k] as number) - (above[k] as number) * (y[k + 1] ?? 0)) / (main[k] as number);
  // d‖y‖/dλ = -yᵀ(BᵀB + λ)⁻¹y/‖y‖ = -‖w‖²/‖y‖ with w = T⁻ᵀy, TᵀT = BᵀB + λ.
  const size = norm(y);
  const w = new Float64Array(n);
  for (let k = 0; k < n; k++)
    w[k] = ((y[k] as number) / size - (above[k - 1] ?? 0) * (w[k - 1] ?? 0)) / (main[k] as number);
  return { y, size, slope: -size * norm(w) ** 2 };
}

/** The reflection that makes x, from its element `first` on, a multiple of the unit vector there. Overwrites x. */
function reflection(x: Float64Array, first: number): Reflection {
  const size = norm(x, first);
  x.fill(0, 0, first);
  if (size === 0) return { v: x, beta: 0, first };
  const pivot = x[first] as number;
  const v = x;
  v[first] = pivot + (pivot > 0 ? size : -size);
  return { v, beta: 1 / (size * Math.abs(v[first])), first };
}

function reflect(x: Float64Array, { v, beta, first }: Reflection): void {
  const product = beta * dot(v, x, first);
  for (let i = first; i < x.length; i++) x[i] = (x[i] as number) - product * (v[i] as number);
}

/** Every row from `top` on, reflected: A - β·(A·v)·vᵀ, column by column as they lie in memory. */
function reflectRows(columns: Columns, { v, beta, first }: Reflection, top: number): void {
  const n = columns.length;
  const product = new Float64Array(n);
  for (let j = first; j < n; j++) {
    const column = columns[j] as Float64Array;
    const weight = beta * (v[j] as number);
    for (let i = top; i < n; i++) product[i] = (product[i] as number) + weight * (column[i] as number);
  }
  for (let j = first; j < n; j++) {
    const column = columns[j] as Float64Array;
    const weight = v[j] as number;
    for (let i = top; i < n; i++) column[i] = (column[i] as number) - weight * (product[i] as number);
  }
}
