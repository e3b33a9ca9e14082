import fc from 'fast-check';
import wabt from 'wabt';
import { expect, test } from 'vitest';
import { lower } from '../../../../engine/3-plan/lower.ts';
import { generate } from '../../../../engine/4-backends/cpu/generate.ts';
import { interpret } from '../../../../engine/4-backends/reference/interpret.ts';
import { randomProgram } from '../../../support/random-programs.ts';
import { openOnCpu, runOnCpu } from '../../../support/run-on-cpu.ts';
import { smallCase, type SmallCase } from '../../../support/small-programs.ts';

function expected({
  program,
  inputs,
  sizes,
}: Pick<SmallCase, 'program' | 'inputs'> & { sizes: Record<string, number> }) {
  const results = interpret(program, inputs, sizes);
  return Object.fromEntries([...results].map(([name, { values }]) => [name, [...values]]));
}

const varyingInputs = fc.subarray(['a', 'x', 'y', 'z', 'w', 'k', 'l', 'f']).map((names) => new Set(names));
const chunks = fc.constantFrom(1, 2, 5, undefined);

test('random programs give on the CPU, bit for bit, what the interpreter gives, and again', () => {
  fc.assert(
    fc.property(smallCase(), varyingInputs, chunks, (small, varying, chunk) => {
      const plan = lower(small.program, varying);
      const instance = openOnCpu(plan, 'f64', small.sizes, chunk);
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

test('so do longer ones over more shapes', () => {
  fc.assert(
    fc.property(randomProgram({ maxStatements: 8 }), chunks, (random, chunk) => {
      const plan = lower(random.program);
      const options = chunk === undefined ? {} : { chunk };
      expect(runOnCpu(plan, random.inputs, random.sizes, options)).toEqual(
        expected({ ...random, sizes: { ...random.sizes } }),
      );
    }),
    { numRuns: 150 },
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

test('a module is plain data', () => {
  fc.assert(
    fc.property(smallCase(), (small) => {
      const module = generate(lower(small.program), 'f64');
      expect(structuredClone(module)).toEqual(module);
    }),
    { numRuns: 20 },
  );
});
