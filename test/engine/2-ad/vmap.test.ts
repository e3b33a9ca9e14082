/** vmap of a program is the program once for each element, over every construct; and vmap of vjp, jvp of vmap. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verify } from '../../../engine/0-ir/verify.ts';
import type { Program } from '../../../engine/0-ir/program.ts';
import type { SizeBinding } from '../../../engine/0-ir/sizes.ts';
import { jvp } from '../../../engine/2-ad/jvp.ts';
import { vmap } from '../../../engine/2-ad/vmap.ts';
import { interpret } from '../../../engine/4-backends/reference/interpret.ts';
import { constructKinds } from '../../support/random/constructs.ts';
import { randomProgram } from '../../support/random/programs.ts';

type Inputs = ReadonlyMap<string, readonly number[]>;

/** One batch element's inputs: mapped parameters have their elements turned by `lane`, the others stay. */
function laneInputs(inputs: Inputs, mapped: readonly string[], lane: number): Inputs {
  return new Map(
    [...inputs].map(([name, x]) => {
      const turn = x.length === 0 ? 0 : lane % x.length;
      return [name, mapped.includes(name) ? [...x.slice(turn), ...x.slice(0, turn)] : x] as const;
    }),
  );
}

function expectLanes(
  program: Program,
  inputs: Inputs,
  sizes: SizeBinding,
  mapped: readonly string[],
  lanes: number,
): void {
  const perLane = Array.from({ length: lanes }, (_, lane) => laneInputs(inputs, mapped, lane));
  const stacked = new Map(
    [...inputs].map(([name, x]) => [name, mapped.includes(name) ? perLane.flatMap((lane) => [...lane.get(name)!]) : x]),
  );
  const batched = vmap(program, 'lanes', mapped);
  verify(batched);
  const found = interpret(batched, stacked, { ...sizes, lanes });
  const expected = perLane.map((lane) => interpret(program, lane, sizes));
  for (const { name } of program.results) {
    const one = expected.flatMap((results) => Array.from(results.get(name)?.values ?? []));
    expect(Array.from(found.get(name)?.values ?? []), name).toEqual(one);
  }
}

describe('vmap', () => {
  it('is the program once for each element', () =>
    fc.assert(
      fc.property(
        randomProgram({ constructs: constructKinds }),
        fc.constantFrom(1, 2, 3),
        fc.integer({ min: 0, max: 1023 }),
        (random, lanes, mask) => {
          // Int parameters stay as they are: a turned index may be out of range where the program promised it is not.
          const mapped = random.program.parameters
            .filter(({ value }, i) => value.type.element !== 'int' && (mask >> i) & 1)
            .map(({ name }) => name);
          expectLanes(random.program, random.inputs, random.sizes, mapped, lanes);
        },
      ),
      { numRuns: 400 },
    ));

  it('of forward mode is forward mode once for each direction', () =>
    fc.assert(
      fc.property(randomProgram({ maxStatements: 4 }), (random) => {
        const forward = jvp(random.program);
        const added = forward.parameters.slice(random.program.parameters.length);
        const tangents = added.map(({ name }) => [name, random.inputs.get(name.replace('tangent of ', ''))!] as const);
        const inputs = new Map([...random.inputs, ...tangents]);
        expectLanes(
          forward,
          inputs,
          random.sizes,
          added.map(({ name }) => name),
          2,
        );
      }),
      { numRuns: 150 },
    ));
});
