/** The page in the window: joined to the host by a port of its own, one page at a time. */
import { MessageChannelMain, ipcMain } from 'electron';
import type { BrowserWindow, MessagePortMain } from 'electron';
import type { EventBody, EventName } from '../contract/contract.ts';
import type { PortOffer } from '../contract/endpoint.ts';
import { portEndpoint } from '../engine-process/port-endpoint.ts';
import type { PageEnd } from '../files/desk.ts';
import { emitter, serve, type Handlers } from '../router.ts';
import { isFrom } from './security.ts';

export interface Pages {
  /** Nobody hears it where no page is there. */
  tell<N extends EventName>(name: N, body: EventBody<N>): void;
  offer(to: PortOffer['cotangentPort'], port: MessagePortMain): void;
}

/** `joined` gives what a page is answered by; `ready` is called once it has been offered its port. */
export function createPages(
  window: () => BrowserWindow,
  joined: (page: PageEnd) => Partial<Handlers>,
  ready: () => void,
): Pages {
  let page = '';
  let emit: ReturnType<typeof emitter> | undefined;
  /** Ends what the page had that was there before. */
  let endPage: (() => void) | undefined;
  const offer: Pages['offer'] = (to, port) =>
    window().webContents.postMessage('port', { page, offer: { cotangentPort: to } satisfies PortOffer }, [port]);

  ipcMain.on('connect', (event, id: unknown) => {
    if (!isFrom(window().webContents, event)) return;
    page = String(id);
    endPage?.();
    const { port1, port2 } = new MessageChannelMain();
    const endpoint = portEndpoint(port1);
    emit = emitter(endpoint);
    let end = (): void => undefined;
    const handlers = joined({ emit, onEnd: (call) => (end = call) });
    endPage = end;
    port1.once('close', end);
    endpoint.listen((message) => void serve(endpoint, handlers, message));
    offer('host', port2);
    ready();
  });

  return { tell: (name, body) => emit?.(name, body), offer };
}
