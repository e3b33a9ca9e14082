/**
 * Whole plans on an emulated GPU, which knows no order of workgroups and lanes but the barriers', and reports races; and
 * that it does.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ProgramBuilder } from '../../../../engine/0-ir/builder.ts';
import { builtinOperator } from '../../../../engine/0-ir/operators.ts';
import { arrayType } from '../../../../engine/0-ir/types.ts';
import { lower } from '../../../../engine/3-plan/lower.ts';
import { interpret } from '../../../../engine/4-backends/reference/interpret.ts';
import { compile } from '../../../../engine/5-runtime/compile.ts';
import type { GpuHost } from '../../../../engine/5-runtime/gpu/host.ts';
import { randomFrom } from '../../../../engine/6-fit/ensembles/random.ts';
import { expectClose } from '../../../support/numbers/close.ts';
import { randomProgram } from '../../../support/random/programs.ts';
import { awkward } from '../../../support/random/styles.ts';
import { runOnGpu } from '../../../support/run-on-gpu.ts';
import { seed } from '../../../support/seed.ts';
import { emulatedGpu } from '../../../support/wgsl/emulated-host.ts';

const random = randomFrom(seed);
const uniform = (): number => random.uniform();

test('random programs give what the interpreter gives, in any order and without races', async () => {
  const host = emulatedGpu(uniform);
  await fc.assert(
    fc.asyncProperty(randomProgram({ style: awkward, maxStatements: 6 }), async ({ program, inputs, sizes }) => {
      const got = await runOnGpu(host, compile(program), Object.fromEntries(inputs), sizes);
      for (const [result, { values }] of interpret(program, inputs, sizes))
        expectClose(got[result] ?? [], values, 2e-6, result);
    }),
    { numRuns: 60 },
  );
});

/** The sum and the running sums of x, whose kernels are altered before they are compiled. */
async function scanned(alter: (wgsl: string) => string): Promise<void> {
  const b = new ProgramBuilder();
  const x = b.parameter('x', arrayType('real', ['n']));
  const add = builtinOperator('add');
  const results = { sum: b.reduce(add, [x], 0)[0]!, sums: b.scan(add, [x], 0)[0]! };
  const host = emulatedGpu(uniform);
  const altered: GpuHost = { ...host, compile: (texts) => host.compile(texts.map(alter)) };
  const length = 3000;
  await runOnGpu(altered, lower(b.finish(results)), { x: Array.from({ length }, () => 1) }, { n: length });
}

test('what is wrong with a kernel is found', async () => {
  await scanned((wgsl) => wgsl);
  await expect(scanned((wgsl) => wgsl.replaceAll('workgroupBarrier();', ''))).rejects.toThrow(/a race: shared_/);
  const past = scanned((wgsl) => wgsl.replace('shared_sums[lane] =', 'shared_sums[lane + 1] ='));
  await expect(past).rejects.toThrow('shared_sums[64] is outside its 64');
  const uneven = scanned((wgsl) =>
    wgsl.replace('workgroupBarrier();', 'if (lane > 3) { workgroupBarrier(); } else { workgroupBarrier(); }'),
  );
  await expect(uneven).rejects.toThrow('lanes of a workgroup wait at different barriers');
});
