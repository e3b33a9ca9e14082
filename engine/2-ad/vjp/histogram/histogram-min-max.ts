/**
 * hist = histogram(min, keys, vs)  ⇒  (is, hist) = histogram(minᴸ, keys, zip(iota n, vs)),
 * v̄s = zeros with v̄s[is[k]] = hist̄[k]. Paper, section 4.2.2, figure "hist-min-rule".
 *
 * Ties: the smallest index takes all; initial contents, decoupled, beat equal elements. The first NaN wins. An empty bin
 * has an index past all, which a scatter ignores.
 */
import { recognise } from '../../../0-ir/operators.ts';
import type { Value } from '../../../0-ir/program.ts';
import { arrayType } from '../../../0-ir/types.ts';
import { indexAlong, sumTo } from '../../layout.ts';
import type { VjpRule } from '../../rule.ts';
import { decoupled } from '../parts/decoupled.ts';
import { liftedMinMax } from '../../../0-ir/lifted-min-max.ts';

export const histogramMinMax: VjpRule<'histogram'> = {
  name: 'histogram-min-max',
  construct: 'histogram',
  sweep: 'min or max',
  example: `program (%0 keys: int[n], %1 vs: real[n]) {
  %2: real[bins] = histogram[n] batch 0 bins [bins] keys %0 min (%1)
  yield hist = %2
}`,
  matches: ({ operator }) => ['min', 'max'].includes(recognise(operator) ?? ''),
  cost: () => ({ traffic: 4, operations: 14, passes: 2 }),
  ...decoupled({
    primal(b, construct) {
      const { operator, inputs, shape, batch } = construct;
      const lifted = liftedMinMax(recognise(operator) === 'min' ? 'min' : 'max');
      const index = indexAlong(b, shape[batch]!, batch, shape.length);
      const [winners, contents] = b.emit({ ...construct, operator: lifted, inputs: [index, ...inputs] });
      return { results: [contents!], saved: [winners!] };
    },
    values(b, { inputs: [input], shape, batch }, { saved }, [cotangent]) {
      const winners = saved?.[0];
      if (!input || !cotangent || !winners) return [undefined];
      // Scatter has one index for a row of trailing points, and every point its own winner: they become batch axes.
      const axes = shape.map((_, axis) => axis);
      const lastBins = [...axes.filter((axis) => axis !== batch), batch];
      const [indices, values] = [winners, cotangent].map((value) => b.transpose(value, lastBins)) as [Value, Value];
      const domain = lastBins.map((axis) => shape[axis]!);
      const zeros = b.zeros(arrayType('real', domain));
      const taken = b.scatter(zeros, indices, values, { batch: shape.length - 1 });
      const back = axes.map((axis) => lastBins.indexOf(axis));
      return [sumTo(b, b.transpose(taken, back), input.type.shape)];
    },
  }),
};
