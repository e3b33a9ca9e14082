/**
 * A GPUDevice that all hosts of its process share while one of them is open: each kernel is compiled once, whichever of the
 * engine's workers asks for it, and a loss is a loss to all.
 */
import { DeviceLost } from '../../0-ir/errors.ts';
import { describeAdapter } from './adapter.ts';
import type { PipelineId } from './host.ts';

// The global GPUShaderStage exists in pages only.
const computeStage = 0x04;

const shared = new WeakMap<GPU, Promise<SharedDevice>>();

/** Enters the device, which is opened where nobody has. Throws where the browser or driver offers no adapter. */
export async function enterDevice(gpu: GPU): Promise<SharedDevice> {
  const opened = shared.get(gpu);
  const known = await opened?.catch(() => undefined);
  if (known && !known.lost) return known.enter();
  // Whoever has waited beside us may have opened another by now.
  if (shared.get(gpu) !== opened) return enterDevice(gpu);
  const opening = openDevice(gpu);
  shared.set(gpu, opening);
  return (await opening).enter();
}

async function openDevice(gpu: GPU): Promise<SharedDevice> {
  const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' });
  if (!adapter) throw new DeviceLost('there is no WebGPU adapter');
  const { maxStorageBufferBindingSize, maxBufferSize } = adapter.limits;
  const device = await adapter.requestDevice({ requiredLimits: { maxStorageBufferBindingSize, maxBufferSize } });
  return new SharedDevice(device, await describeAdapter(adapter));
}

/** A device, the kernels that it has compiled, and whether it is lost: to all that share it, or to none. */
export class SharedDevice {
  readonly device: GPUDevice;
  readonly about: { readonly name: string; readonly software: boolean };
  readonly layout: GPUBindGroupLayout;
  readonly pipelines: GPUComputePipeline[] = [];
  lost: DeviceLost | undefined;
  private readonly pipelineLayout: GPUPipelineLayout;
  private readonly pipelineOf = new Map<string, Promise<PipelineId>>();
  private hosts = 0;

  constructor(device: GPUDevice, about: { name: string; software: boolean }) {
    this.device = device;
    this.about = about;
    void device.lost.then(({ message, reason }) => this.lose(reason === 'destroyed' ? 'it was closed' : message));
    // What no scope has caught is a mistake of ours; nothing that follows may be trusted.
    device.addEventListener('uncapturederror', (event) => this.lose(event.error.message));
    const entry = (binding: number, buffer: GPUBufferBindingLayout): GPUBindGroupLayoutEntry => ({
      binding,
      visibility: computeStage,
      buffer,
    });
    this.layout = device.createBindGroupLayout({
      entries: [
        entry(0, { type: 'uniform', hasDynamicOffset: true }),
        entry(1, { type: 'storage' }),
        entry(2, { type: 'storage' }),
      ],
    });
    this.pipelineLayout = device.createPipelineLayout({ bindGroupLayouts: [this.layout] });
  }

  compile(texts: readonly string[]): Promise<PipelineId[]> {
    return Promise.all(
      texts.map((text) => {
        const known = this.pipelineOf.get(text) ?? this.compileOne(text);
        this.pipelineOf.set(text, known);
        return known;
      }),
    );
  }

  private async compileOne(code: string): Promise<PipelineId> {
    this.assertAlive();
    const { device, pipelineLayout: layout } = this;
    device.pushErrorScope('validation');
    const module = device.createShaderModule({ code });
    const invalid = device.popErrorScope();
    const compiling = device.createComputePipelineAsync({ layout, compute: { module, entryPoint: 'main' } });
    // Why the text is refused is worth more than that no pipeline can be made of it.
    const pipeline = await compiling.catch(async (error: Error) => {
      this.assertAlive();
      throw new Error(`the GPU's driver refuses a kernel: ${((await invalid) ?? error).message}`, { cause: error });
    });
    return this.pipelines.push(pipeline) - 1;
  }

  enter(): this {
    this.hosts++;
    return this;
  }

  /** Whoever has entered leaves once; the last closes it. */
  leave(): void {
    this.hosts--;
    if (this.hosts > 0) return;
    this.lose('it was closed');
    this.device.destroy();
  }

  lose(why: string): void {
    this.lost ??= new DeviceLost(`the GPU ${this.about.name} is lost: ${why}`);
  }

  assertAlive(): void {
    if (this.lost) throw this.lost;
  }
}
