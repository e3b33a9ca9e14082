/** A GPU that hangs, held against a driver that never answers. */
import { afterEach, expect, test, vi } from 'vitest';
import { DeviceLost } from '../../../../engine/0-ir/errors.ts';
import { openLocalGpu } from '../../../../engine/5-runtime/gpu/host-local.ts';

const nothing = (): void => {};
const never = (): Promise<never> => new Promise(nothing);
const limits = { maxStorageBufferBindingSize: 1024, maxBufferSize: 1024 };

/** Takes everything, and never maps a buffer. */
function hanging(): { gpu: GPU; destroyed: () => boolean } {
  let isDestroyed = false;
  const device = {
    ...{ limits, lost: never(), queue: { submit: nothing, writeBuffer: nothing }, addEventListener: nothing },
    ...{ createBindGroupLayout: nothing, createPipelineLayout: nothing, createBindGroup: nothing },
    ...{ pushErrorScope: nothing, popErrorScope: () => Promise.resolve(null) },
    createBuffer: ({ size }: GPUBufferDescriptor) => ({ size, mapAsync: never, destroy: nothing }),
    createCommandEncoder: () => ({ clearBuffer: nothing, copyBufferToBuffer: nothing, finish: nothing }),
    destroy: () => void (isDestroyed = true),
  };
  const info = { description: 'Slow Card', isFallbackAdapter: false };
  const adapter = { limits, info, requestDevice: () => Promise.resolve(device) };
  return {
    gpu: { requestAdapter: () => Promise.resolve(adapter) } as unknown as GPU,
    destroyed: () => isDestroyed,
  };
}

afterEach(() => void vi.useRealTimers());

test('a GPU that does not answer for a minute is given up, and says so from then on', async () => {
  vi.useFakeTimers();
  const { gpu, destroyed } = hanging();
  const host = await openLocalGpu(gpu);
  const memory = await host.allocate(16);
  const run = host.submit({ memory, dispatches: new Int32Array(0), clearFault: true, reads: [] });
  const outcome = expect(run).rejects.toThrow('the GPU Slow Card is lost: it has not answered for 60 s');
  await vi.advanceTimersByTimeAsync(59_000);
  expect(host.gone).toBeUndefined();
  await vi.advanceTimersByTimeAsync(2_000);
  await outcome;
  expect(destroyed()).toBe(true);
  expect(host.gone).toBe('the GPU Slow Card is lost: it has not answered for 60 s');
  await expect(host.allocate(16)).rejects.toThrow(DeviceLost);
});
