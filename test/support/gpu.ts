/**
 * The GPU that tests run on: in Node by dawn.node, mostly on SwiftShader. Without any adapter the tests that ask for it
 * are skipped, and say so.
 */
import { afterAll, test } from 'vitest';
import type { GpuHost } from '../../engine/5-runtime/gpu/host.ts';
import { openNodeGpu, probeWebGpu } from '../../engine/5-runtime/gpu/webgpu-node.ts';

const probe = await probeWebGpu();
const host: GpuHost | undefined = probe.usable ? await openNodeGpu() : undefined;
if (!host) console.warn(`tests on WebGPU are skipped: ${probe.why}`);
afterAll(() => host?.close());

/** A test that is given a GPU. */
export function gpuTest(name: string, body: (host: GpuHost) => Promise<void>, timeout?: number): void {
  test.skipIf(!host)(name, () => body(host as GpuHost), timeout);
}
