/** One browser page's connection: a WebSocket, joined to the host's handlers and to an engine process of its own. */
import type { RawData, WebSocket } from 'ws';
import { decode, encode } from '../contract/codec.ts';
import { isEngineRequest } from '../contract/contract.ts';
import type { Message } from '../contract/contract.ts';
import type { PageEnd } from '../files/desk.ts';
import { emitter, malformed, parseRequest, refusal, serve } from '../router.ts';
import type { Handlers } from '../router.ts';
import { createEngineChild } from './engine-child.ts';
import type { EngineChildOptions } from './engine-child.ts';

function bytes(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}

function decoded(data: RawData): unknown {
  try {
    return decode(bytes(data));
  } catch {
    return undefined;
  }
}

export function joinPage(
  socket: WebSocket,
  handlersOf: (page: PageEnd, restartEngine: () => void) => Partial<Handlers>,
  engineOptions: EngineChildOptions,
): void {
  const endpoint = {
    send: (message: Message) => {
      if (socket.readyState === socket.OPEN) socket.send(encode(message));
    },
  };
  /** What the engine owes an answer. */
  const asked = new Set<number>();
  const engine = createEngineChild(engineOptions, {
    // The engine process is ours, and the page checks every body.
    message: (message) => {
      const passed = message as Message;
      if (passed.type !== 'event' && passed.type !== 'request') asked.delete(passed.id);
      endpoint.send(passed);
    },
    died: (reason) => {
      for (const id of asked) endpoint.send(refusal(id, new Error('the engine ended.')));
      asked.clear();
      emitter(endpoint)('engine.restarted', { reason });
    },
  });

  const page = { emit: emitter(endpoint), onEnd: (call: () => void) => void socket.once('close', call) };
  const handlers = handlersOf(page, () => engine.again());

  socket.on('message', (data) => {
    const message = decoded(data);
    const request = parseRequest(message);
    if (!request) endpoint.send(malformed(message));
    else if (isEngineRequest(request.name)) {
      asked.add(request.id);
      engine.send(request);
    } else void serve(endpoint, handlers, request);
  });
  socket.on('close', () => engine.end());
  socket.on('error', () => socket.terminate());
}
