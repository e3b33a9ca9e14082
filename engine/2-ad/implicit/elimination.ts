/**
 * A·x = b in straight-line scalar code, for a matrix of which entries may be zero by their form. Up to `mostPivoted` unknowns
 * rows are exchanged as numbers demand: the pivot is the largest of its column, each row weighed by its largest entry. Beyond,
 * the order is found once, from where entries are: pivots on a transversal, least fill first (Markowitz); what then cancels
 * gives a step that is not taken.
 */
import { realLiteral, type ScalarOperand } from '../../0-ir/scalar.ts';
import type { ScalarBuilder } from '../../0-ir/scalar-builder.ts';

/** [i][j]; undefined: zero by its form. */
export type Matrix = readonly (readonly (ScalarOperand | undefined)[])[];

/** Rows exchanged at run time cost code as the cube of their number. */
const mostPivoted = 14;

/** A⁻¹ as a function of the right-hand side: factored once. */
type Solution = (right: readonly ScalarOperand[]) => ScalarOperand[];

export function factored(s: ScalarBuilder, matrix: Matrix): Solution {
  return matrix.length <= mostPivoted ? pivoted(s, matrix) : inOrder(s, matrix);
}

type Entry = ScalarOperand | undefined;
type Step = (right: ScalarOperand[]) => void;

const zero = realLiteral(0);

function reduced(s: ScalarBuilder, value: Entry, factor: ScalarOperand, by: Entry): Entry {
  if (!by) return value;
  const product = s.apply('mul', factor, by);
  return value ? s.apply('sub', value, product) : s.apply('neg', product);
}

function pivoted(s: ScalarBuilder, matrix: Matrix): Solution {
  const d = matrix.length;
  const rows: Entry[][] = matrix.map((row) => [...row]);
  const weights = rows.map((row) => largest(s, row));
  const forward: Step[] = [];
  for (let k = 0; k < d; k++) {
    for (let i = k + 1; i < d; i++) exchange(s, rows, weights, k, i, forward);
    const pivot = rows[k]![k] ?? zero;
    for (let i = k + 1; i < d; i++) {
      const entry = rows[i]![k];
      if (!entry) continue;
      const factor = s.apply('div', entry, pivot);
      for (let j = k + 1; j < d; j++) rows[i]![j] = reduced(s, rows[i]![j], factor, rows[k]![j]);
      forward.push((right) => (right[i] = s.apply('sub', right[i]!, s.apply('mul', factor, right[k]!))));
    }
  }
  return (given) => {
    const right = [...given];
    for (const step of forward) step(right);
    for (let i = d - 1; i >= 0; i--) {
      for (let j = i + 1; j < d; j++) right[i] = reduced(s, right[i], right[j]!, rows[i]![j])!;
      right[i] = s.apply('div', right[i]!, rows[i]![i] ?? zero);
    }
    return right;
  };
}

/** Rows k and i change places where i has the larger entry in column k. */
function exchange(
  s: ScalarBuilder,
  rows: Entry[][],
  weights: ScalarOperand[],
  k: number,
  i: number,
  forward: Step[],
): void {
  const [upper, lower] = [rows[k]!, rows[i]!];
  if (!lower[k]) return;
  if (!upper[k]) {
    [rows[k], rows[i], weights[k], weights[i]] = [lower, upper, weights[i]!, weights[k]!];
    forward.push((right) => ([right[k], right[i]] = [right[i]!, right[k]!]));
    return;
  }
  const size = (row: readonly Entry[], weight: ScalarOperand): ScalarOperand =>
    s.apply('mul', s.apply('abs', row[k]!), weight);
  const swap = s.apply('lt', size(upper, weights[i]!), size(lower, weights[k]!));
  const columns = upper.flatMap((_, j) => (j >= k && (upper[j] || lower[j]) ? [j] : []));
  const [ours, theirs] = [upper, lower].map((row) => columns.map((j) => row[j] ?? zero)) as [
    ScalarOperand[],
    ScalarOperand[],
  ];
  const [ourWeight, theirWeight] = [weights[k]!, weights[i]!];
  const after = s.branch(
    swap,
    () => [...theirs, ...ours, theirWeight, ourWeight],
    () => [...ours, ...theirs, ourWeight, theirWeight],
  );
  columns.forEach((j, at) => ([upper[j], lower[j]] = [after[at]!, after[columns.length + at]!]));
  [weights[k], weights[i]] = [after.at(-2)!, after.at(-1)!];
  forward.push((right) => {
    const [a, b] = [right[k]!, right[i]!];
    [right[k], right[i]] = s.branch(
      swap,
      () => [b, a],
      () => [a, b],
    ) as [ScalarOperand, ScalarOperand];
  });
}

function largest(s: ScalarBuilder, row: readonly Entry[]): ScalarOperand {
  const sizes = row.flatMap((entry) => (entry ? [s.apply('abs', entry)] : []));
  return sizes.reduce<ScalarOperand>((a, b) => s.apply('max', a, b), sizes.shift() ?? zero);
}

function inOrder(s: ScalarBuilder, matrix: Matrix): Solution {
  const d = matrix.length;
  const rowOf = transversal(matrix);
  // Row i of the exchanged matrix has its pivot in column i.
  const rows = rowOf.map(
    (row) => new Map((matrix[row] ?? []).flatMap((entry, j) => (entry ? [[j, entry] as const] : []))),
  );
  const left = new Set(rows.keys());
  const order: number[] = [];
  const forward: Step[] = [];
  while (left.size > 0) {
    const fill = (i: number): number => {
      const inRow = [...rows[i]!.keys()].filter((j) => left.has(j)).length;
      const inColumn = [...left].filter((r) => rows[r]!.has(i)).length;
      return (inRow - 1) * (inColumn - 1);
    };
    const best = [...left].reduce((a, b) => (fill(b) < fill(a) ? b : a));
    order.push(best);
    left.delete(best);
    const above = rows[best]!;
    for (const i of left) {
      const entry = rows[i]!.get(best);
      if (!entry) continue;
      const factor = s.apply('div', entry, above.get(best) ?? zero);
      rows[i]!.delete(best);
      for (const [j, value] of above) if (left.has(j)) rows[i]!.set(j, reduced(s, rows[i]!.get(j), factor, value)!);
      forward.push((right) => (right[i] = s.apply('sub', right[i]!, s.apply('mul', factor, right[best]!))));
    }
  }
  return (given) => {
    const right = rowOf.map((row) => given[row]!);
    for (const step of forward) step(right);
    const known: ScalarOperand[] = new Array<ScalarOperand>(d);
    for (const i of [...order].reverse()) {
      let value = right[i]!;
      for (const [j, entry] of rows[i]!) if (known[j]) value = s.apply('sub', value, s.apply('mul', entry, known[j]));
      known[i] = s.apply('div', value, rows[i]!.get(i) ?? zero);
    }
    return known;
  };
}

/** For each column a row of its own with an entry there, its own where it has one (Kuhn); any row that is left where there is none. */
function transversal(matrix: Matrix): number[] {
  const d = matrix.length;
  const rowOf = new Array<number>(d).fill(-1);
  const place = (row: number, seen: Set<number>): boolean => {
    const columns = [...(matrix[row] ?? []).keys()].filter((j) => matrix[row]![j]);
    for (const j of [row, ...columns]) {
      if (!matrix[row]![j] || seen.has(j)) continue;
      seen.add(j);
      if (rowOf[j]! >= 0 && !place(rowOf[j]!, seen)) continue;
      rowOf[j] = row;
      return true;
    }
    return false;
  };
  for (let row = 0; row < d; row++) place(row, new Set());
  const spare = [...matrix.keys()].filter((row) => !rowOf.includes(row));
  return rowOf.map((row) => (row >= 0 ? row : spare.shift()!));
}
