import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printProgram } from '../../../engine/0-ir/print.ts';
import { verify } from '../../../engine/0-ir/verify.ts';
import { optimize } from '../../../engine/1-optimize/index.ts';
import { lower } from '../../../engine/3-plan/lower.ts';
import { interpret } from '../../../engine/4-backends/reference/interpret.ts';
import { runPlan } from '../../support/run-plan.ts';
import { parameterNames, randomProgram, type RandomProgram } from '../../support/random/programs.ts';
import { awkward } from '../../support/random/styles.ts';

function results(program: RandomProgram['program'], { inputs, sizes }: RandomProgram): Record<string, number[]> {
  return Object.fromEntries([...interpret(program, inputs, sizes)].map(([name, { values }]) => [name, [...values]]));
}

/** Values that show every bit, and values that stay comparable. */
const programs: fc.Arbitrary<RandomProgram> = fc.oneof(
  randomProgram({ style: awkward, maxStatements: 10 }),
  randomProgram({ maxStatements: 10 }),
);

const varyingInputs = fc.subarray([...parameterNames]).map((names) => new Set(names));

test.each([false, true])('optimised programs (fuse: %s) give every bit that they gave', (fuse) => {
  fc.assert(
    fc.property(programs, varyingInputs, (random, varying) => {
      const optimized = optimize(random.program, { fuse, varying });
      verify(optimized);
      expect(optimized.parameters).toEqual(random.program.parameters);
      expect(results(optimized, random)).toEqual(results(random.program, random));
    }),
    { numRuns: 500 },
  );
});

test('what is simplified stays as it is', () => {
  fc.assert(
    fc.property(programs, ({ program }) => {
      const once = optimize(program, { fuse: false });
      expect(printProgram(optimize(once, { fuse: false }))).toBe(printProgram(once));
    }),
    { numRuns: 200 },
  );
});

test('optimised and lowered they give the same', () => {
  fc.assert(
    fc.property(programs, varyingInputs, (random, varying) => {
      const plan = lower(optimize(random.program, { varying }), varying);
      const inputs = Object.fromEntries(random.inputs);
      expect(runPlan(plan, inputs, random.sizes, { arena: true })).toEqual(results(random.program, random));
    }),
    { numRuns: 300 },
  );
});
