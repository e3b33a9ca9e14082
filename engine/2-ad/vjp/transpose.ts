/** ys = transpose(xs, π)  ⇒  x̄s = transpose(ȳs, π⁻¹). */
import type { VjpRule } from '../rule.ts';

export const transpose: VjpRule<'transpose'> = {
  name: 'transpose',
  construct: 'transpose',
  example: `program (%0 xs: real[n, m]) {
  %1: real[m, n] = transpose %0 by [1, 0]
  yield ys = %1
}`,
  matches: () => true,
  cost: () => ({ traffic: 2, operations: 0, passes: 0 }),
  cotangents(b, { permutation }, _, [cotangent]) {
    const inverse = permutation.map((_, axis) => permutation.indexOf(axis));
    return [cotangent && b.transpose(cotangent, inverse)];
  },
};
