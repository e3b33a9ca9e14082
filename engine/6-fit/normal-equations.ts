/**
 * Least squares of many rows, of which only Σr², Jᵀr and JᵀJ are known, as least squares of p + 1 rows.
 *
 * With JᵀJ = RᵀR and c = R⁻ᵀ·Jᵀr, the rows (R; 0) and residuals (c; √(Σr² - ‖c‖²)) have the same three, so that whatever
 * is asked of the problem has the same answer. R comes from Cholesky's factorisation with pivots of the matrix scaled to a
 * unit diagonal (Higham, Accuracy and Stability of Numerical Algorithms, 10.3): its pivots fall, and the first below
 * rounding ends it, which leaves the dependent columns in the span of the others. Squaring J loses what QR would keep:
 * columns within some 1e-7 radians of each other are one, and c has few digits along those that are not much further
 * apart. There no element of it takes more than is left of Σr², so that this stays what it is.
 */
import type { Linearisation } from './expansion.ts';

/** Of the pivots of a matrix with a unit diagonal: smaller ones are rounding. */
const NEGLIGIBLE = 1e-14;

/** `products`: JᵀJ by rows. Anything not finite makes everything NaN. */
export function compress(squares: number, gradient: Float64Array, products: readonly Float64Array[]): Linearisation {
  const n = gradient.length;
  const columns = gradient.map((_, i) => Math.sqrt(products[i]![i]!));
  const isFinite = [squares, ...gradient, ...columns].every(Number.isFinite);
  if (!isFinite) {
    const nothing = () => new Float64Array(n + 1).fill(NaN);
    return { residuals: nothing(), jacobian: products.map(nothing) };
  }
  const scaled = products.map((row, i) => row.map((value, j) => value / (columns[i]! * columns[j]! || 1)));
  const { rows, order } = pivotedCholesky(scaled);
  const residuals = new Float64Array(n + 1);
  let rest = squares;
  rows.forEach((row, k) => {
    const pivot = order[k]!;
    let value = gradient[pivot]! / columns[pivot]!;
    for (let l = 0; l < k; l++) value -= rows[l]![pivot]! * residuals[l]!;
    const most = Math.sqrt(rest);
    value = Math.min(Math.max(value / row[pivot]!, -most), most);
    residuals[k] = value;
    rest = Math.max(0, rest - value * value);
  });
  residuals[n] = Math.sqrt(rest);
  const jacobian = products.map((_, j) => {
    const column = new Float64Array(n + 1);
    rows.forEach((row, k) => (column[k] = row[j]! * columns[j]!));
    return column;
  });
  return { residuals, jacobian };
}

/** A = RᵀR by the rows of R, in the columns of A; row k is that of the pivot `order[k]`. As many rows as A has rank. */
function pivotedCholesky(a: readonly Float64Array[]): { rows: Float64Array[]; order: number[] } {
  const left = a.map((row) => row.slice());
  const rows: Float64Array[] = [];
  const order: number[] = [];
  const diagonal = (i: number): number => left[i]![i]!;
  const waiting = new Set(a.keys());
  while (waiting.size > 0) {
    const pivot = [...waiting].reduce((best, i) => (diagonal(i) > diagonal(best) ? i : best));
    if (!(diagonal(pivot) > NEGLIGIBLE)) break;
    const root = Math.sqrt(diagonal(pivot));
    const row = (left[pivot] as Float64Array).map((value, j) => (waiting.has(j) ? value / root : 0));
    waiting.delete(pivot);
    for (const i of waiting) {
      const target = left[i] as Float64Array;
      for (const j of waiting) target[j] = target[j]! - row[i]! * row[j]!;
    }
    rows.push(row);
    order.push(pivot);
  }
  return { rows, order };
}
