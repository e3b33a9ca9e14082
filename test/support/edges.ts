/** Derivatives at the edges of the numbers, as data: programs of x (and more) with the result y, what they are given, what they give. */
import { expect } from 'vitest';
import { ProgramBuilder } from '../../engine/0-ir/builder.ts';
import type { Program, Value } from '../../engine/0-ir/program.ts';
import type { SizeBinding } from '../../engine/0-ir/sizes.ts';
import { arrayType } from '../../engine/0-ir/types.ts';
import { jvp } from '../../engine/2-ad/jvp.ts';
import { vjp } from '../../engine/2-ad/vjp.ts';
import type { Device } from '../../engine/5-runtime/device.ts';

type Lists = Readonly<Record<string, readonly number[]>>;

/** y, written after x: real[n]. */
export type Write = (b: ProgramBuilder, x: Value) => Value;

export interface Edge {
  readonly name: string;
  readonly program: Program;
  readonly runs: readonly { readonly inputs: Lists; readonly expected: Expected }[];
  /** Sizes beside n, or another n than x has elements. */
  readonly sizes: SizeBinding;
  /** Whether its numbers are beyond f32. */
  readonly wide: boolean;
}

/** Results by name; what is undefined may be anything. */
type Expected = Readonly<Record<string, readonly (number | undefined)[]>>;

interface Options {
  readonly rule?: string;
  readonly sizes?: SizeBinding;
  readonly wide?: boolean;
}

interface Pulled {
  readonly inputs: Lists;
  readonly cotangent: readonly number[];
  readonly y?: Expected[string];
  /** Of x. */
  readonly adjoint: Expected[string];
  /** Adjoints of other parameters, by name. */
  readonly others?: Expected;
}

const origin = 'edge';

function programOf(write: Write): Program {
  const b = new ProgramBuilder();
  b.origin = origin;
  return b.finish({ y: write(b, b.parameter('x', arrayType('real', ['n']))) });
}

const reverse = (write: Write, rule: string | undefined): Program =>
  vjp(programOf(write), rule === undefined ? {} : { force: new Map([[origin, rule]]) });

/** Reverse mode: y and adjoints for a cotangent. */
export function pulled(name: string, write: Write, cases: readonly Pulled[], options: Options = {}): Edge {
  const runs = cases.map(({ inputs, cotangent, y, adjoint, others = {} }) => {
    const adjoints = Object.entries({ x: adjoint, ...others }).map(([of, values]) => [`adjoint of ${of}`, values]);
    return {
      inputs: { ...inputs, 'cotangent of y': cotangent },
      expected: { ...(y && { y }), ...(Object.fromEntries(adjoints) as Expected) },
    };
  });
  return { name, program: reverse(write, options.rule), runs, sizes: options.sizes ?? {}, wide: options.wide ?? false };
}

/** Forward mode: ẏ of a scalar y for a change of each element of x alone, which is what takes a cotangent of one to it. */
export function pushed(name: string, write: Write, cases: readonly (readonly [x: number[], slopes: number[]])[]): Edge {
  const runs = cases.flatMap(([x, slopes]) =>
    slopes.map((slope, i) => ({
      inputs: { x, 'tangent of x': x.map((_, j) => Number(i === j)) },
      expected: { 'tangent of y': [slope] },
    })),
  );
  return { name: `${name}, forwards`, program: jvp(programOf(write)), runs, sizes: {}, wide: false };
}

/** Forward over reverse: how the adjoint of x moves. Inputs name the cotangent of y and all tangents. */
export function moved(name: string, write: Write, inputs: Lists, expected: readonly number[], rule?: string): Edge {
  const runs = [{ inputs, expected: { 'tangent of adjoint of x': expected } }];
  return { name, program: jvp(reverse(write, rule)), runs, sizes: {}, wide: false };
}

/** Within a relative tolerance; zeros without their signs, but for those of y itself. */
export async function holdEdge(device: Device, { program, runs, sizes }: Edge, tolerance: number): Promise<void> {
  const executable = await device.load(program);
  for (const { inputs, expected } of runs) {
    const instance = await executable.bind({ n: inputs['x']?.length ?? 0, ...sizes });
    for (const { name } of program.parameters) instance.write(name, inputs[name] ?? []);
    await instance.run();
    for (const [name, wanted] of Object.entries(expected)) {
      const found = Array.from(await instance.read(name));
      expect(found.length, name).toBe(wanted.length);
      wanted.forEach((value, i) => {
        if (value === undefined) return;
        const own = found[i]!;
        const same = name === 'y' ? Object.is(own, value) : Object.is(own + 0, value + 0);
        const close = same || (value !== 0 && Number.isFinite(value) && Math.abs(own / value - 1) <= tolerance);
        expect(close, `${name}[${i}] of ${JSON.stringify(inputs['x']?.slice(0, 8))} is ${own}, not ${value}`).toBe(
          true,
        );
      });
    }
    instance.release();
  }
  executable.release();
}
