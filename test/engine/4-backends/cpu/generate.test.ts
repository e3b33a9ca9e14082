import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lower } from '../../../../engine/3-plan/lower.ts';
import { generate } from '../../../../engine/4-backends/cpu/generate.ts';
import { elementaryFunctionNames } from '../../../../engine/4-backends/cpu/elementary/table.ts';
import { interpret } from '../../../../engine/4-backends/reference/interpret.ts';
import { scalarMeaning } from '../../../../engine/4-backends/reference/scalar/meaning.ts';
import { elementaryOnNumbers } from '../../../support/numbers/elementary.ts';
import { openOnCpu, runOnCpu } from '../../../support/run-on-cpu.ts';
import { parameterNames, randomProgram, type RandomProgram } from '../../../support/random/programs.ts';
import { awkward } from '../../../support/random/styles.ts';

// The interpreter takes the elementary functions from WebAssembly too, or a last place of theirs would decide a branch: what
// is compared is everything around them. (They are held against their own values in elementary/.)
for (const operation of elementaryFunctionNames)
  Object.assign(scalarMeaning, { [operation]: elementaryOnNumbers(operation) });

function expected({
  program,
  inputs,
  sizes,
}: Pick<RandomProgram, 'program' | 'inputs'> & { sizes: Record<string, number> }) {
  const results = interpret(program, inputs, sizes);
  return Object.fromEntries([...results].map(([name, { values }]) => [name, [...values]]));
}

const varyingInputs = fc.subarray([...parameterNames]).map((names) => new Set(names));
const chunks = fc.constantFrom(1, 2, 5, undefined);

test('random programs give on the CPU, bit for bit, what the interpreter gives, and again', () => {
  fc.assert(
    fc.property(
      randomProgram({ style: awkward, maxStatements: 8 }),
      varyingInputs,
      chunks,
      (random, varying, chunk) => {
        const plan = lower(random.program, varying);
        const instance = openOnCpu(plan, 'f64', random.sizes, chunk === undefined ? {} : { chunk });
        for (const [name, values] of random.inputs) instance.write(name, values);
        instance.run();
        for (const [name, values] of random.inputs) if (varying.has(name)) instance.write(name, values);
        instance.run();
        const results = Object.fromEntries(plan.results.map(({ name }) => [name, [...instance.read(name)]]));
        expect(results).toEqual(expected(random));
      },
    ),
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

test('every module is valid, in both precisions', () => {
  fc.assert(
    fc.property(
      randomProgram({ style: awkward, maxStatements: 8 }),
      fc.constantFrom('f64', 'f32'),
      (random, precision) => {
        expect(WebAssembly.validate(generate(lower(random.program), precision).bytes)).toBe(true);
      },
    ),
    { numRuns: 60 },
  );
});

test('a module is plain data', () => {
  fc.assert(
    fc.property(randomProgram({ style: awkward, maxStatements: 8 }), (random) => {
      const module = generate(lower(random.program), 'f64');
      expect(structuredClone(module)).toEqual(module);
    }),
    { numRuns: 20 },
  );
});
