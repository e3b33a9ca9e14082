/** Forward mode and reverse mode agree on random programs over every construct, and so do their derivatives. */
import fc from 'fast-check';
import { test } from 'vitest';
import type { Program } from '../../../engine/0-ir/program.ts';
import { inlineCalls } from '../../../engine/0-ir/walk.ts';
import { interpret } from '../../../engine/4-backends/reference/interpret.ts';
import { checkDerivatives } from '../../support/derivatives.ts';
import { randomProgram, type RandomProgram } from '../../support/random-programs.ts';

/**
 * No NaN on the way: where an index out of range gave one, forward mode hands NaN on, as all arithmetic does, while
 * reverse mode has no element to hand anything to.
 */
function hasNoNaN({ program, inputs, sizes }: RandomProgram): boolean {
  const flat = inlineCalls(program);
  const values = flat.statements.flatMap((statement) => statement.results);
  const everything: Program = { ...flat, results: values.map((value) => ({ name: `${value.id}`, value })) };
  return [...interpret(everything, inputs, sizes).values()].every((value) => !value.values.some(Number.isNaN));
}

test('forward is reverse, and nested once', () => {
  fc.assert(
    fc.property(randomProgram({ maxStatements: 5 }), (random) => {
      fc.pre(hasNoNaN(random));
      // Random values sit on kinks and ties, where central differences say nothing.
      checkDerivatives(random.program, random.inputs, random.sizes, { differences: false });
    }),
    { numRuns: 250 },
  );
});
