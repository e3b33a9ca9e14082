import type { EventBody, EventName, Message } from './contract.ts';

/** One end of a connection that carries messages: a MessagePort, a WebSocket, a process's channel. */
export interface Endpoint {
  send(message: Message): void;
  /** There is one listener; messages that came before it was set are kept for it. */
  listen(receive: (message: unknown) => void): void;
}

/** The element of the page that says, once, where the browser host has its socket. */
export const placeMeta = 'cotangent-place';

/** Sends an event to the renderer. */
export type Emit = <N extends EventName>(name: N, body: EventBody<N>) => void;

/** What the desktop's preload script posts to the page with a port: to whom it leads. */
export interface PortOffer {
  readonly cotangentPort: 'host' | 'engine';
}
