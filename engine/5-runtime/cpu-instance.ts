/** One memory with a program's inputs, results and everything between them. */
import { Cancelled, Fault } from '../0-ir/errors.ts';
import type { ElementType } from '../0-ir/types.ts';
import { faultMessage, faultWords, status } from '../4-backends/cpu/fault.ts';
import type { CpuModule } from '../4-backends/cpu/generate.ts';
import { PARAMETERS_AT, STOP_AT } from '../4-backends/cpu/parameters.ts';
import type { BoundKernel, BoundPort, BoundStep, CpuBinding } from './cpu-binding.ts';
import type { HostArray, Instance, RunOptions } from './device.ts';

export type KernelFunction = (from: number, to: number, own: number) => number;

type MemoryArray = Float64Array | Float32Array | Int32Array;

export interface CpuInstanceParts {
  readonly module: CpuModule;
  readonly binding: CpuBinding;
  readonly memory: WebAssembly.Memory;
  /** In the order of the module's kernels. */
  readonly kernels: readonly KernelFunction[];
  readonly onRelease: () => void;
}

export class CpuInstance implements Instance {
  private readonly parts: CpuInstanceParts;
  private readonly bytes: Uint8Array;
  private readonly fault: Int32Array;
  private readonly arrays = new Map<BoundPort, MemoryArray>();
  private readonly missing: Set<string>;
  private prepared = false;
  private hasRun = false;
  private released = false;

  constructor(parts: CpuInstanceParts) {
    this.parts = parts;
    const { binding, memory, module } = parts;
    this.bytes = new Uint8Array(memory.buffer);
    this.fault = new Int32Array(memory.buffer, binding.own[0], Object.keys(faultWords).length);
    new Int32Array(memory.buffer, STOP_AT, 1).fill(0);
    new Int32Array(memory.buffer, PARAMETERS_AT, binding.parameters.length).set(binding.parameters);
    const real = module.precision === 'f64' ? Float64Array : Float32Array;
    for (const bound of [...binding.inputs.values(), ...binding.results.values()]) {
      const array = bound.port.type.element === 'real' ? real : Int32Array;
      this.arrays.set(bound, new array(memory.buffer, bound.offset, bound.length));
    }
    this.missing = new Set([...binding.inputs.values()].filter(({ length }) => length > 0).map((b) => b.port.name));
  }

  write(input: string, values: ArrayLike<number>): void {
    this.live();
    const bound = this.parts.binding.inputs.get(input);
    if (!bound) throw new Error(`the program has no input ${input}`);
    if (values.length !== bound.length)
      throw new Error(`the input ${input} takes ${bound.length} values, got ${values.length}`);
    const array = this.arrays.get(bound) as MemoryArray;
    if (bound.port.type.element !== 'bool') array.set(values);
    else for (let i = 0; i < values.length; i++) array[i] = values[i] ? 1 : 0;
    this.missing.delete(input);
    if (!bound.port.varying) this.prepared = false;
  }

  run({ cancel }: RunOptions = {}): void {
    this.live();
    for (const input of this.missing) throw new Error(`the input ${input} has not been written`);
    const { prepare, run } = this.parts.binding;
    this.hasRun = false;
    if (!this.prepared) this.runSteps(prepare, cancel);
    this.prepared = true;
    this.runSteps(run, cancel);
    this.hasRun = true;
  }

  read(result: string): HostArray {
    this.live();
    const bound = this.parts.binding.results.get(result);
    if (!bound) throw new Error(`the program has no result ${result}`);
    if (!this.hasRun) throw new Error(`${result} is read before the program has run`);
    return hostCopy(bound.port.type.element, this.arrays.get(bound) as MemoryArray);
  }

  release(): void {
    if (this.released) return;
    this.released = true;
    this.parts.onRelease();
  }

  private runSteps(steps: readonly BoundStep[], cancel: Int32Array | undefined): void {
    for (const step of steps) {
      if (step.kind === 'kernel') this.runKernel(step, cancel);
      else for (let i = 0; i < step.count; i++) this.runSteps(step.steps, cancel);
    }
  }

  private runKernel({ kernel, items, chunk, cleared }: BoundKernel, cancel: Int32Array | undefined): void {
    if (cleared) this.bytes.fill(0, cleared.offset, cleared.offset + cleared.length);
    const run = this.parts.kernels[kernel] as KernelFunction;
    const own = this.parts.binding.own[0] as number;
    for (let from = 0; from < items; from += chunk) {
      if (cancel && Atomics.load(cancel, 0) !== 0) throw new Cancelled();
      if (run(from, Math.min(from + chunk, items), own) !== status.done) throw this.faultError(kernel);
    }
  }

  private faultError(kernel: number): Fault {
    const element = (this.fault[faultWords.element] as number) >>> 0;
    return new Fault(faultMessage(this.fault), this.parts.module.kernels[kernel]?.origin, element);
  }

  private live(): void {
    if (this.released) throw new Error('the instance has been released');
  }
}

function hostCopy(element: ElementType, array: MemoryArray): HostArray {
  if (element === 'real') return Float64Array.from(array);
  return element === 'int' ? Int32Array.from(array) : Uint8Array.from(array);
}
