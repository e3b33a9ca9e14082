/**
 * Derivatives are the same on every device: of each construct, by every rule, forward, reverse and nested, interpreted,
 * on the CPU in both precisions and on the GPU, with the optimiser, without it, and without fusion; and the reference
 * agrees with central differences.
 */
import { describe, expect, test } from 'vitest';
import type { Program } from '../../../engine/0-ir/program.ts';
import type { SizeBinding } from '../../../engine/0-ir/sizes.ts';
import { inlineCalls } from '../../../engine/0-ir/walk.ts';
import { optimize } from '../../../engine/1-optimize/index.ts';
import { jvp } from '../../../engine/2-ad/jvp.ts';
import { vjp, vjpRules } from '../../../engine/2-ad/vjp.ts';
import { lower } from '../../../engine/3-plan/lower.ts';
import { interpret } from '../../../engine/4-backends/reference/interpret.ts';
import { cpuDevice } from '../../../engine/5-runtime/cpu-device.ts';
import type { Device } from '../../../engine/5-runtime/device.ts';
import { referenceDevice } from '../../../engine/5-runtime/reference-device.ts';
import { webGpuDevice } from '../../../engine/5-runtime/webgpu-device.ts';
import { derivativePrograms, fixedInputs, origin, type DerivativeProgram } from '../../support/derivative-programs.ts';
import { checkDerivatives, type Inputs } from '../../support/derivatives.ts';
import { gpuTest } from '../../support/gpu.ts';
import { runOnCpu } from '../../support/run-on-cpu.ts';

const lengths = [0, 1, 2, 7, 33, 3000];
const f64 = 1e-12;
const f32 = 1e-4;

interface Derived {
  readonly mode: string;
  readonly program: Program;
}

interface Case extends DerivativeProgram {
  /** Rules that apply but are not chosen, and that no program before this one has used. */
  readonly otherRules: readonly string[];
}

const used = new Set<string>();
const cases = derivativePrograms.map((each): Case => {
  const passedOver: string[] = [];
  vjp(each.program, {
    onChoice: (_, choice) => {
      used.add(choice.rule.name);
      passedOver.push(...choice.passedOver.map(({ rule }) => rule.name));
    },
  });
  const otherRules = passedOver.filter((name) => !used.has(name));
  for (const name of otherRules) used.add(name);
  return { ...each, otherRules };
});

const forced = (rule: string) => ({ force: new Map([[origin, rule]]) });

function derivedPrograms({ program, nested, otherRules }: Case): Derived[] {
  const reverse = vjp(program);
  const derived = [
    { mode: 'reverse', program: reverse },
    { mode: 'forward', program: jvp(program) },
    ...otherRules.map((rule) => ({ mode: `reverse by ${rule}`, program: vjp(program, forced(rule)) })),
  ];
  return nested ? [...derived, { mode: 'forward over reverse', program: jvp(reverse) }] : derived;
}

interface Run {
  readonly inputs: Inputs;
  readonly sizes: SizeBinding;
  readonly expected: ReadonlyMap<string, ArrayLike<number>>;
}

function runsOf({ range, most = Infinity }: Case, program: Program, longest = most): Run[] {
  return lengths
    .filter((n) => n <= Math.min(most, longest))
    .map((n) => {
      const sizes = { n, m: 3, bins: 5 };
      const inputs = fixedInputs(program.parameters, sizes, range);
      const expected = new Map([...interpret(program, inputs, sizes)].map(([name, { values }]) => [name, values]));
      return { inputs, sizes, expected };
    });
}

/** Each result within a tolerance relative to its largest element; NaN and infinities where they are. */
function expectNear(found: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number, what: string): void {
  const [got, wanted] = [Array.from(found), Array.from(expected)];
  const largest = Math.max(1e-30, ...wanted.map(Math.abs).filter(Number.isFinite));
  const misses = wanted.flatMap((value, i) => {
    const own = got[i] as number;
    const close = Object.is(own, value) || Math.abs(own - value) <= tolerance * largest;
    return close ? [] : [`[${i}] is ${own}, not ${value}`];
  });
  expect(got.length, `length of ${what}`).toBe(wanted.length);
  expect(misses.slice(0, 5), what).toEqual([]);
}

async function holdDevice(device: Device, each: Case, tolerance: number): Promise<void> {
  const longest = device.kind === 'webgpu' ? each.mostOnGpu : undefined;
  for (const { mode, program } of derivedPrograms(each)) {
    const executable = await device.load(program);
    for (const { inputs, sizes, expected } of runsOf(each, program, longest)) {
      const instance = await executable.bind(sizes);
      for (const [name, values] of inputs) instance.write(name, values);
      await instance.run();
      for (const [name, values] of expected)
        expectNear(await instance.read(name), values, tolerance, `${mode}: ${name} at n = ${sizes['n']}`);
      instance.release();
    }
    executable.release();
  }
}

test('every rule is used', () => {
  expect(vjpRules.map(({ name }) => name).filter((name) => !used.has(name))).toEqual([]);
});

describe.each(cases)('$name', (each) => {
  test('forward, reverse and central differences agree', () => {
    for (const n of [0, 1, 7, 33]) {
      if (n > (each.most ?? n)) continue;
      const sizes = { n, m: 3, bins: 5 };
      const inputs = fixedInputs(each.program.parameters, sizes, each.range);
      checkDerivatives(each.program, inputs, sizes, { nested: (each.nested ?? false) && n === 7 });
      for (const rule of each.otherRules)
        checkDerivatives(each.program, inputs, sizes, { ...forced(rule), nested: false });
    }
  });

  test('the same on the reference device', () => holdDevice(referenceDevice(), each, 0));
  test('the same on the CPU in f64', () => holdDevice(cpuDevice(), each, f64));
  test('the same on the CPU in f32', () => holdDevice(cpuDevice({ precision: 'f32' }), each, f32));
  gpuTest('the same on the GPU', (host) => holdDevice(webGpuDevice(host), each, f32));

  test('the same without the optimiser and without fusion', () => {
    for (const { mode, program } of derivedPrograms(each)) {
      const versions = { plain: inlineCalls(program), unfused: optimize(program, { fuse: false }) };
      for (const { inputs, sizes, expected } of runsOf(each, program))
        for (const [how, version] of Object.entries(versions)) {
          const found = runOnCpu(lower(version), inputs, sizes);
          for (const [name, values] of expected)
            expectNear(found[name] ?? [], values, f64, `${mode}, ${how}: ${name} at n = ${sizes['n']}`);
        }
    }
  });
});
