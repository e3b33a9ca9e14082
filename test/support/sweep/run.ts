/**
 * The sweep of one rule. `tryRule` holds random cases to forward mode and central differences by interpretation;
 * `holdDevice` runs a few fixed cases, each compiled once, on a device at many sizes and elements, against interpretation.
 */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Program } from '../../../engine/0-ir/program.ts';
import { jvp } from '../../../engine/2-ad/jvp.ts';
import type { VjpRule } from '../../../engine/2-ad/rule.ts';
import { vjp } from '../../../engine/2-ad/vjp.ts';
import { vmap } from '../../../engine/2-ad/vmap.ts';
import { interpret } from '../../../engine/4-backends/reference/interpret.ts';
import type { Device } from '../../../engine/5-runtime/device.ts';
import { Choices, choices } from '../choices.ts';
import { checkDerivatives, randomNumbers } from '../derivatives.ts';
import { CaseWriter, origin, type SweepCase } from './case.ts';
import { sweptConstructs, type SweptKind } from './constructs.ts';
import { drawInputs, flavours, isSmooth, type Flavour, type Sizes } from './draws.ts';

/** A case with an operator of at most so many components. */
function writeCase(rule: VjpRule, c: Choices, components = 4): SweepCase {
  const writer = new CaseWriter(c, rule, components);
  const written = writer.finish(sweptConstructs[rule.construct as SweptKind](writer));
  if (!c.rarely(5)) return written;
  const over = written.program.parameters.filter(() => c.flip()).map(({ name }) => name);
  if (over.length === 0) return written;
  return { ...written, name: `${written.name}, many at once`, program: vmap(written.program, 2, over) };
}

/** `rule` is forced, and the only one used on the construct itself. */
function reverseOf({ program, name }: SweepCase, rule: VjpRule): Program {
  const used: string[] = [];
  const reverse = vjp(program, {
    force: new Map([[origin, rule.name]]),
    onChoice: (statement, choice) => {
      if (statement.origin === origin) used.push(choice.rule.name);
    },
  });
  expect(used, `rules of ${name}`).toContain(rule.name);
  return reverse;
}

const sizesOf = (lengths: readonly number[]): fc.Arbitrary<Sizes> =>
  fc.record({ n: fc.constantFrom(...lengths), m: fc.constantFrom(1, 2, 3), bins: fc.constantFrom(3, 1, 2, 7) });

const seeds = fc.integer({ min: 1, max: 2 ** 31 - 1 });

/** A rule of × alone is right among zeros: there its own product is smooth, where others divide by elements or meet kinks. */
function flavoursOf({ sweep }: VjpRule): readonly Flavour[] {
  return sweep === 'multiply' || sweep === undefined ? flavours : flavours.slice(0, 2);
}

export function tryRule(rule: VjpRule, runs: number): void {
  fc.assert(
    fc.property(
      choices(60),
      sizesOf([0, 1, 2, 3, 5, 9]),
      seeds,
      fc.constantFrom(...flavoursOf(rule)),
      (numbers, sizes, seed, flavour) => {
        const each = writeCase(rule, new Choices(numbers));
        reverseOf(each, rule);
        const inputs = drawInputs(each, each.program, sizes, seed, flavour);
        naming(each, () =>
          checkDerivatives(each.program, inputs, sizes, {
            seed,
            force: new Map([[origin, rule.name]]),
            differences: isSmooth(each, inputs),
          }),
        );
      },
    ),
    { numRuns: runs },
  );
}

/** What is wrong, of which case. */
function naming({ name }: SweepCase, check: () => void): void {
  try {
    check();
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

export interface DeviceSweep {
  /** Cases for each rule, and draws for each case. */
  readonly cases: number;
  readonly draws: number;
  readonly lengths: readonly number[];
  /** Of what is differentiated forward, too: the same kernels, of larger operators. */
  readonly forwardLengths: readonly number[];
  /** Relative to the largest element of a result, or to `least` where that is larger. */
  readonly tolerance: number;
  readonly least: number;
  /** Of operators: what a software GPU compiles in seconds is not for it. */
  readonly components: number;
  /** Of operators that are differentiated forward over reverse too. */
  readonly nested: number;
}

export const f64 = { tolerance: 1e-10, least: 1e-30 };
/** Elements, cotangents and tangents are about 1, and so is what cancels in some operators. */
export const f32 = { tolerance: 1e-3, least: 1 };

/** The case of a rule with this number: always the same, so that it is compiled once. */
function fixedCase(rule: VjpRule, index: number, components: number): SweepCase {
  const seed = [...rule.name].reduce((hash, letter) => Math.imul(hash, 31) + letter.charCodeAt(0), index);
  const random = randomNumbers(seed);
  const numbers = Array.from({ length: 60 }, () => Math.floor(720 * random()));
  return writeCase(rule, new Choices(numbers), components);
}

export async function holdDevice(device: Device, rule: VjpRule, sweep: DeviceSweep): Promise<void> {
  for (let index = 0; index < sweep.cases; index++) {
    const each = fixedCase(rule, index, sweep.components);
    const hold = (of: SweepCase, mode: string, program: Program, lengths = sweep.forwardLengths): Promise<void> =>
      holdProgram(device, of, rule, mode, program, { ...sweep, lengths });
    const reverse = reverseOf(each, rule);
    await hold(each, 'reverse', reverse, sweep.lengths);
    await hold(each, 'forward', jvp(each.program));
    const isSame = sweep.nested === sweep.components;
    const nested = isSame ? each : fixedCase(rule, index, sweep.nested);
    await hold(nested, 'forward over reverse', jvp(isSame ? reverse : reverseOf(nested, rule)));
  }
}

async function holdProgram(
  device: Device,
  each: SweepCase,
  rule: VjpRule,
  mode: string,
  program: Program,
  sweep: DeviceSweep,
): Promise<void> {
  const executable = await device.load(program);
  // A root is known to the rounding of its equations, of which the terms are of the size of 1.
  const near = rule.construct === 'solve' ? { ...sweep, least: Math.max(1, sweep.least) } : sweep;
  try {
    await fc.assert(
      fc.asyncProperty(
        sizesOf(sweep.lengths),
        seeds,
        fc.constantFrom(...flavoursOf(rule)),
        async (sizes, seed, flavour) => {
          const inputs = drawInputs(each, program, sizes, seed, flavour);
          const instance = await executable.bind(sizes);
          try {
            for (const [name, values] of inputs) instance.write(name, values);
            await instance.run();
            for (const [name, { values }] of interpret(program, inputs, sizes))
              expectNear(await instance.read(name), values, near, `${each.name}: ${name} in ${mode} mode`);
          } finally {
            instance.release();
          }
        },
      ),
      { numRuns: sweep.draws },
    );
  } finally {
    executable.release();
  }
}

/** NaN and infinities where they are. */
function expectNear(
  found: ArrayLike<number>,
  expected: ArrayLike<number>,
  { tolerance, least }: DeviceSweep,
  what: string,
): void {
  const [got, wanted] = [Array.from(found), Array.from(expected)];
  const largest = wanted.reduce(
    (most, value) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most),
    least,
  );
  const misses = wanted.flatMap((value, i) => {
    const own = got[i]!;
    const close = Object.is(own, value) || Math.abs(own - value) <= tolerance * largest;
    return close ? [] : [`[${i}] is ${own}, not ${value}`];
  });
  expect(got.length, `length of ${what}`).toBe(wanted.length);
  expect(misses.slice(0, 5), what).toEqual([]);
}
