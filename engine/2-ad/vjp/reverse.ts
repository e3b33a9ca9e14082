/** ys = reverse(xs)  ⇒  x̄s = reverse(ȳs). */
import type { VjpRule } from '../rule.ts';

export const reverse: VjpRule<'reverse'> = {
  name: 'reverse',
  construct: 'reverse',
  example: `program (%0 xs: real[n]) {
  %1: real[n] = reverse %0 along 0
  yield ys = %1
}`,
  matches: () => true,
  cost: () => ({ traffic: 2, operations: 0, passes: 0 }),
  cotangents: (b, { axis }, _, [cotangent]) => [cotangent && b.reverse(cotangent, axis)],
};
