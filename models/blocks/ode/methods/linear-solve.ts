/** A·x = b in straight-line scalar code, for a few unknowns: elimination with partial pivoting, factors kept. */
import { realLiteral, type ScalarBuilder, type ScalarOperand } from '../../../../engine/index.ts';
import { expression } from '../../../objective/expression.ts';

type Row = readonly ScalarOperand[];

/** Rows that change places, and what is taken from one: what was done to A, to be done to b. */
interface Elimination {
  readonly column: number;
  readonly row: number;
  readonly swapped: ScalarOperand;
  readonly factor: ScalarOperand;
}

/** Solves for one right-hand side after another. A singular A gives NaN or ∞. */
export function factorized(s: ScalarBuilder, matrix: readonly Row[]): (right: Row) => ScalarOperand[] {
  const e = expression(s);
  const rows: ScalarOperand[][] = matrix.map((row) => [...row]);
  const at = (row: number, column: number): ScalarOperand => rows[row]![column]!;
  const eliminations: Elimination[] = [];
  for (let column = 0; column < rows.length; column++)
    for (let row = column + 1; row < rows.length; row++) {
      const swapped = e.apply('lt', e.apply('abs', at(column, column)), e.apply('abs', at(row, column)));
      // Pairwise pivoting: each row is eliminated by a pivot at least as large, so no factor is above 1.
      [rows[column], rows[row]] = exchanged(s, swapped, rows[column] as Row, rows[row] as Row);
      const factor = e.choose(
        e.apply('eq', at(row, column), realLiteral(0)),
        () => realLiteral(0),
        () => e.divide(at(row, column), at(column, column)),
      );
      rows[row] = (rows[row] as Row).map((entry, j) =>
        j <= column ? entry : e.subtract(entry, e.multiply(factor, at(column, j))),
      );
      eliminations.push({ column, row, swapped, factor });
    }
  return (right) => {
    const values = [...right];
    const value = (i: number): ScalarOperand => values[i]!;
    for (const { column, row, swapped, factor } of eliminations) {
      const [[up], [down]] = exchanged(s, swapped, [value(column)], [value(row)]);
      values[column] = up!;
      values[row] = e.subtract(down!, e.multiply(factor, up!));
    }
    for (let i = rows.length - 1; i >= 0; i--) {
      const known = values.slice(i + 1).map((x, k) => e.multiply(at(i, i + 1 + k), x));
      values[i] = e.divide(
        known.reduce((rest, term) => e.subtract(rest, term), value(i)),
        at(i, i),
      );
    }
    return values;
  };
}

function exchanged(s: ScalarBuilder, condition: ScalarOperand, a: Row, b: Row): [ScalarOperand[], ScalarOperand[]] {
  const both = s.branch(
    condition,
    () => [...b, ...a],
    () => [...a, ...b],
  );
  return [both.slice(0, a.length), both.slice(a.length)];
}
