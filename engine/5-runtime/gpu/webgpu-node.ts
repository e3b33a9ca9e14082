/**
 * The GPU in Node, by dawn.node (npm `webgpu`). Only this file imports it, and only when called, so that bundles for
 * pages and for Electron leave it out.
 */
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { DeviceLost } from '../../0-ir/errors.ts';
import { describeAdapter } from './adapter.ts';
import { openLocalGpu } from './host-local.ts';
import type { GpuHost } from './host.ts';
import { hasVulkanDriver } from './vulkan-drivers.ts';

export interface WebGpuProbe {
  readonly usable: boolean;
  readonly name: string;
  /** A CPU in disguise: right for tests, slower than the CPU backend. */
  readonly software: boolean;
  /** One sentence. */
  readonly why: string;
}

/** Where Chromium and its relatives keep their software driver and a Vulkan loader. */
const softwareFolders = [
  '/usr/lib/chromium',
  '/usr/lib64/chromium-browser',
  '/opt/google/chrome',
  '/opt/chromium.org/chromium',
];
const softwareDriver = 'vk_swiftshader_icd.json';
const loaderName = 'libvulkan.so.1';
/**
 * No kernel reads workgroup memory that it has not written. SwiftShader's compiler writes a store for every word that is to
 * be zero: 12 s for the 14 KiB of a sort, 1 s without.
 */
const dawnFeatures = 'disable_workgroup_init';
/** dlopen's flag that keeps a library loaded after its handle is closed. */
const keepLoaded = 0x1000;

/** dawn.node must stay referenced: collected, it takes the process down. */
let gpu: Promise<GPU> | undefined;

/**
 * Lets Vulkan find Chromium's software driver on a Linux machine without one of its own. A worker thread has its own
 * copy of the environment, which the driver's loader does not see: call this on the main thread before starting one.
 */
export function prepareGpuEnvironment(): void {
  if (process.platform !== 'linux' || process.env.VK_DRIVER_FILES || process.env.VK_ICD_FILENAMES) return;
  if (hasVulkanDriver()) return;
  const folder = softwareFolders.find((candidate) => existsSync(join(candidate, softwareDriver)));
  if (folder) process.env.VK_DRIVER_FILES = join(folder, softwareDriver);
}

/** Throws where there is no adapter. */
export async function openNodeGpu(): Promise<GpuHost> {
  return openLocalGpu(await nodeGpu());
}

export async function probeWebGpu(): Promise<WebGpuProbe> {
  const none = { usable: false, name: 'WebGPU', software: false };
  try {
    const adapter = await (await nodeGpu()).requestAdapter({ powerPreference: 'high-performance' });
    if (!adapter) return { ...none, why: 'No graphics driver offers WebGPU an adapter.' };
    const { name, software } = await describeAdapter(adapter);
    const why = software
      ? `${name} computes on the CPU, more slowly than the CPU backend: good for tests, passed over by auto.`
      : `${name} is a GPU; it computes in f32.`;
    return { usable: true, name, software, why };
  } catch (error) {
    return { ...none, why: `${error instanceof Error ? error.message : String(error)}.` };
  }
}

/** WebGPU itself, as a page has it in `navigator.gpu`. Throws where there cannot be any. */
export function nodeGpu(): Promise<GPU> {
  gpu ??= createGpu();
  return gpu;
}

async function createGpu(): Promise<GPU> {
  prepareGpuEnvironment();
  if (process.platform === 'linux' && !loadVulkan())
    throw new DeviceLost(`WebGPU needs Vulkan, and its loader ${loaderName} is not installed`);
  const { create } = await import('webgpu');
  return create([`enable-dawn-features=${dawnFeatures}`]);
}

/** Dawn looks its loader up by name: one that is loaded already is found wherever its file lies. */
function loadVulkan(): boolean {
  return [loaderName, ...softwareFolders.map((folder) => join(folder, loaderName))].some((file) => {
    try {
      process.dlopen({ exports: {} }, file, constants.dlopen.RTLD_NOW | keepLoaded);
      return true;
    } catch (error) {
      // No Node module, so Node complains after having loaded it.
      return (error as Error).message.includes('did not self-register');
    }
  });
}
