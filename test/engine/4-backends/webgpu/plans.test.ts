/** Whole plans on the GPU against the interpreter, on random small programs over every construct. */
import fc from 'fast-check';
import { lower } from '../../../../engine/3-plan/lower.ts';
import { interpret } from '../../../../engine/4-backends/reference/interpret.ts';
import { gpuTest } from '../../../support/gpu.ts';
import { expectClose } from '../../../support/close.ts';
import { runOnGpu } from '../../../support/run-on-gpu.ts';
import { smallCase } from '../../../support/small-programs.ts';

gpuTest('random programs give what the interpreter gives', async (host) => {
  await fc.assert(
    fc.asyncProperty(smallCase(6), async ({ program, inputs, sizes }) => {
      const got = await runOnGpu(host, lower(program), Object.fromEntries(inputs), sizes);
      for (const [name, { values }] of interpret(program, inputs, sizes))
        expectClose(got[name] ?? [], values, 2e-6, name);
    }),
    { numRuns: Number(process.env.RUNS ?? 60), endOnFailure: true },
  );
});
