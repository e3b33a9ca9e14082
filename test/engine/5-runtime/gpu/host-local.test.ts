/** What hosts on one GPU share, and a GPU that hangs, held against a driver that never answers. */
import { afterEach, expect, test, vi } from 'vitest';
import { DeviceLost } from '../../../../engine/0-ir/errors.ts';
import { openLocalGpu } from '../../../../engine/5-runtime/gpu/host-local.ts';

const nothing = (): void => {};
const never = (): Promise<never> => new Promise(nothing);
const limits = { maxStorageBufferBindingSize: 1024, maxBufferSize: 1024 };

/** Takes everything, and never maps a buffer. */
function hanging(): { gpu: GPU; destroyed: () => boolean; opened: () => number; compiled: () => number } {
  let isDestroyed = false;
  let opened = 0;
  let compiled = 0;
  const device = {
    ...{ limits, lost: never(), queue: { submit: nothing, writeBuffer: nothing }, addEventListener: nothing },
    ...{ createBindGroupLayout: nothing, createPipelineLayout: nothing, createBindGroup: nothing },
    ...{ pushErrorScope: nothing, popErrorScope: () => Promise.resolve(null) },
    createBuffer: ({ size }: GPUBufferDescriptor) => ({ size, mapAsync: never, destroy: nothing }),
    createShaderModule: nothing,
    createComputePipelineAsync: () => Promise.resolve(++compiled),
    createCommandEncoder: () => ({ clearBuffer: nothing, copyBufferToBuffer: nothing, finish: nothing }),
    destroy: () => void (isDestroyed = true),
  };
  const info = { description: 'Slow Card', isFallbackAdapter: false };
  const adapter = { limits, info, requestDevice: () => Promise.resolve((opened++, device)) };
  return {
    gpu: { requestAdapter: () => Promise.resolve(adapter) } as unknown as GPU,
    destroyed: () => isDestroyed,
    opened: () => opened,
    compiled: () => compiled,
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

test('hosts on one GPU compile each kernel once between them, and close its device with the last', async () => {
  const { gpu, destroyed, opened, compiled } = hanging();
  const [one, other] = await Promise.all([openLocalGpu(gpu), openLocalGpu(gpu)]);
  const [[a, b], [c, d]] = await Promise.all([one.compile(['first', 'second']), other.compile(['second', 'third'])]);
  expect({ opened: opened(), compiled: compiled(), same: b === c, others: new Set([a, b, d]).size }).toEqual({
    ...{ opened: 1, compiled: 3, same: true, others: 3 },
  });
  const memory = await one.allocate(16);
  await expect(other.submit({ memory, dispatches: new Int32Array(0), clearFault: true, reads: [] })).rejects.toThrow(
    'the GPU has no memory 1: it was released',
  );
  one.close();
  one.close();
  expect({ destroyed: destroyed(), one: one.gone, other: other.gone }).toEqual({
    ...{ destroyed: false, one: 'the GPU Slow Card is lost: it was closed', other: undefined },
  });
  await expect(one.allocate(16)).rejects.toThrow(DeviceLost);
  await other.allocate(16);
  other.close();
  expect(destroyed()).toBe(true);

  // Whoever comes later opens it anew.
  const later = await openLocalGpu(gpu);
  expect({ opened: opened(), gone: later.gone }).toEqual({ opened: 2, gone: undefined });
});
