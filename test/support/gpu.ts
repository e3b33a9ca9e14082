/**
 * The GPU that tests run on: in Node by dawn.node, mostly on SwiftShader. Without any adapter the tests that ask for it
 * are skipped, and say so.
 */
import { afterAll, test } from 'vitest';
import type { GpuHost } from '../../engine/5-runtime/gpu/host.ts';
import { openNodeGpu, probeWebGpu } from '../../engine/5-runtime/gpu/webgpu-node.ts';
import { randomFrom } from '../../engine/6-fit/ensembles/random.ts';
import { seed } from './seed.ts';
import { emulatedGpu } from './wgsl/emulated-host.ts';

const probe = await probeWebGpu();
const host: GpuHost | undefined = probe.usable ? await openNodeGpu() : undefined;
if (!host) console.warn(`tests on WebGPU are skipped: ${probe.why}`);
afterAll(() => host?.close());

/** A test that is given a GPU. */
export function gpuTest(name: string, body: (host: GpuHost) => Promise<void>, timeout?: number): void {
  test.skipIf(!host)(name, () => body(host!), timeout);
}

/** The same on an emulated GPU, which is everywhere and finds races, and on the one that is here, if any. */
export function anyGpuTest(name: string, body: (host: GpuHost) => Promise<void>): void {
  const random = randomFrom(seed);
  test(`${name}, emulated`, () => body(emulatedGpu(() => random.uniform())));
  gpuTest(name, body);
}
