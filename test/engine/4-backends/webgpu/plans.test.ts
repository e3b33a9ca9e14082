/** Whole plans on the GPU against the interpreter, on random small programs over every construct. */
import fc from 'fast-check';
import { lower } from '../../../../engine/3-plan/lower.ts';
import { interpret } from '../../../../engine/4-backends/reference/interpret.ts';
import { compile } from '../../../../engine/5-runtime/compile.ts';
import { expectClose } from '../../../support/numbers/close.ts';
import { gpuTest } from '../../../support/gpu.ts';
import { runOnGpu } from '../../../support/run-on-gpu.ts';
import { randomProgram } from '../../../support/random/programs.ts';
import { awkward } from '../../../support/random/styles.ts';

for (const [name, plan] of [
  ['as they stand', lower],
  ['optimised', compile],
] as const)
  gpuTest(`random programs, ${name}, give what the interpreter gives`, async (host) => {
    await fc.assert(
      fc.asyncProperty(randomProgram({ style: awkward, maxStatements: 6 }), async ({ program, inputs, sizes }) => {
        const got = await runOnGpu(host, plan(program), Object.fromEntries(inputs), sizes);
        for (const [result, { values }] of interpret(program, inputs, sizes))
          expectClose(got[result] ?? [], values, 2e-6, result);
      }),
      // Each run compiles kernels, so a counter-example is not shrunk.
      { numRuns: 40, endOnFailure: true },
    );
  });
