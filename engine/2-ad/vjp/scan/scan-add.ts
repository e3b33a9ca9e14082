/**
 * ys = scan(+, xs)  ⇒  x̄s = reversed scan(+) of ȳs. Paper, section 5.3.1.
 * An exclusive scan gives an exclusive one; a scan from the end gives one from the start.
 */
import { recognise } from '../../../0-ir/operators.ts';
import { sumTo } from '../../layout.ts';
import type { VjpRule } from '../../rule.ts';

export const scanAdd: VjpRule<'scan'> = {
  name: 'scan-add',
  construct: 'scan',
  sweep: 'add',
  example: `program (%0 xs: real[n]) {
  %1: real[n] = scan[n] along 0 add (%0)
  yield ys = %1
}`,
  matches: ({ operator }) => recognise(operator) === 'add',
  cost: () => ({ traffic: 4, operations: 2, passes: 2 }),
  stored: () => [0, 1],
  cotangents(b, construct, _, [cotangent]) {
    const [input] = construct.inputs;
    if (!input || !cotangent) return [undefined];
    const [adjoint] = b.emit({ ...construct, inputs: [cotangent], reverse: !construct.reverse });
    return [sumTo(b, adjoint!, input.type.shape)];
  },
};
