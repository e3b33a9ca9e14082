/**
 * Numbers that ascend in each row: x₀ = v₀, x_k = x_(k−1) + e^(v_k).
 *
 *   log |dx/dv| = Σ_(k ≥ 1) v_k
 */
import { builtinOperator } from '../../engine/index.ts';
import { byRow, isRows, type Support } from './support.ts';

export const ordered: Support = {
  free: (shape) =>
    isRows(shape) && (shape.at(-1) ?? 0) > 0 ? shape : 'a list of numbers, or a matrix with one in each row',
  toFree: (values, shape) =>
    byRow(values, shape, (row) => {
      if (row.some((x, k) => k > 0 && !(x > row[k - 1]!))) return `numbers that ascend, got ${row.join(', ')}`;
      return row.map((x, k) => (k === 0 ? x : Math.log(x - row[k - 1]!)));
    }),
  write(b, v, shape) {
    const [axis, count] = [shape.length - 1, shape.at(-1)!];
    const gaps = b.slice(v, axis, 1, count - 1);
    const steps = b.concatenate([b.slice(v, axis, 0, 1), b.apply('exp', gaps)], axis);
    const [value] = b.scan(builtinOperator('add'), [steps], axis);
    const rest = (shape.length === 1 ? 1 : shape[0]!) * (count - 1);
    const [logJacobian] = b.reduce(builtinOperator('add'), [b.reshape(gaps, [rest])], 0);
    return { value: value!, logJacobian: logJacobian! };
  },
};
