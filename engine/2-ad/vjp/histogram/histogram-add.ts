/**
 * hist = histogram(+, keys, vs)  ⇒  v̄s[i] = (0 ≤ k < bins) ? hist̄[k] : 0, k = keys[i]. Paper, section 4.2.1.
 * It is the transpose of gather. Initial contents take hist̄ as it is.
 */
import { recognise } from '../../../0-ir/operators.ts';
import { sumTo } from '../../layout.ts';
import type { VjpRule } from '../../rule.ts';

export const histogramAdd: VjpRule<'histogram'> = {
  name: 'histogram-add',
  construct: 'histogram',
  sweep: 'add',
  example: `program (%0 keys: int[n], %1 vs: real[n]) {
  %2: real[bins] = histogram[n] batch 0 bins [bins] keys %0 add (%1)
  yield hist = %2
}`,
  matches: ({ operator }) => recognise(operator) === 'add',
  cost: () => ({ traffic: 5, operations: 4, passes: 2 }),
  stored: () => [0, 1],
  // Operands: keys, the input, the initial contents.
  cotangents(b, { keys, inputs, initial, batch }, _, [cotangent]) {
    const [input] = inputs;
    if (!input || !cotangent) return [];
    const gathered = b.gather(cotangent, keys, 'zero', batch);
    return [
      undefined,
      sumTo(b, gathered, input.type.shape),
      ...(initial ?? []).map((contents) => sumTo(b, cotangent, contents.type.shape)),
    ];
  },
};
