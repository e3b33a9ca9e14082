/** ys = reshape(xs, s)  ⇒  x̄s = reshape(ȳs, shape of xs). */
import type { VjpRule } from '../rule.ts';

export const reshape: VjpRule<'reshape'> = {
  name: 'reshape',
  construct: 'reshape',
  example: `program (%0 xs: real[n, m]) {
  %1: real[m*n] = reshape %0 to [m*n]
  yield ys = %1
}`,
  matches: () => true,
  cost: () => ({ traffic: 2, operations: 0, passes: 0 }),
  cotangents: (b, { value }, _, [cotangent]) => [cotangent && b.reshape(cotangent, value.type.shape)],
};
