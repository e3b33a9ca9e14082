/** The symmetric update of rank 1 (Nocedal & Wright, Numerical Optimization, 6.24). */
import { dot, norm } from './vectors.ts';

/** A Hessian after a step, as the change of the gradient tells it; as it was where that says nothing of it. By rows. */
export function rankOne(
  hessian: readonly Float64Array[],
  step: Float64Array,
  change: Float64Array,
): readonly Float64Array[] {
  const missed = step.map((_, i) => change[i]! - dot(hessian[i]!, step));
  const along = dot(missed, step);
  if (!(Math.abs(along) > 1e-8 * norm(missed) * norm(step))) return hessian;
  return hessian.map((row, i) => row.map((entry, j) => entry + (missed[i]! * missed[j]!) / along));
}
