/**
 * hist = histogram(⊙, keys, vs)  ⇒  v̄ᵢ = ∂(lᵢ ⊙ vᵢ ⊙ rᵢ)/∂vᵢ · hist̄[kᵢ], where lᵢ and rᵢ combine the elements of the same
 * key before and after i: sort by key, two segmented exclusive scans, a map, and back. Paper, figure "histo-rule".
 *
 * A key out of range (below 0, or bins and above: the paper's guard for + misses one) gives an exact zero.
 */
import { arity, flipped } from '../../../0-ir/operators.ts';
import { workOf } from '../../../1-optimize/work.ts';
import { trailingOnes } from '../../layout.ts';
import type { VjpRule } from '../../rule.ts';
import { realComponents } from '../../structure.ts';
import { betweenFunction, takesBetween } from '../parts/between.ts';
import { decoupled } from '../parts/decoupled.ts';
import { guarded, keysInRange } from '../parts/keys-in-range.ts';
import { sortCost, sortedSegments } from '../parts/sorted-segments.ts';
import { histogramGeneral } from './histogram-general.ts';

export const histogramSortedGeneral: VjpRule<'histogram'> = {
  name: 'histogram-sorted-general',
  construct: 'histogram',
  sweep: 'any',
  example: histogramGeneral.example,
  matches: ({ operator }) => takesBetween(operator),
  cost({ operator }) {
    const { traffic, operations, passes } = sortCost(operator);
    return {
      traffic: traffic + 9 * arity(operator),
      operations: operations + 7 * workOf(operator.combine),
      passes: passes + 4,
    };
  },
  ...decoupled({
    values(b, construct, _, cotangents) {
      const { operator, inputs, bins, batch, shape } = construct;
      const segments = sortedSegments(b, construct);
      const { begins, ends } = segments;
      const scan = { kind: 'segmented-scan', shape, axis: batch, inputs: segments.inputs, exclusive: true } as const;
      const ls = b.emit({ ...scan, operator, flags: begins, reverse: false });
      const rs = b.emit({ ...scan, operator: flipped(operator), flags: ends, reverse: true });

      const seeded = cotangents.map((cotangent) => cotangent !== undefined);
      const present = cotangents.filter((cotangent) => cotangent !== undefined);
      const adjoints = b.map(
        guarded(betweenFunction(operator, seeded)),
        [
          trailingOnes(b, keysInRange(b, segments.keys, bins), shape.length),
          b.apply('not', begins),
          b.apply('not', ends),
          ...ls,
          ...segments.inputs,
          ...rs,
          ...present.map((cotangent) => b.gather(cotangent, segments.keys, 'zero', batch)),
        ],
        shape,
      );
      const real = realComponents(operator);
      return inputs.map((input, i) => {
        const adjoint = adjoints[real.indexOf(i)];
        return adjoint && segments.unsort(adjoint, input);
      });
    },
  }),
};
