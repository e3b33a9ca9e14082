/** The device that interprets programs as they stand: slow, in f64, on the calling thread. */
import { heed } from '../0-ir/errors.ts';
import type { Program } from '../0-ir/program.ts';
import { sizeValue, type SizeBinding } from '../0-ir/sizes.ts';
import { programSymbols } from '../0-ir/walk.ts';
import { interpret } from '../4-backends/reference/interpret.ts';
import type { Device, Executable, HostArray, RunOptions } from './device.ts';
import { growingAtOnce, type InstanceAtOnce } from './growth.ts';

export function referenceDevice(): Device {
  return {
    kind: 'reference',
    precision: 'f64',
    name: 'reference interpreter',
    load: loadProgram,
    close: () => {},
  };
}

function loadProgram(program: Program): Executable {
  const symbols = programSymbols(program);
  const known = new Map<string, number>();
  return {
    program,
    grown: known,
    bind: (asked) =>
      growingAtOnce(
        (sizes) => {
          for (const symbol of symbols) sizeValue(symbol, sizes);
          return new ReferenceInstance(program, sizes);
        },
        asked,
        known,
      ),
    release: () => {},
  };
}

class ReferenceInstance implements InstanceAtOnce {
  private readonly program: Program;
  private readonly sizes: SizeBinding;
  private readonly inputs = new Map<string, Float64Array>();
  private results: ReturnType<typeof interpret> | undefined;

  constructor(program: Program, sizes: SizeBinding) {
    this.program = program;
    this.sizes = sizes;
  }

  write(input: string, values: ArrayLike<number>): void {
    if (!this.program.parameters.some(({ name }) => name === input))
      throw new Error(`the program has no input ${input}`);
    this.inputs.set(input, Float64Array.from(values));
  }

  run(options: RunOptions = {}): void {
    const { cancel, times = 1 } = options;
    for (let time = 0; time < times; time++)
      this.results = interpret(this.program, this.inputs, this.sizes, () => heed(cancel));
  }

  read(result: string): HostArray {
    if (!this.results) throw new Error(`${result} is read before the program has run`);
    const value = this.results.get(result);
    if (!value) throw new Error(`the program has no result ${result}`);
    return value.values.slice();
  }

  release(): void {
    this.inputs.clear();
    this.results = undefined;
  }
}
