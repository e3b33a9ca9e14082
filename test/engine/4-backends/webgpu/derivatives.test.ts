/** Derivatives on the GPU against the interpreter: adjoints and tangents of random small programs over every construct. */
import fc from 'fast-check';
import type { Program } from '../../../../engine/0-ir/program.ts';
import { sizeProduct, sizeValue, type SizeBinding } from '../../../../engine/0-ir/sizes.ts';
import { jvp } from '../../../../engine/2-ad/jvp.ts';
import { vjp } from '../../../../engine/2-ad/vjp.ts';
import { interpret } from '../../../../engine/4-backends/reference/interpret.ts';
import { compile } from '../../../../engine/5-runtime/compile.ts';
import { expectClose } from '../../../support/numbers/close.ts';
import { gpuTest } from '../../../support/gpu.ts';
import { runOnGpu } from '../../../support/run-on-gpu.ts';
import { randomProgram } from '../../../support/random/programs.ts';
import { awkward } from '../../../support/random/styles.ts';

/** The inputs with more for the parameters that differentiation has added: 1, 2, -1, 1, 2, -1, …. */
function withDirections(
  program: Program,
  given: ReadonlyMap<string, number[]>,
  sizes: SizeBinding,
): Map<string, number[]> {
  return new Map(
    program.parameters.map(({ name, value }) => {
      const length = sizeValue(sizeProduct(value.type.shape), sizes);
      return [name, given.get(name) ?? Array.from({ length }, (_, i) => [1, 2, -1][i % 3]!)];
    }),
  );
}

for (const [name, transform] of [
  ['adjoints', vjp],
  ['tangents', jvp],
] as const)
  gpuTest(`${name} are what the interpreter gives`, async (host) => {
    await fc.assert(
      fc.asyncProperty(randomProgram({ style: awkward, maxStatements: 4 }), async ({ program, inputs, sizes }) => {
        const derived = transform(program);
        const all = withDirections(derived, inputs, sizes);
        const got = await runOnGpu(host, compile(derived), Object.fromEntries(all), sizes);
        for (const [result, { values }] of interpret(derived, all, sizes))
          expectClose(got[result] ?? [], values, 5e-6, result);
      }),
      { numRuns: 15, endOnFailure: true },
    );
  });
