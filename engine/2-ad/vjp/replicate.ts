/** ys = x broadcast to a shape  ⇒  x̄ = ȳs summed over the axes that were stretched. */
import { sumTo } from '../layout.ts';
import type { VjpRule } from '../rule.ts';

export const replicate: VjpRule<'replicate'> = {
  name: 'replicate',
  construct: 'replicate',
  matches: () => true,
  cost: () => ({ traffic: 2, operations: 1, passes: 2 }),
  cotangents: (b, { value }, _, [cotangent]) => [cotangent && sumTo(b, cotangent, value.type.shape)],
};
