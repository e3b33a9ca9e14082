/** ys = reshape(xs, s)  ⇒  x̄s = reshape(ȳs, shape of xs). */
import type { VjpRule } from '../rule.ts';

export const reshape: VjpRule<'reshape'> = {
  name: 'reshape',
  construct: 'reshape',
  matches: () => true,
  cost: () => ({ traffic: 2, operations: 0, passes: 0 }),
  cotangents: (b, { value }, _, [cotangent]) => [cotangent && b.reshape(cotangent, value.type.shape)],
};
