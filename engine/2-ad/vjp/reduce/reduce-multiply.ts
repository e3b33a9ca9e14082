/**
 * y = reduce(×, xs)  ⇒  x̄s[i] = ȳ · (the product of the others). Paper, section 3.2.3, figure "red-mult-rule".
 *
 * As there, zeros are counted apart from the product of the rest. That product keeps its exponent apart too (products.ts),
 * so dividing an element out of it neither over- nor underflows. The result itself is the plain product.
 */
import { recognise } from '../../../0-ir/operators.ts';
import { expandAxis, sumTo } from '../../layout.ts';
import { factorOperations, reducedFactors, seeded, timesOthers } from '../../products.ts';
import type { VjpRule } from '../../rule.ts';

export const reduceMultiply: VjpRule<'reduce'> = {
  name: 'reduce-multiply',
  construct: 'reduce',
  sweep: 'multiply',
  example: `program (%0 xs: real[n]) {
  %1: real = reduce[n] along 0 multiply (%0)
  yield y = %1
}`,
  matches: ({ operator }) => recognise(operator) === 'multiply',
  decides: true,
  cost: () => ({ traffic: 3, operations: factorOperations, passes: 2 }),
  primal: (b, construct) => ({ results: b.emit(construct), saved: reducedFactors(b, construct) }),
  cotangents(b, { inputs: [input], shape, axis }, { saved = [] }, [cotangent]) {
    if (!input || !cotangent) return [undefined];
    const all = b.map(seeded, [...saved, cotangent]).map((each) => expandAxis(b, each, axis));
    const [adjoint] = b.map(timesOthers, [...all, input], shape);
    return [sumTo(b, adjoint!, input.type.shape)];
  },
};
