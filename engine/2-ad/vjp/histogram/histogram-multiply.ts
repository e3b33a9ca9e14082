/**
 * hist = histogram(×, keys, vs)  ⇒  v̄s[i] = hist̄[k] · (the product of the others in bin k), k = keys[i], and the same for
 * what the bin began with, which is one more factor. Paper, section 4.2.3.
 */
import { recognise } from '../../../0-ir/operators.ts';
import { sumTo, trailingOnes } from '../../layout.ts';
import { binnedFactors, factorOperations, seeded, timesOthers } from '../../products.ts';
import type { VjpRule } from '../../rule.ts';
import { guarded, keysInRange } from '../parts/keys-in-range.ts';

export const histogramMultiply: VjpRule<'histogram'> = {
  name: 'histogram-multiply',
  construct: 'histogram',
  sweep: 'multiply',
  example: `program (%0 keys: int[n], %1 vs: real[n]) {
  %2: real[bins] = histogram[n] batch 0 bins [bins] keys %0 multiply (%1)
  yield hist = %2
}`,
  matches: ({ operator }) => recognise(operator) === 'multiply',
  decides: true,
  // A bin's factors reach its elements by eight gathers.
  cost: () => ({ traffic: 29, operations: factorOperations + 4, passes: 10 }),
  primal: (b, construct) => ({ results: b.emit(construct), saved: binnedFactors(b, construct) }),
  // Operands: keys, the input, the initial contents.
  cotangents(b, { keys, bins, batch, shape, inputs: [input], initial }, { saved = [] }, [cotangent]) {
    if (!input || !cotangent) return [];
    const all = b.map(seeded, [...saved, cotangent]);
    const atKeys = all.map((value) => b.gather(value, keys, 'zero', batch));
    const inRange = trailingOnes(b, keysInRange(b, keys, bins), shape.length);
    const [adjoint] = b.map(guarded(timesOthers), [inRange, ...atKeys, input], shape);
    return [
      undefined,
      sumTo(b, adjoint!, input.type.shape),
      ...(initial ?? []).map((contents) => {
        const [begun] = b.map(timesOthers, [...all, contents], cotangent.type.shape);
        return sumTo(b, begun!, contents.type.shape);
      }),
    ];
  },
};
