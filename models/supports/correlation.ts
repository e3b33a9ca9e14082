/**
 * Correlation matrices: z = tanh v are canonical partial correlations below the diagonal, row by row, and
 *
 *   R = L·Lᵀ,  L_ij = z_ij·Π_(k<j) √(1 − z_ik²),  L_ii = Π_(k<i) √(1 − z_ik²)
 *   log |dR/dv| = Σ ½(K − j)·log(1 − z_ij²)       over the pairs above the diagonal of R
 *
 * (Lewandowski, Kurowicka & Joe 2009, DOI 10.1016/j.jmva.2009.04.008; j from 0).
 */
import { builtinOperator, realLiteral, type Value } from '../../engine/index.ts';
import type { Support } from './support.ts';

const real = realLiteral;
const tolerance = 1e-8;

/** Of v: z is within 10⁻¹³ of 1 or -1 there, and what is computed of the others beside it has its digits still. */
const END = 16;

/** Rows and columns below the diagonal. */
const pairs = (count: number): [number, number][] =>
  Array.from({ length: count }, (_, i) => Array.from({ length: i }, (__, j): [number, number] => [i, j])).flat();

export const correlation: Support = {
  end: END,
  edge: 'its edge, 1 or -1',
  // z_ij is the correlation of i and j given those before j: of j = 0 the entry itself.
  words: (id, shape) =>
    pairs(shape[0]!).map(([i, j]) => {
      const before = Array.from({ length: j }, (_, k) => `${id}[${i},${k}]`);
      return before.length > 0 ? `${id}[${i},${j}] given ${before.join(', ')}` : `${id}[${i},${j}]`;
    }),
  free(shape) {
    const [rows = 0, columns] = shape;
    if (shape.length !== 2 || rows !== columns || rows < 2) return 'a square matrix';
    return [(rows * (rows - 1)) / 2];
  },
  toFree(values, shape) {
    const count = shape[0]!;
    const at = (i: number, j: number): number => values[i * count + j]!;
    const apart = pairs(count).find(([i, j]) => Math.abs(at(i, j) - at(j, i)) > tolerance);
    if (apart) return `a symmetric matrix, and ${at(...apart)} is not ${at(apart[1], apart[0])}`;
    for (let i = 0; i < count; i++) if (Math.abs(at(i, i) - 1) > tolerance) return `1 on the diagonal, got ${at(i, i)}`;
    const factor: number[][] = [];
    const free: number[] = [];
    for (let i = 0; i < count; i++) {
      const row: number[] = [];
      let left = 1;
      for (let j = 0; j < i; j++) {
        const other = factor[j]!;
        const entry = row.reduce((sum, x, k) => sum - x * other[k]!, at(i, j)) / other[j]!;
        row.push(entry);
        const z = entry / Math.sqrt(left);
        left -= entry ** 2;
        if (!(Math.abs(z) < 1 && left > 0)) return 'a matrix that is positive definite';
        free.push(Math.atanh(z));
      }
      factor.push([...row, Math.sqrt(left)]);
    }
    return free;
  },
  write(b, free, shape) {
    const count = shape[0]!;
    const places = pairs(count);
    // By their number, which the shape gives: as many as there are weights.
    const v = b.reshape(free, [places.length]);
    const one = (value: number): Value => b.replicate(b.literal(value), [1]);
    const at = (i: number, j: number): number => places.findIndex(([row, column]) => row === i && column === j);
    // tanh v and √(1 − z²) = 1/cosh v where they stand in the matrix.
    const laid = (inside: Value, diagonal: number, above: number): Value => {
      const entries = Array.from({ length: count * count }, (_, k) => {
        const [i, j] = [Math.floor(k / count), k % count];
        return j < i ? b.slice(inside, 0, at(i, j), 1) : one(j === i ? diagonal : above);
      });
      return b.reshape(b.concatenate(entries, 0), [count, count]);
    };
    const logCosh = b.elementwise([v], (s, x) =>
      s.apply('sub', s.apply('logaddexp', x, s.apply('neg', x)), real(Math.LN2)),
    );
    const z = laid(b.apply('tanh', v), 1, 0);
    const rest = laid(
      b.elementwise([logCosh], (s, x) => s.apply('exp', s.apply('neg', x))),
      1,
      1,
    );
    const [left] = b.scan(builtinOperator('multiply'), [rest], 1, { exclusive: true });
    const factor = b.apply('mul', z, left!);
    const weights = b.concatenate(
      places.map(([, j]) => one(-(count - j))),
      0,
    );
    const [logJacobian] = b.reduce(builtinOperator('add'), [b.apply('mul', weights, logCosh)], 0);
    // The diagonal is 1 by its making, and by rounding something beside it: by the pairs alone it is 1 whatever v is.
    const mask = (diagonal: number): Value =>
      b.reshape(
        b.concatenate(
          Array.from({ length: count * count }, (_, k) => one(k % (count + 1) === 0 ? diagonal : 1 - diagonal)),
          0,
        ),
        [count, count],
      );
    const product = b.matmul(factor, b.transpose(factor, [1, 0]));
    return { value: b.apply('add', b.apply('mul', product, mask(0)), mask(1)), logJacobian: logJacobian! };
  },
};
