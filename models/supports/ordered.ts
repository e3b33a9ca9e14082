/**
 * Numbers that ascend in each row: x₀ = v₀, x_k = x_(k−1) + v_k with v_k ≥ 0. A distance is varied itself and not by its
 * logarithm, since 0 is a value like others, where the data want neighbours the other way round (isotonic regression): there
 * the slope says whether they are held together.
 *
 *   log |dx/dv| = 0
 */
import { builtinOperator } from '../../engine/index.ts';
import { byRow, isRows, type Support } from './support.ts';

export const ordered: Support = {
  ascending: true,
  free: (shape) =>
    isRows(shape) && (shape.at(-1) ?? 0) > 0 ? shape : 'a list of numbers, or a matrix with one in each row',
  toFree: (values, shape) =>
    byRow(values, shape, (row) => {
      // What was fitted may be tied, and begins there again.
      if (row.some((x, k) => k > 0 && !(x >= row[k - 1]!))) return `numbers that ascend, got ${row.join(', ')}`;
      return row.map((x, k) => (k === 0 ? x : x - row[k - 1]!));
    }),
  write(b, v, shape) {
    const [value] = b.scan(builtinOperator('add'), [v], shape.length - 1);
    return { value: value!, logJacobian: b.literal(0) };
  },
};
