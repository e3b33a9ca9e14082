/** ys = x broadcast to a shape  ⇒  x̄ = ȳs summed over the axes that were stretched. */
import { sumTo } from '../layout.ts';
import type { VjpRule } from '../rule.ts';

export const replicate: VjpRule<'replicate'> = {
  name: 'replicate',
  construct: 'replicate',
  example: `program (%0 x: real[m]) {
  %1: real[n, m] = replicate %0 to [n, m]
  yield ys = %1
}`,
  matches: () => true,
  cost: () => ({ traffic: 2, operations: 1, passes: 2 }),
  cotangents: (b, { value }, _, [cotangent]) => [cotangent && sumTo(b, cotangent, value.type.shape)],
};
