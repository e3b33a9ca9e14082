/**
 * y = reduce(+, xs)  ⇒  x̄s = replicate(n, ȳ). Paper, section 3.2.1.
 */
import { recognise } from '../../../0-ir/operators.ts';
import { expandAxis, sumTo } from '../../layout.ts';
import type { VjpRule } from '../../rule.ts';

export const reduceAdd: VjpRule<'reduce'> = {
  name: 'reduce-add',
  construct: 'reduce',
  sweep: 'add',
  example: `program (%0 xs: real[n]) {
  %1: real = reduce[n] along 0 add (%0)
  yield y = %1
}`,
  matches: ({ operator }) => recognise(operator) === 'add',
  cost: () => ({ traffic: 2, operations: 1, passes: 2 }),
  cotangents(b, { inputs, shape, axis }, _, [cotangent]) {
    const [input] = inputs;
    if (!input || !cotangent) return [undefined];
    return [sumTo(b, b.replicate(expandAxis(b, cotangent, axis), shape), input.type.shape)];
  },
};
