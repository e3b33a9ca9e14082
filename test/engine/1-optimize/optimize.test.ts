import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printProgram } from '../../../engine/0-ir/print.ts';
import { verify } from '../../../engine/0-ir/verify.ts';
import { optimize } from '../../../engine/1-optimize/index.ts';
import { lower } from '../../../engine/3-plan/lower.ts';
import { interpret } from '../../../engine/4-backends/reference/interpret.ts';
import { randomProgram } from '../../support/random-programs.ts';
import { runPlan } from '../../support/run-plan.ts';
import { smallCase, type SmallCase } from '../../support/small-programs.ts';

function results(program: SmallCase['program'], { inputs, sizes }: SmallCase): Record<string, number[]> {
  return Object.fromEntries([...interpret(program, inputs, sizes)].map(([name, { values }]) => [name, [...values]]));
}

/** Values that show every bit, and programs in which every statement matters. */
const programs: fc.Arbitrary<SmallCase> = fc.oneof(smallCase(10), randomProgram({ maxStatements: 10 }));

const varyingInputs = fc.subarray(['a', 'x', 'y', 'z', 'w', 'k', 'l', 'f', 'b', 'j']).map((names) => new Set(names));

test.each([false, true])('optimised programs (fuse: %s) give every bit that they gave', (fuse) => {
  fc.assert(
    fc.property(programs, varyingInputs, (small, varying) => {
      const optimized = optimize(small.program, { fuse, varying });
      verify(optimized);
      expect(optimized.parameters).toEqual(small.program.parameters);
      expect(results(optimized, small)).toEqual(results(small.program, small));
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
    fc.property(programs, varyingInputs, (small, varying) => {
      const plan = lower(optimize(small.program, { varying }), varying);
      const inputs = Object.fromEntries(small.inputs);
      expect(runPlan(plan, inputs, small.sizes, { arena: true })).toEqual(results(small.program, small));
    }),
    { numRuns: 300 },
  );
});
