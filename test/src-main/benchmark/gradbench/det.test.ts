import { it } from 'vitest';
import { close, drawn, evaluated, rowsOf, slopes, sumOf } from '../../../support/gradbench.ts';

/** By the first row, again and again. */
function determinant(rows: readonly number[][]): number {
  const [first, ...others] = rows;
  if (first === undefined) return 1;
  const minor = (column: number): number => determinant(others.map((row) => row.toSpliced(column, 1)));
  return sumOf(first.map((factor, column) => (column % 2 === 0 ? 1 : -1) * factor * minor(column)));
}

it.each([1, 2, 3, 6])('det of %i rows', async (ell) => {
  const A = drawn(1, ell * ell);
  const of = (flat: readonly number[]): number => determinant(rowsOf(flat, ell));
  close(await evaluated('det', 'primal', { A, ell }), [of(A)], 12);
  close(await evaluated('det', 'gradient', { A, ell }), slopes(of, A), 8);
});
