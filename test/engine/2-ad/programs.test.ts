/** Forward mode and reverse mode agree on random programs over every construct, and so do their derivatives. */
import fc from 'fast-check';
import { test } from 'vitest';
import { parseProgram } from '../../../engine/0-ir/parse.ts';
import { checkDerivatives } from '../../support/derivatives.ts';
import { constructKinds } from '../../support/random/constructs.ts';
import { randomProgram, valuesOf } from '../../support/random/programs.ts';

test('forward is reverse, and nested once', () => {
  fc.assert(
    fc.property(randomProgram({ constructs: constructKinds, maxStatements: 5 }), (random) => {
      const values = valuesOf(random);
      // Where an index out of range gave NaN, forward mode hands it on, while reverse mode has no element to hand anything to.
      fc.pre(!values.some(Number.isNaN));
      const infinite = !values.every(Number.isFinite);
      // Random values sit on kinks and ties, where central differences say nothing.
      checkDerivatives(random.program, random.inputs, random.sizes, { differences: false, infinite });
    }),
    { numRuns: 250 },
  );
});

/** What random programs have found. */
const found: Record<string, { program: string; inputs: Record<string, number[]>; sizes: Record<string, number> }> = {
  'a power of zero, twice in reverse': {
    program: `program (%0 x: real[n], %1 a: real) { %2: real = reduce[n] along 0 multiply (%1) yield y = %2 }`,
    inputs: { x: [1, 1], a: [0] },
    sizes: { n: 2 },
  },
};

test.each(Object.entries(found))('%s', (_, { program, inputs, sizes }) => {
  checkDerivatives(parseProgram(program), new Map(Object.entries(inputs)), sizes, { differences: false });
});
