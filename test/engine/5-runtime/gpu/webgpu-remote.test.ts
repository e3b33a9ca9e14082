/** The two halves of a remote GPU over a MessageChannel, the far one in this thread on dawn.node. */
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { ProgramBuilder } from '../../../../engine/0-ir/builder.ts';
import { DeviceLost, OutOfMemory } from '../../../../engine/0-ir/errors.ts';
import { arrayType } from '../../../../engine/0-ir/types.ts';
import { windowGone, type GpuPort } from '../../../../engine/5-runtime/gpu/protocol.ts';
import { webGpuDevice } from '../../../../engine/5-runtime/gpu/webgpu-device.ts';
import { nodeGpu } from '../../../../engine/5-runtime/gpu/webgpu-node.ts';
import { connectGpu } from '../../../../engine/5-runtime/gpu/webgpu-remote.ts';
import { serveGpu } from '../../../../engine/5-runtime/gpu/webgpu-serve.ts';
import { gpuTest } from '../../../support/gpu.ts';

const asPort = (port: MessagePort): GpuPort => port as unknown as GpuPort;

function squares() {
  const b = new ProgramBuilder();
  const x = b.parameter('x', arrayType('real', ['n']));
  return b.finish({ y: b.apply('mul', x, x) });
}

gpuTest('a device whose GPU is behind a port computes the same', async () => {
  const { port1, port2 } = new MessageChannel();
  serveGpu(asPort(port2), await nodeGpu());
  const device = webGpuDevice(await connectGpu(asPort(port1)));
  const executable = await device.load(squares());
  const instance = await executable.bind({ n: 1000 });
  const x = Array.from({ length: 1000 }, (_, i) => i - 500);
  instance.write('x', x);
  await instance.run();
  expect([...(await instance.read('y'))]).toEqual(x.map((v) => v * v));
  await expect(Promise.resolve(executable.bind({ n: 2 ** 33 }))).rejects.toBeInstanceOf(OutOfMemory);
  const farEnd = new Promise((resolve) => port2.once('close', resolve));
  device.close();
  device.close();
  await expect(instance.run()).rejects.toBeInstanceOf(DeviceLost);
  // The port closes when the far side has, so that nothing keeps the process alive.
  await farEnd;
});

gpuTest('when the window goes, what was asked of it fails', async () => {
  const { port1, port2 } = new MessageChannel();
  serveGpu(asPort(port2), await nodeGpu());
  const device = webGpuDevice(await connectGpu(asPort(port1)));
  const executable = await device.load(squares());
  const binding = Promise.resolve(executable.bind({ n: 3 }));
  port2.close();
  await expect(binding).rejects.toThrow('the window with the GPU has gone');
  await expect(async () => executable.bind({ n: 3 })).rejects.toBeInstanceOf(DeviceLost);
});

test('a window without WebGPU says so', async () => {
  const { port1, port2 } = new MessageChannel();
  serveGpu(asPort(port2), undefined);
  await expect(connectGpu(asPort(port1))).rejects.toThrow('this window has no WebGPU');
  port1.close();
});

test('what is no request is refused where it arrives', () => {
  const { port1, port2 } = new MessageChannel();
  const port = asPort(port2);
  serveGpu(port, undefined);
  for (const data of [null, {}, { id: 1, call: { method: 'eval', texts: [] } }, { id: -1, call: { method: 'open' } }])
    expect(() => port.onmessage?.({ data })).toThrow();
  port1.close();
});

test('a window that has died owes nothing, and may come back', async () => {
  const { port1, port2 } = new MessageChannel();
  const opening = connectGpu(asPort(port1)).catch((error: unknown) => error);
  port2.postMessage(windowGone);
  const error = await opening;
  expect(error).toBeInstanceOf(DeviceLost);
  expect((error as DeviceLost).mayReturn).toBe(true);
  port2.close();
});
