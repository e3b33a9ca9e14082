/**
 * The engine process: Electron's utilityProcess on the desktop, a forked Node process under `serve`.
 *
 *     argv: the worker's bundle, the catalogue's folder, that of imported tables, folders that may be read …
 *
 * On the desktop the parent passes the window's port (and the GPU window's) and grants folders as the user opens files;
 * under `serve` the contract's messages come over the process's own channel.
 */
import type { MessagePortMain } from 'electron';
import { MessageChannel } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { portEndpoint } from './port-endpoint.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { windowGone } from '../../engine/index.ts';
import { catchFaults } from '../faults/catch.ts';
import { note } from '../faults/log.ts';
import { watchMemory } from '../faults/memory.ts';
import { emitter } from '../router.ts';
import { runEngine } from './engine.ts';
import type { Engine } from './engine.ts';
import { createGrants } from '../files/locations.ts';
import { type FromEngine, readToEngine } from './main-protocol.ts';
import { startAhead } from './worker-slot.ts';
import { startWorker } from './worker-thread.ts';

const [workerPath = '', catalogue = '', imports = '', ...folders] = process.argv.slice(2);
// Whoever started it starts another and tells the window; what it computed is gone, and nothing else.
catchFaults('engine', () => process.exit(1));

/** Of the page that is connected now. */
let warn: (message: string) => void = () => undefined;
watchMemory((message) => warn(message));

const grants = createGrants();
for (const folder of folders) grants.grant(folder);

// Absent outside Electron, whatever its types say.
const parent = process.parentPort as typeof process.parentPort | undefined;

const tellParent = (message: FromEngine): void => parent?.postMessage(message);

/** Ports of workers that wait for theirs to the GPU window. */
const unjoined: MessagePort[] = [];

/** Those that have one. */
const joined = new Set<MessagePort>();

/**
 * Where a worker thread asks for ports to the GPU window, one after the other as windows die. Electron's own cannot be
 * passed to a thread, so what passes is a Node port that is joined to one of Electron's as soon as it comes.
 */
function gpuBroker(): MessagePort {
  const { port1: ours, port2: theirs } = new MessageChannel();
  ours.on('message', () => {
    const { port1: near, port2: far } = new MessageChannel();
    unjoined.push(near);
    tellParent({ type: 'want-gpu' });
    ours.postMessage(far, [far]);
  });
  return theirs;
}

function join(node: MessagePort, electron: MessagePortMain): void {
  joined.add(node);
  electron.on('message', (event) => node.postMessage(event.data));
  electron.on('close', () => node.close());
  node.on('message', (data) => electron.postMessage(data));
  node.on('close', () => {
    joined.delete(node);
    electron.close();
  });
  electron.start();
}

const start = startAhead((events) =>
  startWorker(workerPath, { catalogue, imports, ...(parent && { gpu: gpuBroker() }) }, events),
);

function run(endpoint: Endpoint): Engine {
  const emit = emitter(endpoint);
  warn = (message) => emit('engine.notice', { message });
  return runEngine({ endpoint, startWorker: start, mayRead: grants.mayRead });
}

if (parent) {
  parent.on('message', ({ data, ports: [port] }: { data: unknown; ports: MessagePortMain[] }) => {
    const message = readToEngine(data, (sentence) => note('engine', sentence));
    switch (message?.type) {
      case undefined:
        // Whoever holds its other end hears that nobody listens.
        port?.close();
        return;
      case 'connect':
        if (port) {
          const engine = run(portEndpoint(port));
          // The window was reloaded or closed: nobody waits for what still runs.
          port.on('close', () => void engine.end());
        }
        return;
      case 'gpu': {
        const node = unjoined.shift();
        if (node && port) join(node, port);
        return;
      }
      case 'gpu-gone':
        for (const node of joined) {
          node.postMessage(windowGone);
          node.close();
        }
        return;
      case 'grant':
        grants.grant(message.folder);
        tellParent({ type: 'granted', id: message.id });
    }
  });
} else {
  run({
    send: (message) => process.send?.(message),
    listen: (receive) => process.on('message', receive),
  });
  process.on('disconnect', () => process.exit(0));
}
