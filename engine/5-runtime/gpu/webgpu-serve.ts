/** The GPU's half of a remote GPU: a page imports this and hands its port and `navigator.gpu`. */
import * as v from 'valibot';
import { DeviceLost } from '../../0-ir/errors.ts';
import { openLocalGpu } from './host-local.ts';
import type { GpuHost } from './host.ts';
import { gpuRequest, toFailure, type GpuCall, type GpuPort } from './protocol.ts';

/** Answers the port until it asks to close. `gpu` is undefined where the page has none. */
export function serveGpu(port: GpuPort, gpu: GPU | undefined): void {
  let opening: Promise<GpuHost> | undefined;
  // One after the other up to what each call itself waits for: calls take effect in the order in which they came.
  let turn: Promise<unknown> = Promise.resolve();

  const perform = async (call: GpuCall): Promise<unknown> => {
    if (!gpu) throw new DeviceLost('this window has no WebGPU');
    if (call.method === 'open') {
      opening ??= openLocalGpu(gpu);
      const { name, software, maxArenaBytes } = await opening;
      return { name, software, maxArenaBytes };
    }
    if (!opening) throw new DeviceLost('the GPU has not been opened');
    return serveCall(await opening, call);
  };

  // Whoever asked has gone without a word: its memory is of no use any more.
  port.addEventListener?.('close', () => void opening?.then((host) => host.close()).catch(() => {}));
  port.onmessage = ({ data }) => {
    const request = v.parse(gpuRequest, data);
    const { id, call } = request;
    turn = turn.then(async () => {
      try {
        port.postMessage({ id, value: await perform(call) });
      } catch (error) {
        port.postMessage({ id, error: toFailure(error) });
      }
    });
  };
}

function serveCall(host: GpuHost, call: Exclude<GpuCall, { method: 'open' }>): unknown {
  switch (call.method) {
    case 'compile':
      return host.compile(call.texts);
    case 'allocate':
      return host.allocate(call.bytes);
    case 'write':
      return host.write(call.memory, call.offset, call.words);
    case 'setBlocks':
      return host.setBlocks(call.memory, call.blocks, call.blockBytes);
    case 'submit':
      return host.submit(call);
    case 'free':
      return host.free(call.memory);
    case 'close':
      return host.close();
  }
}
