/**
 * hist = histogram(min, keys, vs)  ⇒  (is, hist) = histogram(minᴸ, keys, zip(iota n, vs)),
 * v̄s[i] = (i = is[k]) ? hist̄[k] : 0, k = keys[i]. Paper, section 4.2.2, figure "hist-min-rule".
 *
 * Ties: the smallest index takes all; initial contents, decoupled, beat equal elements. The first NaN wins.
 */
import { recognise } from '../../0-ir/operators.ts';
import type { Value } from '../../0-ir/program.ts';
import { realLiteral } from '../../0-ir/scalar.ts';
import { scalarFunction } from '../../0-ir/scalar-builder.ts';
import type { Size } from '../../0-ir/sizes.ts';
import { indexAlong, sumTo } from '../layout.ts';
import type { VjpRule } from '../rule.ts';
import { decoupled } from './decoupled.ts';
import { liftedMinMax } from './reduce-min-max.ts';

export const histogramMinMax: VjpRule<'histogram'> = {
  name: 'histogram-min-max',
  construct: 'histogram',
  matches: ({ operator }) => ['min', 'max'].includes(recognise(operator) ?? ''),
  cost: () => ({ traffic: 7, operations: 14, passes: 3 }),
  ...decoupled({
    primal(b, construct) {
      const { operator, inputs, shape, batch } = construct;
      const lifted = liftedMinMax(recognise(operator) === 'min' ? 'min' : 'max');
      const index = indexAlong(b, shape[batch] as Size, batch, shape.length);
      const [winners, contents] = b.emit({ ...construct, operator: lifted, inputs: [index, ...inputs] });
      return { results: [contents as Value], saved: [winners as Value] };
    },
    values(b, { inputs: [input], keys, shape, batch }, { saved }, [cotangent]) {
      const winners = saved?.[0];
      if (!input || !cotangent || !winners) return [undefined];
      const index = indexAlong(b, shape[batch] as Size, batch, shape.length);
      // Out of range both are 0: element 0 then takes a cotangent of zero.
      const [winner, adjoint] = [winners, cotangent].map((value) => b.gather(value, keys, 'zero', batch));
      const [taken] = b.map(ifEqual, [index, winner as Value, adjoint as Value], shape);
      return [sumTo(b, taken as Value, input.type.shape)];
    },
  }),
};

/** (i, k, v) ↦ i = k ? v : 0. */
const ifEqual = scalarFunction(['int', 'int', 'real'], (s, i, k, v) =>
  s.branch(
    s.apply('eq', i, k),
    () => [v],
    () => [realLiteral(0)],
  ),
);
