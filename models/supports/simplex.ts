/**
 * Shares that are positive and sum to 1, in each row: x = softmax(V·v) with the K × (K − 1) columns V that are orthonormal
 * and sum to 0 (isometric log-ratio; Egozcue et al. 2003), so that no share is another's rest.
 *
 *   log |dx/dv| = Σ log x + ½·log K
 */
import { builtinOperator, realLiteral, type ProgramBuilder, type Value } from '../../engine/index.ts';
import { byRow, isRows, type Support } from './support.ts';

/** How far rows may sum from 1. */
const tolerance = 1e-8;

/** Of v: a share there is 10⁻²¹ or less of the others. Beyond, the differences of large numbers lose what the others are. */
const END = 40;

/** Column j has j + 1 equal entries and one that balances them. */
function balances(count: number): number[][] {
  return Array.from({ length: count }, (_, i) =>
    Array.from({ length: count - 1 }, (__, j) => {
      const size = Math.sqrt((j + 1) * (j + 2));
      return i <= j ? 1 / size : i === j + 1 ? -(j + 1) / size : 0;
    }),
  );
}

/** [K, K − 1]: numbers of the program, one by one. */
function matrix(b: ProgramBuilder, rows: readonly (readonly number[])[]): Value {
  const row = (entries: readonly number[]): Value =>
    b.concatenate(
      entries.map((entry) => b.replicate(b.literal(entry), [1, 1])),
      1,
    );
  return b.concatenate(rows.map(row), 0);
}

export const simplex: Support = {
  end: END,
  edge: 'its edge: a share is 0',
  free(shape) {
    const count = shape.at(-1) ?? 0;
    if (!isRows(shape) || count < 2) return 'a list of at least two shares, or a matrix with one in each row';
    return [...shape.slice(0, -1), count - 1];
  },
  toFree: (values, shape) =>
    byRow(values, shape, (row) => {
      const sum = row.reduce((total, x) => total + x, 0);
      if (!row.every((x) => x > 0) || Math.abs(sum - 1) > tolerance)
        return `shares above 0 that sum to 1, got ${row.join(', ')}, of which the sum is ${Number(sum.toPrecision(12))}`;
      const columns = balances(row.length);
      return Array.from({ length: row.length - 1 }, (_, j) =>
        row.reduce((total, x, i) => total + Math.log(x) * columns[i]![j]!, 0),
      );
    }),
  write(b, v, shape) {
    const count = shape.at(-1)!;
    const rows = shape.length === 1 ? 1 : shape[0]!;
    const columns = matrix(b, balances(count));
    const logits = b.matmul(b.reshape(v, [rows, count - 1]), b.transpose(columns, [1, 0]));
    const [total] = b.reduce(builtinOperator('logaddexp'), [logits], 1);
    const logs = b.apply('sub', logits, b.reshape(total!, [rows, 1]));
    const [byRows] = b.reduce(builtinOperator('add'), [b.reshape(logs, [rows * count])], 0);
    return {
      value: b.reshape(b.apply('exp', logs), shape),
      logJacobian: b.elementwise([byRows!], (s, sum) => s.apply('add', sum, realLiteral(0.5 * rows * Math.log(count)))),
    };
  },
};
