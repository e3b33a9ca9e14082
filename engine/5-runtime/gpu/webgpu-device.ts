/** The device that runs programs on a GPU, in f32. It knows programs and plans; the GPU itself is its host's. */
import { nestedPrograms } from '../../0-ir/construct-parts.ts';
import { Cancelled, Fault, heed } from '../../0-ir/errors.ts';
import type { Program } from '../../0-ir/program.ts';
import { sizeProduct, sizeValue, type SizeBinding } from '../../0-ir/sizes.ts';
import { IrError, type ElementType } from '../../0-ir/types.ts';
import type { Port } from '../../3-plan/plan.ts';
import {
  bindModule,
  encode,
  kernelTexts,
  unrolled,
  type BoundModule,
  type EncodedPlan,
  type EncodedStep,
} from '../../4-backends/webgpu/bind.ts';
import { faultMessage } from '../../4-backends/webgpu/faults.ts';
import { generate } from '../../4-backends/webgpu/generate.ts';
import type { WebGpuModule } from '../../4-backends/webgpu/module.ts';
import { compile } from '../compile.ts';
import type { Device, Executable, HostArray, Instance, LoadOptions, RunOptions } from '../device.ts';
import { growing } from '../growth.ts';
import type { ByteRange, GpuHost, MemoryId, PipelineId } from './host.ts';
import { GpuPace } from './pace.ts';

/** Results up to so many bytes come back with the run that makes them, which saves a round trip. */
const promptBytes = 2 ** 20;

export function webGpuDevice(host: GpuHost, pace = new GpuPace(host.software)): Device {
  return {
    kind: 'webgpu',
    precision: 'f32',
    name: host.name,
    load: (program, options) => loadProgram(host, pace, program, options),
    close: () => host.close(),
  };
}

function loadProgram(host: GpuHost, pace: GpuPace, program: Program, options: LoadOptions = {}): Executable {
  if (solves(program))
    throw new IrError(
      'equations are solved for unknowns, and steady states found, on the CPU alone: choose that device',
    );
  const { varying, cancel } = options;
  const module = generate(compile(program, varying, cancel));
  const known = new Map<string, number>();
  const bind = (sizes: SizeBinding): Promise<Instance> =>
    unlessCancelled(bindWebGpu(host, pace, module, sizes), cancel);
  return { program, bind: (sizes) => growing(bind, sizes, known), grown: known, release: () => {} };
}

const POLL_MILLISECONDS = 20;

/** A GPU's own compiler polls nothing: who stops does not wait for it. */
function unlessCancelled(bound: Promise<Instance>, cancel: Int32Array | undefined): Promise<Instance> {
  if (!cancel) return bound;
  return new Promise((resolve, reject) => {
    const poll = setInterval(() => {
      if (Atomics.load(cancel, 0) === 0) return;
      clearInterval(poll);
      reject(new Cancelled());
      void bound.then(
        (late) => late.release(),
        () => {},
      );
    }, POLL_MILLISECONDS);
    bound.then(resolve, reject).finally(() => clearInterval(poll));
  });
}

/** A solver's step is one kernel, for which shader compilers take tens of gigabytes. */
const solves = ({ statements }: Program): boolean =>
  statements.some(({ construct }) => construct.kind === 'solve' || nestedPrograms(construct).some(solves));

/** Lays a module out on a host and compiles the kernels that these sizes need. */
export async function bindWebGpu(
  host: GpuHost,
  pace: GpuPace,
  module: WebGpuModule,
  sizes: SizeBinding,
): Promise<Instance> {
  const bound = bindModule(module, sizes);
  const memory = await host.allocate(bound.arenaBytes);
  try {
    const instance = new WebGpuInstance(host, pace, bound, memory);
    await instance.encode();
    return instance;
  } catch (error) {
    host.free(memory);
    throw error;
  }
}

class WebGpuInstance implements Instance {
  private encoded: EncodedPlan | undefined;
  private encodedBudget = 0;
  private pipelines = new Map<string, PipelineId>();
  private prepared = false;
  private hasRun = false;
  /** Whether the last run had a join in doubt: the next is expected to have one too. */
  private doubtful = false;
  /** The results that came back with the last run, by name. */
  private prompt = new Map<string, ArrayBuffer>();
  private readonly host: GpuHost;
  private readonly pace: GpuPace;
  private readonly bound: BoundModule;
  private readonly memory: MemoryId;

  constructor(host: GpuHost, pace: GpuPace, bound: BoundModule, memory: MemoryId) {
    this.host = host;
    this.pace = pace;
    this.bound = bound;
    this.memory = memory;
  }

  /** Cuts the plan into dispatches at the device's present pace. */
  async encode(): Promise<void> {
    if (this.encoded && this.encodedBudget === this.pace.budget) return;
    this.encodedBudget = this.pace.budget;
    this.encoded = encode(this.bound, this.pace);
    const texts = [...kernelTexts(this.encoded.run, kernelTexts(this.encoded.prepare))];
    const ids = await this.host.compile(texts);
    this.pipelines = new Map(texts.map((text, i) => [text, ids[i]!]));
    this.host.setBlocks(this.memory, this.encoded.blocks, this.encoded.blockBytes);
  }

  write(input: string, values: ArrayLike<number>): void {
    const port = find(this.bound.module.inputs, input, 'input');
    const { offset, length } = this.range(port);
    if (values.length * 4 !== length)
      throw new Error(`the input ${input} takes ${length / 4} values, got ${values.length}`);
    this.host.write(this.memory, offset, toWords(port.type.element, values));
    if (!port.varying) this.prepared = false;
  }

  /**
   * Joins in doubt are rare, and what forms their results once more is as many dispatches as an axis has parts: a run leaves
   * them out, and is made again with them where one of its joins was in doubt.
   */
  async run(options: RunOptions = {}): Promise<void> {
    await this.encode();
    this.hasRun = false;
    const isTrusted = this.doubtful;
    this.doubtful = await this.attempt(isTrusted, options);
    if (this.doubtful && !isTrusted) await this.attempt(true, options);
    this.prepared = true;
    this.hasRun = true;
  }

  /** All steps, with or without what joins in doubt ask for; whether one was. */
  private async attempt(withAgain: boolean, { cancel, times = 1 }: RunOptions): Promise<boolean> {
    const { prepare, run } = this.encoded!;
    const prompt = this.promptResults();
    let first = true;
    let doubtful = false;
    for (const batch of this.batches(this.prepared ? [] : prepare, run, times, withAgain)) {
      heed(cancel);
      const started = performance.now();
      const { fault, doubt, reads } = await this.host.submit({
        memory: this.memory,
        dispatches: batch.dispatches,
        clearFault: first,
        reads: batch.last ? prompt.map((port) => this.range(port)) : [],
      });
      this.pace.observe(batch.work, performance.now() - started);
      first = false;
      doubtful = doubt;
      // A fault of numbers that do not count is none.
      if (doubtful && !withAgain) break;
      if (fault) throw this.faultError(fault);
      this.prompt = new Map(prompt.map((port, i) => [port.name, reads[i]!]));
    }
    return doubtful;
  }

  async read(result: string): Promise<HostArray> {
    const port = find(this.bound.module.results, result, 'result');
    if (!this.hasRun) throw new Error(`${result} is read before the program has run`);
    const known = this.prompt.get(result);
    if (known) return fromWords(port.type.element, known);
    const { reads } = await this.host.submit({
      memory: this.memory,
      dispatches: new Int32Array(0),
      clearFault: false,
      reads: [this.range(port)],
    });
    return fromWords(port.type.element, reads[0]!);
  }

  release(): void {
    this.host.free(this.memory);
  }

  /** The dispatches in groups that take no longer than the pace allows; the last one is there even when empty. */
  private *batches(
    prepare: readonly EncodedStep[],
    run: readonly EncodedStep[],
    times: number,
    withAgain: boolean,
  ): Generator<{ dispatches: Int32Array<ArrayBuffer>; work: number; last: boolean }> {
    let words: number[] = [];
    let work = 0;
    for (const dispatch of unrolled([...prepare, { count: times, body: run }], withAgain)) {
      if (words.length > 0 && work + dispatch.work > this.encodedBudget) {
        yield { dispatches: Int32Array.from(words), work, last: false };
        words = [];
        work = 0;
      }
      words.push(this.pipelines.get(dispatch.wgsl)!, dispatch.block, ...dispatch.groups);
      work += dispatch.work;
    }
    yield { dispatches: Int32Array.from(words), work, last: true };
  }

  private promptResults(): Port[] {
    let bytes = 0;
    return this.bound.module.results.filter((port) => {
      const { length } = this.range(port);
      if (bytes + length > promptBytes) return false;
      bytes += length;
      return true;
    });
  }

  private range({ buffer, type }: Port): ByteRange {
    const { offsets, sizes } = this.bound;
    return { offset: offsets[buffer]!, length: 4 * sizeValue(sizeProduct(type.shape), sizes) };
  }

  private faultError({ step: number, element }: { step: number; element: number }): Fault {
    const { message, origin } = faultMessage(this.bound.module, number, element);
    return new Fault(message, origin, element);
  }
}

function find<P extends Port>(ports: readonly P[], name: string, what: string): P {
  const port = ports.find((candidate) => candidate.name === name);
  if (!port) throw new Error(`the program has no ${what} ${name}`);
  return port;
}

function toWords(element: ElementType, values: ArrayLike<number>): Uint32Array<ArrayBuffer> {
  if (element === 'real') return new Uint32Array(Float32Array.from(values).buffer);
  if (element === 'int') return new Uint32Array(Int32Array.from(values).buffer);
  return Uint32Array.from(values, (value) => (value === 0 ? 0 : 1));
}

function fromWords(element: ElementType, bytes: ArrayBuffer): HostArray {
  if (element === 'real') return Float64Array.from(new Float32Array(bytes));
  if (element === 'int') return new Int32Array(bytes.slice(0));
  return Uint8Array.from(new Uint32Array(bytes));
}
