/** A worker thread as it is built: what it answers, and in what order. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { decode } from '../../../src-main/contract/codec.ts';
import type { Message } from '../../../src-main/contract/contract.ts';
import { startWorker } from '../../../src-main/engine-process/worker-thread.ts';

const root = join(import.meta.dirname, '../../..');
const bundle = join(root, 'out', 'cli', 'worker.mjs');

it.skipIf(!existsSync(bundle))('a GPU that does not answer holds up nothing', async () => {
  // Who has the GPU never says so.
  const { port1: silent, port2: gpu } = new MessageChannel();
  const answered = await new Promise<Message>((resolve, reject) => {
    const worker = startWorker(
      bundle,
      { catalogue: join(root, 'models', 'catalogue'), gpu },
      { message: (message) => void worker.end().then(() => resolve(message)), died: reject },
    );
    worker.send({ type: 'request', message: { type: 'request', id: 1, name: 'devices.list', body: {} } });
    worker.send({ type: 'request', message: { type: 'request', id: 2, name: 'model.read', body: { document: {} } } });
  });
  silent.close();
  expect(answered).toMatchObject({ type: 'packed', id: 2 });
  expect(decode((answered as { frame: Uint8Array }).frame)).toHaveProperty('problems');
});
