/**
 * A·x = b in straight-line scalar code, for a matrix of which most entries are zero by their form: the order of
 * elimination is found once, from where entries are (least fill first: Markowitz's count on the diagonal), and only
 * entries that are there are written. Pivots are those of the diagonal, which 1/γ dominates as h goes to 0: a pivot
 * that cancels gives a step that is not accepted, and a shorter one. Kinetics are solved so by KPP (Damian et al.,
 * Computers & Chemical Engineering 26 (2002) 1567, doi:10.1016/S0098-1354(02)00128-X).
 */
import type { ScalarBuilder, ScalarOperand } from '../../../../engine/index.ts';
import { expression } from '../../../objective/expression.ts';
import type { Pattern } from './jacobian.ts';

/** Undefined: zero by its form. */
export type SparseMatrix = readonly (readonly (ScalarOperand | undefined)[])[];

export function withDiagonal(pattern: Pattern): Pattern {
  return pattern.map((row, i) => new Set([...row, i]));
}

interface Elimination {
  readonly order: readonly number[];
  /** Multiplications and divisions of the factorisation and of one solution. */
  readonly work: number;
}

/** The diagonal entry of least (r − 1)(c − 1) next, r and c counting entries of its row and column that are left. */
export function eliminationOf(pattern: Pattern): Elimination {
  // What is left of each row and column.
  const rows = pattern.map((row) => new Set(row));
  const columns = pattern.map(() => new Set<number>());
  for (const [i, row] of rows.entries()) for (const j of row) columns[j]!.add(i);
  const left = new Set(rows.keys());
  const order: number[] = [];
  let work = 0;
  while (left.size > 0) {
    let best = -1;
    let least = Infinity;
    for (const i of left) {
      const fill = (rows[i]!.size - 1) * (columns[i]!.size - 1);
      if (fill < least) [best, least] = [i, fill];
    }
    order.push(best);
    left.delete(best);
    const [row, column] = [rows[best]!, columns[best]!];
    for (const j of row) columns[j]!.delete(best);
    for (const i of column) rows[i]!.delete(best);
    row.delete(best);
    column.delete(best);
    for (const i of column)
      for (const j of row) {
        rows[i]!.add(j);
        columns[j]!.add(i);
      }
    work += 1 + 2 * column.size * (1 + row.size);
  }
  return { order, work };
}

/** Solves for one right-hand side after another. */
export function eliminated(
  s: ScalarBuilder,
  matrix: SparseMatrix,
): (right: readonly ScalarOperand[]) => ScalarOperand[] {
  const e = expression(s);
  const { order } = eliminationOf(matrix.map((row) => new Set(row.flatMap((entry, j) => (entry ? [j] : [])))));
  const rows = matrix.map((row) => new Map(row.flatMap((entry, j) => (entry ? [[j, entry] as const] : []))));
  const done = new Set<number>();
  const steps: { readonly pivot: number; readonly row: number; readonly factor: ScalarOperand }[] = [];
  for (const pivot of order) {
    done.add(pivot);
    const above = rows[pivot]!;
    for (const [row, entries] of rows.entries()) {
      const entry = entries.get(pivot);
      if (done.has(row) || !entry) continue;
      const factor = e.divide(entry, above.get(pivot)!);
      entries.delete(pivot);
      for (const [j, value] of above) {
        if (done.has(j)) continue;
        const product = e.multiply(factor, value);
        const before = entries.get(j);
        entries.set(j, before ? e.subtract(before, product) : e.apply('neg', product));
      }
      steps.push({ pivot, row, factor });
    }
  }
  return (right) => {
    const values = [...right];
    for (const { pivot, row, factor } of steps)
      values[row] = e.subtract(values[row]!, e.multiply(factor, values[pivot]!));
    const known = new Set<number>();
    for (const pivot of [...order].reverse()) {
      const entries = rows[pivot]!;
      let value = values[pivot]!;
      for (const j of known) {
        const entry = entries.get(j);
        if (entry) value = e.subtract(value, e.multiply(entry, values[j]!));
      }
      values[pivot] = e.divide(value, entries.get(pivot)!);
      known.add(pivot);
    }
    return values;
  };
}
