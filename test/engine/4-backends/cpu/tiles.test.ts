/**
 * Random programs, optimised, in tiny tiles on three threads: every construct with joins, in phases and by stretches, with
 * what fusion has taken into it, against the interpreter on the program as it was written.
 */
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { Program } from '../../../../engine/0-ir/program.ts';
import { sizeProduct, sizeValue } from '../../../../engine/0-ir/sizes.ts';
import { vjp } from '../../../../engine/2-ad/vjp.ts';
import { interpret } from '../../../../engine/4-backends/reference/interpret.ts';
import { compile } from '../../../../engine/5-runtime/compile.ts';
import { CpuTeam } from '../../../../engine/5-runtime/cpu/team.ts';
import { randomProgram, valuesOf, type RandomProgram } from '../../../support/random/programs.ts';
import { exact } from '../../../support/random/styles.ts';
import { runOnCpu, type CpuRunOptions } from '../../../support/run-on-cpu.ts';

const team = new CpuTeam(3);
afterAll(() => team.close());

/** Above it, what cancels shows the order in which it was added up. */
const LARGEST = 2 ** 30;

const cuts: fc.Arbitrary<CpuRunOptions> = fc.record({
  tile: fc.constantFrom(1, 2, 3),
  chunk: fc.constantFrom(1, 2, 5),
  sharedWork: fc.constantFrom(0),
  team: fc.constantFrom(team),
});

function holds(
  program: Program,
  { inputs, sizes }: Pick<RandomProgram, 'inputs' | 'sizes'>,
  options: CpuRunOptions,
): void {
  fc.pre(valuesOf({ program, inputs, sizes }).every((value) => !(Number.isFinite(value) && Math.abs(value) > LARGEST)));
  const got = runOnCpu(compile(program), inputs, sizes, options);
  const misses = [...interpret(program, inputs, sizes)].flatMap(([name, { values }]) =>
    [...values].flatMap((value, i) => {
      const found = got[name]![i]!;
      const close = Object.is(found, value) || Math.abs(found - value) <= 1e-6 * Math.max(1, Math.abs(value));
      return close ? [] : [`${name}[${i}] is ${found}, not ${value}`];
    }),
  );
  expect(misses).toEqual([]);
}

test('random programs', () => {
  fc.assert(
    fc.property(randomProgram({ style: exact, maxStatements: 5 }), cuts, (random, options) =>
      holds(random.program, random, options),
    ),
    { numRuns: 150 },
  );
});

test('their derivatives', () => {
  fc.assert(
    fc.property(randomProgram({ style: exact, maxStatements: 3 }), cuts, (random, options) => {
      const program = vjp(random.program);
      const cotangents = program.parameters.slice(random.program.parameters.length).map(({ name, value }) => {
        const length = sizeValue(sizeProduct(value.type.shape), random.sizes);
        return [name, Array.from({ length }, (_, i) => 1 - (i % 3))] as const;
      });
      holds(program, { inputs: new Map([...random.inputs, ...cotangents]), sizes: random.sizes }, options);
    }),
    { numRuns: 60 },
  );
});
