import fc from 'fast-check';
import { expect, test } from 'vitest';
import { layout } from '../../../engine/3-plan/arena.ts';
import { lower } from '../../../engine/3-plan/lower.ts';
import { kernelsOf } from '../../../engine/3-plan/step-parts.ts';
import { interpret } from '../../../engine/4-backends/reference/interpret.ts';
import { openPlan, runPlan } from '../../support/run-plan.ts';
import { smallCase, type SmallCase } from '../../support/small-programs.ts';

function expected({ program, inputs, sizes }: SmallCase): Record<string, number[]> {
  const results = interpret(program, inputs, sizes);
  return Object.fromEntries([...results].map(([name, { values }]) => [name, [...values]]));
}

const varyingInputs = fc.subarray(['a', 'x', 'y', 'z', 'w', 'k', 'l', 'f']).map((names) => new Set(names));

test('a lowered program gives what the program gives', () => {
  fc.assert(
    fc.property(smallCase(), (small) => {
      const plan = lower(small.program);
      expect(runPlan(plan, Object.fromEntries(small.inputs), small.sizes)).toEqual(expected(small));
    }),
    { numRuns: 300 },
  );
});

test('also in one arena, in any order of items, whatever varies, and a second time', () => {
  fc.assert(
    fc.property(smallCase(), varyingInputs, fc.boolean(), (small, varying, backward) => {
      const plan = lower(small.program, varying);
      const run = openPlan(plan, small.sizes, { arena: true, backward });
      for (const [name, values] of small.inputs) run.write(name, values);
      run.prepare();
      run.run();
      run.run();
      const results = Object.fromEntries(plan.results.map(({ name }) => [name, run.read(name)]));
      expect(results).toEqual(expected(small));
    }),
    { numRuns: 300 },
  );
});

test('prepare reads no varying input, and a run alone follows the varying ones', () => {
  fc.assert(
    fc.property(smallCase(), varyingInputs, (small, varying) => {
      const plan = lower(small.program, varying);
      const run = openPlan(plan, small.sizes, { arena: true });
      const other = new Map(
        [...small.inputs].map(([name, values]) => [name, values.map((value) => (value === 0 ? 1 : 0))]),
      );
      for (const [name, values] of small.inputs) run.write(name, varying.has(name) ? (other.get(name) ?? []) : values);
      run.prepare();
      run.run();
      for (const name of varying) run.write(name, small.inputs.get(name) ?? []);
      run.run();
      const results = Object.fromEntries(plan.results.map(({ name }) => [name, run.read(name)]));
      expect(results).toEqual(expected(small));
    }),
    { numRuns: 200 },
  );
});

test('no two buffers that are alive together overlap', () => {
  fc.assert(
    fc.property(smallCase(12), varyingInputs, (small, varying) => {
      const plan = lower(small.program, varying);
      const bytes = { real: 8, int: 4, bool: 1 };
      const { offsets, total } = layout(plan, small.sizes, bytes, { alignment: 32 });
      const run = openPlan(plan, small.sizes);
      expect(run).toBeDefined();
      const lengths = plan.buffers.map((buffer) => Number(buffer.length) || 0);
      plan.buffers.forEach((a, i) => {
        expect((offsets[i] as number) % 32).toBe(0);
        expect((offsets[i] as number) + (lengths[i] as number) * bytes[a.element]).toBeLessThanOrEqual(total);
      });
      expect(kernelsOf([...plan.prepare, ...plan.run]).length).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 50 },
  );
});
