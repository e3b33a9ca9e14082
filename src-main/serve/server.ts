/** The browser host: the same window as the desktop's, served on 127.0.0.1 to whoever has the token. */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import type { PageEnd } from '../files/desk.ts';
import { securityHeaders } from '../headers.ts';
import type { Handlers } from '../router.ts';
import { readStaticFile } from '../static-files.ts';
import { placeMeta } from '../contract/endpoint.ts';
import { createAccess, judge, socketPath } from './access.ts';
import type { Access } from './access.ts';
import type { EngineChildOptions } from './engine-child.ts';
import { joinPage } from './page.ts';

export interface ServerOptions {
  /** 0: a free one. */
  readonly port: number;
  /** The built renderer. */
  readonly renderer: string;
  readonly handlers: (page: PageEnd, restartEngine: () => void) => Partial<Handlers>;
  readonly engine: EngineChildOptions;
}

export interface RunningServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Far above a page's need, far below what would exhaust the machine. */
const largestMessage = 256 * 1024 * 1024;
const mostPages = 16;

const refusals = { 401: 'The token is missing: open the address that `cotangent serve` printed.', 403: 'Forbidden.' };

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  access: Access,
  renderer: string,
): Promise<void> {
  const verdict = judge(request, access, 'file');
  const headers = {
    ...securityHeaders(`'self' ws://127.0.0.1:${access.port} ws://localhost:${access.port}`),
    'Cache-Control': 'no-store',
    ...(verdict.cookies && { 'Set-Cookie': [...verdict.cookies] }),
  };
  const end = (status: number, content: string | Buffer, contentType = 'text/plain; charset=utf-8'): void => {
    response.writeHead(status, { ...headers, 'Content-Type': contentType });
    response.end(request.method === 'HEAD' ? undefined : content);
  };
  if (verdict.status !== 200) {
    end(verdict.status, refusals[verdict.status]);
    return;
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    end(405, 'Only GET is served.');
    return;
  }
  const file = await readStaticFile(renderer, pathOf(request));
  // The page that came with the token learns where its socket is.
  const isFirst = verdict.cookies !== undefined && file?.contentType.startsWith('text/html');
  if (file) end(200, isFirst ? withPlace(file.content, access.place) : file.content, file.contentType);
  else end(404, 'Not found.');
}

const pathOf = ({ url = '/' }: IncomingMessage): string => url.split('?', 1)[0] ?? '/';

function withPlace(html: Buffer, place: string): string {
  return html.toString().replace(/<title>/i, `<meta name="${placeMeta}" content="${place}" />$&`);
}

/** Resolves once it listens; rejects where the port is taken. */
export async function startServer({ port, renderer, handlers, engine }: ServerOptions): Promise<RunningServer> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const access = createAccess((server.address() as AddressInfo).port);

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    respond(request, response, access, renderer).catch(() => response.destroy());
  });

  const sockets = new WebSocketServer({ noServer: true, maxPayload: largestMessage, perMessageDeflate: false });
  server.on('upgrade', (request, socket, head) => {
    const { status } = judge(request, access, 'socket');
    const isSocket = pathOf(request) === '/socket' || pathOf(request) === socketPath(access);
    const refused = status !== 200 ? status : !isSocket ? 404 : sockets.clients.size >= mostPages ? 503 : null;
    if (refused !== null) {
      socket.end(`HTTP/1.1 ${refused} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (page) => joinPage(page, handlers, engine));
  });

  return {
    url: `http://127.0.0.1:${access.port}/?token=${access.token}`,
    async close() {
      for (const page of sockets.clients) page.terminate();
      sockets.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
