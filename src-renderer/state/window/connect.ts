/** Connects the window to what is behind it: two ports on the desktop (host and engine), one WebSocket in a browser. */
import { decode, encode } from '../../../src-main/contract/codec.ts';
import { isEngineRequest } from '../../../src-main/contract/contract.ts';
import type { Client, Message, RequestName } from '../../../src-main/contract/contract.ts';
import { placeMeta } from '../../../src-main/contract/endpoint.ts';
import type { Endpoint, PortOffer } from '../../../src-main/contract/endpoint.ts';
import { createConnection } from './client.ts';
import type { Connection } from './client.ts';
import { recall, remember } from './remembered.ts';

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

/**
 * Where the socket is, which is this origin's secret: the page that comes by the printed address is told, and keeps it for
 * reloads and further tabs. The token has done its work by then, and leaves the address bar and the history.
 */
function socketPlace(): string {
  const told = document.querySelector<HTMLMetaElement>(`meta[name="${placeMeta}"]`)?.content;
  if (told !== undefined) remember('place', told);
  if (new URLSearchParams(location.search).has('token')) history.replaceState(null, '', location.pathname);
  const place = told ?? recall('place');
  return place === null ? '/socket' : `/${place}/socket`;
}

function connectBrowser(connection: Connection, place = socketPlace()): void {
  const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}${place}`);
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
  let lost = false;
  const again = (): void => {
    if (lost) return;
    lost = true;
    connection.detach();
    setTimeout(() => connectBrowser(connection, place), reconnectMilliseconds);
  };
  // A socket that a policy forbids ends with an error alone, any other with an error and its close.
  socket.addEventListener('error', again);
  socket.addEventListener('close', again);
}

/** The window's client. Requests made before the connection stands wait for it. */
export function connect(): Client {
  const connection = createConnection();
  if (Object.hasOwn(window, 'cotangentDesktop')) connectDesktop(connection);
  else connectBrowser(connection);
  return connection.client;
}
