/**
 * y = reduce(min, xs)  ⇒  (k, y) = reduce(minᴸ, zip(iota n, xs)),  x̄s[i] = (i = k) ? ȳ : 0. Paper, section 3.2.2.
 *
 * Ties: the smallest index takes all of ȳ. The first NaN wins. An empty axis has an index past all, so no element takes anything.
 * The paper scatters ȳ into zeros; comparing with k writes the same n elements and fuses with what follows.
 */
import type { ProgramBuilder } from '../../../0-ir/builder.ts';
import { liftedMinMax } from '../../../0-ir/lifted-min-max.ts';
import { recognise } from '../../../0-ir/operators.ts';
import type { ConstructOf, Value } from '../../../0-ir/program.ts';
import { realLiteral } from '../../../0-ir/scalar.ts';
import { expandAxis, indexAlong, sumTo } from '../../layout.ts';
import type { Primal, VjpRule } from '../../rule.ts';

export const reduceMinMax: VjpRule<'reduce'> = {
  name: 'reduce-min-max',
  construct: 'reduce',
  sweep: 'min or max',
  example: `program (%0 xs: real[n]) {
  %1: real = reduce[n] along 0 min (%0)
  yield y = %1
}`,
  matches: ({ operator }) => ['min', 'max'].includes(recognise(operator) ?? ''),
  cost: () => ({ traffic: 2, operations: 6, passes: 2 }),
  primal(b, { operator, inputs, shape, axis }): Primal {
    const index = indexAlong(b, shape[axis]!, axis, shape.length);
    const lifted = liftedMinMax(recognise(operator) === 'min' ? 'min' : 'max');
    const [winner, y] = b.emit({ kind: 'reduce', operator: lifted, shape, axis, inputs: [index, ...inputs] });
    return { results: [y!], saved: [winner!] };
  },
  cotangents(b, { inputs, shape, axis }, { saved }, [cotangent]) {
    const [input] = inputs;
    const winner = saved?.[0];
    if (!input || !cotangent || !winner) return [undefined];
    return [sumTo(b, atWinner(b, shape, axis, winner, cotangent), input.type.shape)];
  },
};

function atWinner(
  b: ProgramBuilder,
  shape: ConstructOf<'reduce'>['shape'],
  axis: number,
  winner: Value,
  cotangent: Value,
): Value {
  const index = indexAlong(b, shape[axis]!, axis, shape.length);
  return b.elementwise(
    [index, expandAxis(b, winner, axis), expandAxis(b, cotangent, axis)],
    (s, i, k, adjoint) =>
      s.either(
        s.apply('eq', i, k),
        () => adjoint,
        () => realLiteral(0),
      ),
    shape,
  );
}
