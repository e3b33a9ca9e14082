/** A GpuHost on a GPUDevice of this process, dawn.node's or a page's, that others may use too: its memory is its own. */
import { DeviceLost, OutOfMemory } from '../../0-ir/errors.ts';
import type { GpuHost, MemoryId, PipelineId, Submission, SubmissionResult } from './host.ts';
import { enterDevice, type SharedDevice } from './shared-device.ts';
import { StagingRing } from './staging.ts';

// The global GPUBufferUsage exists in pages only.
const usage = { copySource: 0x04, copyTarget: 0x08, uniform: 0x40, storage: 0x80 };
/** The step and the element of a fault, whether a join was in doubt, and a word to spare. */
const faultBytes = 16;
/** No submit is made to take longer than a twentieth of a second; one that takes this long hangs. */
const watchdogMilliseconds = 60_000;

interface Memory {
  readonly arena: GPUBuffer;
  readonly fault: GPUBuffer;
  blocks?: GPUBuffer;
  group?: GPUBindGroup;
}

/** Throws where the browser or driver offers no adapter. */
export async function openLocalGpu(gpu: GPU): Promise<GpuHost> {
  return new LocalGpuHost(await enterDevice(gpu));
}

class LocalGpuHost implements GpuHost {
  readonly name: string;
  readonly software: boolean;
  readonly maxArenaBytes: number;
  private readonly on: SharedDevice;
  private readonly staging: StagingRing;
  private readonly memories = new Map<MemoryId, Memory>();
  private nextMemory = 1;
  private closed: DeviceLost | undefined;

  constructor(on: SharedDevice) {
    this.on = on;
    this.name = on.about.name;
    this.software = on.about.software;
    const { maxStorageBufferBindingSize, maxBufferSize } = on.device.limits;
    this.maxArenaBytes = Math.min(maxStorageBufferBindingSize, maxBufferSize);
    this.staging = new StagingRing(on.device);
  }

  get gone(): string | undefined {
    return this.lost?.message;
  }

  compile(texts: readonly string[]): Promise<PipelineId[]> {
    return this.on.compile(texts);
  }

  async allocate(bytes: number): Promise<MemoryId> {
    this.assertAlive();
    if (bytes > this.maxArenaBytes) throw new OutOfMemory(bytes, this.maxArenaBytes);
    const { device } = this.on;
    device.pushErrorScope('out-of-memory');
    const arena = device.createBuffer({
      size: Math.max(16, Math.ceil(bytes / 16) * 16),
      usage: usage.storage | usage.copySource | usage.copyTarget,
    });
    const fault = device.createBuffer({ size: faultBytes, usage: usage.storage | usage.copySource | usage.copyTarget });
    if (await device.popErrorScope()) {
      arena.destroy();
      fault.destroy();
      throw new OutOfMemory(bytes, 0);
    }
    const id = this.nextMemory++;
    this.memories.set(id, { arena, fault });
    return id;
  }

  write(id: MemoryId, offset: number, words: Uint32Array<ArrayBuffer>): void {
    if (words.length > 0) this.on.device.queue.writeBuffer(this.memory(id).arena, offset, words);
  }

  setBlocks(id: MemoryId, blocks: Int32Array<ArrayBuffer>, blockBytes: number): void {
    const { device, layout } = this.on;
    const memory = this.memory(id);
    if (!memory.blocks || memory.blocks.size < blocks.byteLength) {
      memory.blocks?.destroy();
      memory.blocks = device.createBuffer({ size: blocks.byteLength, usage: usage.uniform | usage.copyTarget });
    }
    memory.group = device.createBindGroup({
      layout,
      entries: [
        { binding: 0, resource: { buffer: memory.blocks, size: blockBytes } },
        { binding: 1, resource: { buffer: memory.arena } },
        { binding: 2, resource: { buffer: memory.fault } },
      ],
    });
    device.queue.writeBuffer(memory.blocks, 0, blocks);
  }

  async submit({ memory: id, dispatches, clearFault, reads }: Submission): Promise<SubmissionResult> {
    this.assertAlive();
    const { device, pipelines } = this.on;
    const memory = this.memory(id);
    device.pushErrorScope('validation');
    const encoder = device.createCommandEncoder();
    if (clearFault) encoder.clearBuffer(memory.fault);
    if (dispatches.length > 0) {
      const pass = encoder.beginComputePass();
      let current: number | undefined;
      for (let at = 0; at < dispatches.length; at += 4) {
        const [pipeline, block, x, y] = dispatches.subarray(at, at + 4) as unknown as [number, number, number, number];
        if (pipeline !== current) pass.setPipeline(pipelines[pipeline]!);
        current = pipeline;
        pass.setBindGroup(0, memory.group, [block]);
        pass.dispatchWorkgroups(x, y);
      }
      pass.end();
    }
    const staging = this.staging.take(faultBytes + reads.reduce((sum, { length }) => sum + length, 0));
    encoder.copyBufferToBuffer(memory.fault, 0, staging, 0, faultBytes);
    let to = faultBytes;
    for (const { offset, length } of reads) {
      if (length > 0) encoder.copyBufferToBuffer(memory.arena, offset, staging, to, length);
      to += length;
    }
    device.queue.submit([encoder.finish()]);
    const invalid = device.popErrorScope();
    const bytes = await this.watched(this.staging.contents(staging, to));
    const error = await invalid;
    if (error) throw new Error(`the GPU's driver refuses a submission: ${error.message}`);
    this.assertAlive();
    const [step = 0, inverted = 0, doubt = 0] = new Uint32Array(bytes, 0, 3);
    let from = faultBytes;
    return {
      fault: step === 0 ? null : { step: step - 1, element: ~inverted >>> 0 },
      doubt: doubt !== 0,
      reads: reads.map(({ length }) => bytes.slice(from, (from += length))),
    };
  }

  free(id: MemoryId): void {
    const memory = this.memories.get(id);
    this.memories.delete(id);
    memory?.arena.destroy();
    memory?.fault.destroy();
    memory?.blocks?.destroy();
  }

  close(): void {
    if (this.closed) return;
    this.closed = new DeviceLost(`the GPU ${this.name} is lost: it was closed`);
    for (const id of [...this.memories.keys()]) this.free(id);
    this.staging.close();
    this.on.leave();
  }

  private memory(id: MemoryId): Memory {
    this.assertAlive();
    const memory = this.memories.get(id);
    if (!memory) throw new Error(`the GPU has no memory ${id}: it was released`);
    return memory;
  }

  private get lost(): DeviceLost | undefined {
    return this.closed ?? this.on.lost;
  }

  private assertAlive(): void {
    if (this.lost) throw this.lost;
  }

  /** The promise, or `DeviceLost` where the device is lost before it is kept, or hangs. */
  private async watched<T>(work: Promise<T>): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const hangs = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        this.on.lose(`it has not answered for ${watchdogMilliseconds / 1000} s`);
        this.on.device.destroy();
        reject(this.on.lost);
      }, watchdogMilliseconds);
    });
    try {
      return await Promise.race([work, hangs]);
    } catch (error) {
      // The reason of a loss comes by another promise, which may be kept a moment later.
      await Promise.race([this.on.device.lost, new Promise((resolve) => setTimeout(resolve, 100))]);
      this.assertAlive();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}
