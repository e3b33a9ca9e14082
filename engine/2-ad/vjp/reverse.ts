/** ys = reverse(xs)  ⇒  x̄s = reverse(ȳs). */
import type { VjpRule } from '../rule.ts';

export const reverse: VjpRule<'reverse'> = {
  name: 'reverse',
  construct: 'reverse',
  matches: () => true,
  cost: () => ({ traffic: 2, operations: 0, passes: 0 }),
  cotangents: (b, { axis }, _, [cotangent]) => [cotangent && b.reverse(cotangent, axis)],
};
