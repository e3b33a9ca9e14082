/** One memory with a program's inputs, results and everything between them. */
import { Fault, heed } from '../../0-ir/errors.ts';
import type { ElementType } from '../../0-ir/types.ts';
import { FAULT_BYTES, faultMessage, faultWords, status } from '../../4-backends/cpu/fault.ts';
import type { CpuModule } from '../../4-backends/cpu/generate.ts';
import { PARAMETERS_AT, STOP_AT } from '../../4-backends/cpu/parameters.ts';
import type { BoundKernel, BoundPort, BoundStep, CpuBinding } from './binding.ts';
import type { CpuTeam, TeamJob } from './team.ts';
import type { HostArray, Instance, RunOptions } from '../device.ts';

type MemoryArray = Float64Array | Float32Array | Int32Array;

export interface CpuInstanceParts {
  readonly module: CpuModule;
  readonly binding: CpuBinding;
  /** The module's functions, in the memory that the instance has. */
  readonly job: TeamJob;
  /** Absent where the caller works alone. */
  readonly team: CpuTeam | undefined;
  readonly onRelease: () => void;
}

export class CpuInstance implements Instance {
  private readonly parts: CpuInstanceParts;
  private readonly bytes: Uint8Array;
  private readonly arrays = new Map<BoundPort, MemoryArray>();
  private readonly missing: Set<string>;
  private prepared = false;
  private hasRun = false;
  private released = false;

  constructor(parts: CpuInstanceParts) {
    this.parts = parts;
    const { binding, module } = parts;
    const { memory } = parts.job;
    this.bytes = new Uint8Array(memory.buffer);
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
    const array = this.arrays.get(bound)!;
    if (bound.port.type.element !== 'bool') array.set(values);
    else for (let i = 0; i < values.length; i++) array[i] = values[i] ? 1 : 0;
    this.missing.delete(input);
    if (!bound.port.varying) this.prepared = false;
  }

  run({ cancel, times = 1 }: RunOptions = {}): void {
    this.live();
    for (const input of this.missing) throw new Error(`the input ${input} has not been written`);
    const { prepare, run } = this.parts.binding;
    this.hasRun = false;
    if (!this.prepared) this.runSteps(prepare, cancel);
    this.prepared = true;
    for (let time = 0; time < times; time++) this.runSteps(run, cancel);
    this.hasRun = true;
  }

  read(result: string): HostArray {
    this.live();
    const bound = this.parts.binding.results.get(result);
    if (!bound) throw new Error(`the program has no result ${result}`);
    if (!this.hasRun) throw new Error(`${result} is read before the program has run`);
    return hostCopy(bound.port.type.element, this.arrays.get(bound)!);
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

  private runKernel(kernel: BoundKernel, cancel: Int32Array | undefined): void {
    const { binding, job, team } = this.parts;
    const { cleared } = kernel;
    if (cleared) this.bytes.fill(0, cleared.offset, cleared.offset + cleared.length);
    if (team && kernel.isShared) {
      const faulted = team.run(job, kernel, binding.own, cancel);
      if (faulted.length > 0) throw this.faultOf(kernel, faulted);
    } else this.runAlone(kernel, cancel);
  }

  private runAlone(kernel: BoundKernel, cancel: Int32Array | undefined): void {
    const { items, chunk } = kernel;
    const run = this.parts.job.functions[kernel.kernel]!;
    const own = this.parts.binding.own[0]!;
    for (let from = 0; from < items; from += chunk) {
      heed(cancel);
      if (run(from, Math.min(from + chunk, items), own) !== status.done) throw this.faultOf(kernel, [0]);
    }
  }

  /** The first fault: chunks are begun in order, and those that were begun have ended. */
  private faultOf({ kernel }: BoundKernel, threads: readonly number[]): Fault {
    const { binding, job, module } = this.parts;
    const blocks = threads.map((thread) => new Int32Array(job.memory.buffer, binding.own[thread], FAULT_BYTES / 4));
    const elementOf = (block: Int32Array) => block[faultWords.element]! >>> 0;
    const first = blocks.reduce((a, b) => (elementOf(b) < elementOf(a) ? b : a));
    return new Fault(faultMessage(first), module.kernels[kernel]?.origin, elementOf(first));
  }

  private live(): void {
    if (this.released) throw new Error('the instance has been released');
  }
}

function hostCopy(element: ElementType, array: MemoryArray): HostArray {
  if (element === 'real') return new Float64Array(array);
  return element === 'int' ? new Int32Array(array) : new Uint8Array(array);
}
