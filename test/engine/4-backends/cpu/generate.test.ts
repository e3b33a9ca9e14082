import fc from 'fast-check';
import wabt from 'wabt';
import { expect, test } from 'vitest';
import { lower } from '../../../../engine/3-plan/lower.ts';
import { generate } from '../../../../engine/4-backends/cpu/generate.ts';
import { interpret } from '../../../../engine/4-backends/reference/interpret.ts';
import { bindPlan } from '../../../../engine/5-runtime/cpu-device.ts';
import { smallCase, type SmallCase } from '../../../support/small-programs.ts';

function expected({ program, inputs, sizes }: SmallCase): Record<string, number[]> {
  const results = interpret(program, inputs, sizes);
  return Object.fromEntries([...results].map(([name, { values }]) => [name, [...values]]));
}

const varyingInputs = fc.subarray(['a', 'x', 'y', 'z', 'w', 'k', 'l', 'f']).map((names) => new Set(names));

test('random programs give on the CPU, bit for bit, what the interpreter gives, and again', () => {
  fc.assert(
    fc.property(smallCase(), varyingInputs, (small, varying) => {
      const plan = lower(small.program, varying);
      const instance = bindPlan(plan, 'f64', small.sizes);
      for (const [name, values] of small.inputs) instance.write(name, values);
      instance.run();
      for (const name of varying) instance.write(name, small.inputs.get(name) ?? []);
      instance.run();
      const results = Object.fromEntries(plan.results.map(({ name }) => [name, [...instance.read(name)]]));
      expect(results).toEqual(expected(small));
    }),
    { numRuns: 200 },
  );
});

test('every module is valid, in both precisions', async () => {
  const { readWasm } = await wabt();
  fc.assert(
    fc.property(smallCase(), fc.constantFrom('f64', 'f32'), (small, precision) => {
      const { bytes } = generate(lower(small.program), precision);
      const module = readWasm(bytes, { readDebugNames: false });
      module.validate();
      module.destroy();
    }),
    { numRuns: 60 },
  );
});
