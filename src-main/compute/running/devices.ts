/** The devices of this process, and the choice among them. */
import { cpus } from 'node:os';
import type { MessagePort } from 'node:worker_threads';
import {
  connectGpu,
  cpuDevice,
  distrust,
  type Device,
  DeviceLost,
  type GpuHost,
  type GpuPort,
  inPieces,
  type Precision,
  openNodeGpu,
  referenceDevice,
  webGpuDevice,
} from '../../../engine/index.ts';
import type { RequestOutput } from '../../contract/contract.ts';
import type { DeviceChoice } from '../../device-choice.ts';
import { threadsOfEnvironment } from '../../settings.ts';
import { Refused } from '../../refused.ts';
import { GpuLost } from './refusals.ts';

/** Where and how to compute: `auto` and f64 unless said. */
export interface ComputeOptions {
  readonly device?: DeviceChoice | undefined;
  readonly precision?: Precision | undefined;
}

export type DeviceReport = RequestOutput<'devices.list'>[number];

export interface Devices {
  /** `elements` is how many values the work goes over: little work stays on the CPU. Throws `Refused` where a device is not to be had. */
  choose(options: ComputeOptions, elements: number): Promise<Device>;
  /** What there is, with the reason for each why it is taken or passed over by `auto`. */
  list(): Promise<DeviceReport[]>;
  close(): void;
}

const threadsOfUser = () => {
  const threads = threadsOfEnvironment();
  return threads === undefined ? {} : { threads };
};

/** Below so many values a GPU's round trip costs more than it saves. */
const leastGpuElements = 2 ** 20;

/** `isLost`: it was there, and may be had again. */
type Gpu = { readonly host: GpuHost } | { readonly why: string; readonly isLost: boolean };

/** A way to whoever has the GPU: each is a new one. */
export type OpenGpuPort = () => Promise<MessagePort>;

function missing(error: unknown): Gpu {
  return {
    why: error instanceof Error ? error.message : String(error),
    isLost: error instanceof DeviceLost && error.mayReturn,
  };
}

async function openGpu(openPort: OpenGpuPort | undefined): Promise<Gpu> {
  try {
    return { host: openPort ? await connectGpu((await openPort()) as unknown as GpuPort) : await openNodeGpu() };
  } catch (error) {
    return missing(error);
  }
}

/** The GPU, if it is still there and its kernels have been found to compute rightly. */
async function trusted(gpu: Gpu): Promise<Gpu> {
  if (!('host' in gpu)) return gpu;
  try {
    const why = await distrust(gpu.host);
    if (gpu.host.gone !== undefined) return { why: gpu.host.gone, isLost: true };
    return why === undefined ? gpu : { why, isLost: false };
  } catch (error) {
    return gpu.host.gone === undefined ? missing(error) : { why: gpu.host.gone, isLost: true };
  }
}

/** `openPort` leads to the window with the GPU on the desktop; without it Node's own WebGPU is used. */
export function createDevices(openPort?: OpenGpuPort): Devices {
  const opened = new Map<string, Device>();
  let gpu: Promise<Gpu> | undefined;
  /** Whether there has ever been one. */
  let was = false;

  const open = async (): Promise<Gpu> => {
    const found = await openGpu(openPort);
    was ||= 'host' in found;
    return 'host' in found ? found : { ...found, isLost: found.isLost || was };
  };
  const once = (key: string, open: () => Device): Device => {
    const device = opened.get(key) ?? open();
    opened.set(key, device);
    return device;
  };
  /**
   * One that is lost is opened again when it is next asked for. That there never was one counts until somebody wants to
   * know it: where the browser's GPU process has just died, there is none for a moment.
   */
  const findGpu = async (wanted: boolean): Promise<Gpu> => {
    const known = gpu;
    const found = await known;
    const isOver = found && ('host' in found ? found.host.gone !== undefined : found.isLost || wanted);
    if (known && gpu === known && isOver) {
      gpu = undefined;
      opened.get('webgpu')?.close();
      opened.delete('webgpu');
    }
    return (gpu ??= open());
  };
  /** One that is only good for tests is not tested before it is used. */
  const findRealGpu = async (wanted: boolean): Promise<Gpu> => {
    const found = await findGpu(wanted);
    return 'host' in found && found.host.software ? found : trusted(found);
  };
  const onGpu = (host: GpuHost): Device => once('webgpu', () => inPieces(webGpuDevice(host)));

  return {
    async choose({ device = 'auto', precision = 'f64' }, elements) {
      if (device === 'reference') return once('reference', referenceDevice);
      if (device === 'webgpu') {
        const found = await trusted(await findGpu(true));
        if ('host' in found) return onGpu(found.host);
        const message = `WebGPU is not to be had here: ${found.why}.`;
        throw found.isLost ? new GpuLost(message) : new Refused(message);
      }
      if (device === 'auto' && precision === 'f64' && elements >= leastGpuElements) {
        const found = await findRealGpu(false);
        if ('host' in found && !found.host.software) return onGpu(found.host);
      }
      return once(`cpu ${precision}`, () => inPieces(cpuDevice({ precision, ...threadsOfUser() })));
    },

    async list() {
      const found = await findRealGpu(true);
      const processor = cpus();
      const onCpu = (why: string): DeviceReport => ({
        kind: 'cpu',
        name: processor[0]?.model ?? 'CPU',
        usable: true,
        why,
      });
      const reference: DeviceReport = {
        kind: 'reference',
        name: 'plain interpreter',
        usable: true,
        why: 'Slow; the others are checked against it.',
      };
      if (!('host' in found)) {
        const webgpu: DeviceReport = {
          kind: 'webgpu',
          name: 'WebGPU',
          usable: false,
          why: `No GPU in use: ${found.why}.`,
        };
        return [onCpu('Everything is computed here in f64, since no GPU is to be had.'), webgpu, reference];
      }
      const { name, software } = found.host;
      const why = software
        ? 'Passed over: it computes on the CPU, more slowly than the CPU device; good for tests.'
        : `Taken for work on ${leastGpuElements.toLocaleString('en')} values and more, in f32.`;
      return [
        onCpu(
          software
            ? 'Everything is computed here in f64, since there is no real GPU.'
            : 'Taken for small work, in f64.',
        ),
        { kind: 'webgpu', name, usable: true, why },
        reference,
      ];
    },

    close() {
      for (const device of opened.values()) device.close();
      opened.clear();
      // A GPU that was only looked at.
      void gpu?.then((found) => 'host' in found && found.host.close());
    },
  };
}
