import type { MessagePortMain } from 'electron';
import type { Endpoint } from '../contract/endpoint.ts';

/** One end of a MessagePort as Electron's main process and utility processes have it. */
export function portEndpoint(port: MessagePortMain): Endpoint {
  return {
    send: (message) => port.postMessage(message),
    listen: (receive) => {
      port.on('message', (event) => receive(event.data));
      port.start();
    },
  };
}
