import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printProgram } from '../../../engine/0-ir/print.ts';
import { verify } from '../../../engine/0-ir/verify.ts';
import { renumber } from '../../../engine/0-ir/walk.ts';
import { optimize } from '../../../engine/1-optimize/index.ts';
import { lower } from '../../../engine/3-plan/lower.ts';
import { interpret } from '../../../engine/4-backends/reference/interpret.ts';
import { runPlan } from '../../support/run-plan.ts';
import { smallCase, type SmallCase } from '../../support/small-programs.ts';

function results(program: SmallCase['program'], { inputs, sizes }: SmallCase): Record<string, number[]> {
  return Object.fromEntries([...interpret(program, inputs, sizes)].map(([name, { values }]) => [name, [...values]]));
}

const varyingInputs = fc.subarray(['a', 'x', 'y', 'z', 'w', 'k', 'l', 'f']).map((names) => new Set(names));

test.each([false, true])('optimised programs (fuse: %s) give every bit that they gave', (fuse) => {
  fc.assert(
    fc.property(smallCase(10), varyingInputs, (small, varying) => {
      const optimized = optimize(small.program, { fuse, varying });
      verify(optimized);
      expect(optimized.parameters).toEqual(small.program.parameters);
      expect(results(optimized, small)).toEqual(results(small.program, small));
    }),
    { numRuns: 500 },
  );
});

test.each([false, true])('what is optimised (fuse: %s) stays as it is', (fuse) => {
  fc.assert(
    fc.property(smallCase(10), (small) => {
      const once = optimize(small.program, { fuse });
      expect(printProgram(renumber(optimize(once, { fuse })))).toBe(printProgram(renumber(once)));
    }),
    { numRuns: 200 },
  );
});

test('optimised and lowered they give the same', () => {
  fc.assert(
    fc.property(smallCase(10), varyingInputs, (small, varying) => {
      const plan = lower(optimize(small.program, { varying }), varying);
      const inputs = Object.fromEntries(small.inputs);
      expect(runPlan(plan, inputs, small.sizes, { arena: true })).toEqual(results(small.program, small));
    }),
    { numRuns: 300 },
  );
});
