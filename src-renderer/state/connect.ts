/** Connects the window to what is behind it: two ports on the desktop (host and engine), one WebSocket in a browser. */
import { decode, encode } from '../../src-main/codec.ts';
import { isEngineRequest } from '../../src-main/contract.ts';
import type { Client, Message, RequestName } from '../../src-main/contract.ts';
import type { Endpoint, PortOffer } from '../../src-main/endpoint.ts';
import { createConnection } from './client.ts';
import type { Connection } from './client.ts';

/** How long to wait before a lost WebSocket is opened again. */
const reconnectMilliseconds = 1000;

function isPortOffer(data: unknown): data is PortOffer {
  return typeof data === 'object' && data !== null && Object.hasOwn(data, 'cotangentPort');
}

function portEndpoint(port: MessagePort): Endpoint {
  return {
    send: (message: Message) => port.postMessage(message),
    listen: (receive) => {
      // Setting onmessage starts the port.
      port.onmessage = (event) => receive(event.data);
    },
  };
}

function connectDesktop(connection: Connection): void {
  const serves = {
    host: (name: RequestName) => !isEngineRequest(name),
    engine: isEngineRequest,
  };
  window.addEventListener('message', (event) => {
    const [port] = event.ports;
    if (event.source === window && isPortOffer(event.data) && port)
      connection.attach(portEndpoint(port), serves[event.data.cotangentPort]);
  });
  window.dispatchEvent(new Event('cotangent-ready'));
}

function connectBrowser(connection: Connection): void {
  const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/socket`);
  socket.binaryType = 'arraybuffer';
  socket.addEventListener('open', () => {
    connection.attach(
      {
        send: (message) => socket.send(encode(message)),
        listen: (receive) => {
          socket.onmessage = (event: MessageEvent<ArrayBuffer>) => receive(decode(new Uint8Array(event.data)));
        },
      },
      () => true,
    );
  });
  socket.addEventListener('close', () => {
    connection.detach();
    setTimeout(() => connectBrowser(connection), reconnectMilliseconds);
  });
}

/** The window's client. Requests made before the connection stands wait for it. */
export function connect(): Client {
  const connection = createConnection();
  if (Object.hasOwn(window, 'cotangentDesktop')) connectDesktop(connection);
  else connectBrowser(connection);
  return connection.client;
}
