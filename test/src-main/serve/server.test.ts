import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { decode, encode } from '../../../src-main/contract/codec.ts';
import { createStore } from '../../../src-main/files/store.ts';
import { hostHandlers } from '../../../src-main/serve/host.ts';
import { startServer } from '../../../src-main/serve/server.ts';
import type { RunningServer } from '../../../src-main/serve/server.ts';

const base = mkdtempSync(join(tmpdir(), 'cotangent-serve-'));
const folder = join(base, 'served');
const renderer = join(base, 'renderer');
const secret = join(base, 'secret.cot.json');
let server: RunningServer;
let port: number;
let token: string;

/** Answers every request with NaN among the values; `devices.list` kills it. */
const engineSource = `
process.on('message', (message) => {
  if (message.name === 'devices.list') process.exit(7);
  const value = { element: 'real', shape: [2], values: new Float64Array([NaN, 1]) };
  process.send({ type: 'reply', id: message.id, body: { values: { x: value }, faults: [], milliseconds: 0 } });
});
`;

beforeAll(async () => {
  for (const path of [folder, renderer, join(renderer, 'assets')]) mkdirSync(path);
  writeFileSync(join(renderer, 'index.html'), '<!doctype html><title>Cotangent</title>');
  writeFileSync(join(renderer, 'assets', 'index.js'), 'export const one = 1;\n');
  writeFileSync(join(base, 'outside.js'), 'secret');
  writeFileSync(join(base, 'licences.txt'), 'MIT License');
  writeFileSync(secret, '{"format": "cotangent/1", "blocks": []}');
  writeFileSync(join(folder, 'a.cot.json'), '{"format": "cotangent/1", "blocks": []}');
  symlinkSync(secret, join(folder, 'link.cot.json'));
  const engine = join(base, 'engine.mjs');
  writeFileSync(engine, engineSource);
  const store = createStore(join(base, 'state'));
  server = await startServer({
    port: 0,
    renderer,
    handlers: (page, restartEngine) =>
      hostHandlers({
        version: '0',
        folder,
        catalogue: folder,
        licences: join(base, 'licences.txt'),
        store,
        initial: null,
        page,
        restartEngine,
      }),
    engine: { engine, worker: '', catalogue: folder, imports: store.imports, folder },
  });
  const url = new URL(server.url);
  port = Number(url.port);
  token = url.searchParams.get('token') ?? '';
});

afterAll(async () => {
  await server.close();
  rmSync(base, { recursive: true });
});

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: string;
}

/** Not fetch: it neither sends a path as it stands nor lets Host be set. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (body += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

const withToken = (path: string): string => `${path}?token=${token}`;

async function cookie(): Promise<string> {
  const { headers } = await get(withToken('/'));
  return String(headers['set-cookie']).split(';')[0] ?? '';
}

/** The status with which an upgrade is refused, or 101. */
function upgrade(path: string, headers: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
    socket.on('open', () => {
      socket.close();
      resolve(101);
    });
    socket.on('unexpected-response', (_request, response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    socket.on('error', () => undefined);
  });
}

describe('the browser host', () => {
  it('listens on loopback and prints an address with a token', () => {
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{32}$/);
  });

  it('answers 401 without the token, for every path and method', async () => {
    for (const path of ['/', '/index.html', '/assets/index.js', '/nothing', '/socket', '/?token=', `/?token=${token}x`])
      expect((await get(path)).status, path).toBe(401);
    for (const method of ['POST', 'PUT', 'OPTIONS', 'HEAD']) expect((await get('/', {}, method)).status).toBe(401);
    expect((await get('/', { Cookie: `cotangent-${port}=wrong` })).status).toBe(401);
    expect(await upgrade('/socket')).toBe(401);
  });

  it('gives other ports of the machine nothing that opens anything', async () => {
    const { headers, body } = await get(withToken('/'));
    const [session = '', page = ''] = headers['set-cookie'] as string[];
    const place = /<meta name="cotangent-place" content="([\w-]{32})"/.exec(body)?.[1] ?? '';
    // A browser sends what has the path / to every port; there, it opens the files of the window and no socket.
    expect(page).toMatch(/; Path=\/$/);
    const [sent = ''] = page.split(';');
    expect((await get('/', { Cookie: sent })).status).toBe(200);
    for (const path of ['/socket', `/${place}/socket`]) expect(await upgrade(path, { Cookie: sent })).toBe(401);
    // The session has a path that no other page knows, and the page that reloads with a cookie is not told again.
    expect(session).toMatch(new RegExp(`; HttpOnly; SameSite=Strict; Path=/${place}/$`));
    expect((await get('/', { Cookie: sent })).body).not.toContain(place);
    const [own = ''] = session.split(';');
    expect(await upgrade(`/${place}/socket`, { Cookie: own, Origin: `http://127.0.0.1:${port}` })).toBe(101);
    expect(await upgrade(`/${place}/socket`)).toBe(401);
    const secrets = [token, place, own.split('=')[1], sent.split('=')[1]];
    expect(new Set(secrets).size).toBe(4);
  });

  it('takes the token, and its cookie from then on', async () => {
    const first = await get(withToken('/'));
    expect(first.status).toBe(200);
    expect(first.body).toContain('<title>Cotangent</title>');
    expect(String(first.headers['set-cookie'])).toMatch(/; HttpOnly; SameSite=Strict; Path=\/$/);
    expect((await get('/assets/index.js', { Cookie: await cookie() })).status).toBe(200);
    expect(await upgrade('/socket', { Cookie: await cookie() })).toBe(101);
    expect(await upgrade(withToken('/socket'))).toBe(101);
  });

  it('answers 403 to a foreign Host or Origin, whatever the token', async () => {
    for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1:1', '127.0.0.1'])
      expect((await get(withToken('/'), { Host: host })).status, host).toBe(403);
    for (const origin of ['http://evil.example', 'null', `https://127.0.0.1:${port}`, 'http://127.0.0.1:1']) {
      expect((await get(withToken('/'), { Origin: origin })).status, origin).toBe(403);
      expect(await upgrade(withToken('/socket'), { Origin: origin }), origin).toBe(403);
    }
    expect((await get(withToken('/'), { Origin: `http://127.0.0.1:${port}` })).status).toBe(200);
  });

  it('serves no file outside the renderer', async () => {
    for (const path of [
      '/../outside.js',
      '/%2e%2e/outside.js',
      '/assets/..%2f..%2foutside.js',
      '/..%5coutside.js',
      '/%00.js',
      '/%',
    ])
      expect((await get(withToken(path))).status, path).toBe(404);
  });

  it('isolates the page and forbids it everything foreign', async () => {
    const { headers } = await get(withToken('/'));
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['content-security-policy']).not.toContain('unsafe-eval;');
    expect(headers['cross-origin-opener-policy']).toBe('same-origin');
    expect(headers['cross-origin-embedder-policy']).toBe('require-corp');
  });
});

type Received = Record<string, unknown>;

/** A page's end of the connection: messages wait until they are asked for. */
async function open() {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${withToken('/socket')}`);
  const received: Received[] = [];
  const waiting: ((message: Received) => void)[] = [];
  socket.on('message', (data: Buffer) => {
    const message = decode(data) as Received;
    const take = waiting.shift();
    if (take) take(message);
    else received.push(message);
  });
  await new Promise((resolve) => socket.once('open', resolve));
  const next = (): Promise<Received> => {
    const message = received.shift();
    return message ? Promise.resolve(message) : new Promise((resolve) => waiting.push(resolve));
  };
  return {
    next,
    sendRaw: (data: string) => socket.send(data),
    ask(name: string, body: unknown, id = 1): Promise<Received> {
      socket.send(encode({ type: 'request', id, name, body }));
      return next();
    },
    close: () => socket.close(),
  };
}

describe('a page', () => {
  it('opens documents of the folder alone', async () => {
    const page = await open();
    const openFile = (path: string) => page.ask('files.open', { location: { kind: 'file', path } });
    expect(await openFile(join(folder, 'a.cot.json'))).toMatchObject({ type: 'reply' });
    for (const path of [
      secret,
      join(folder, '..', 'secret.cot.json'),
      join(folder, 'link.cot.json'),
      '/etc/passwd',
      'x.txt',
    ])
      expect(await openFile(path), path).toMatchObject({ type: 'refusal' });
    expect(await page.ask('files.open', { location: { kind: 'example', name: '../secret' } })).toMatchObject({
      type: 'refusal',
    });
    const save = { location: { kind: 'file', path: secret }, document: {}, fit: null };
    expect(await page.ask('files.save', save)).toMatchObject({ type: 'refusal' });
    expect(await page.ask('files.list', {})).toMatchObject({ body: [{ name: 'a' }, { name: 'link' }] });
    page.close();
  });

  it.skipIf(process.platform === 'win32')('saves under another name what is for its owner alone as such', async () => {
    const page = await open();
    const [own, copy] = ['own', 'copy'].map((name) => join(folder, `${name}.cot.json`)) as [string, string];
    const document = { format: 'cotangent/1', blocks: [] };
    writeFileSync(own, JSON.stringify(document), { mode: 0o600 });
    const [location, from] = [copy, own].map((path) => ({ kind: 'file', path }));
    expect(await page.ask('files.save', { location, from, document, fit: null })).toMatchObject({ type: 'reply' });
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    for (const path of [own, copy]) rmSync(path);
    page.close();
  });

  it('reads the licences', async () => {
    const page = await open();
    expect(await page.ask('app.licences', {})).toMatchObject({ body: { text: 'MIT License' } });
    page.close();
  });

  it('is refused what is malformed, and goes on', async () => {
    const page = await open();
    page.sendRaw('no frame');
    expect(await page.next()).toMatchObject({ type: 'refusal', id: -1 });
    expect(await page.ask('files.open', { location: 5 })).toMatchObject({ type: 'refusal', id: 1 });
    expect(await page.ask('toString', {})).toMatchObject({ type: 'refusal', id: 1 });
    expect(await page.ask('files.list', {})).toMatchObject({ type: 'reply' });
    page.close();
  });

  it('is told without a reason where its engine is started again because the user has set it otherwise', async () => {
    const page = await open();
    const evaluate = { location: { kind: 'unsaved' }, document: {}, outputs: ['x'], parameters: {} };
    for (const threads of [1, null]) {
      expect(await page.ask('model.evaluate', evaluate)).toMatchObject({ type: 'reply' });
      const both = [await page.ask('app.set', { changed: { threads } }, 2), await page.next()];
      expect(both.find(({ id }) => id === 2)).toMatchObject({ type: 'reply' });
      expect(both.find(({ name }) => name === 'engine.restarted')?.['body']).toEqual({});
    }
    page.close();
  });

  it('changes what a page changes, and not what another has changed before', async () => {
    const [one, other] = [await open(), await open()];
    await one.ask('app.set', { changed: { digits: 7 } });
    expect(await other.ask('app.set', { changed: { autosave: true } })).toMatchObject({
      body: { digits: 7, autosave: true },
    });
    expect(await one.ask('app.settings', {})).toMatchObject({ body: { digits: 7, autosave: true } });
    for (const page of [one, other]) page.close();
  });

  it('reaches an engine, and another one when that dies', async () => {
    const page = await open();
    const evaluate = { location: { kind: 'unsaved' }, document: {}, outputs: ['x'], parameters: {} };
    const values = { x: { element: 'real', shape: [2], values: new Float64Array([NaN, 1]) } };
    expect(await page.ask('model.evaluate', evaluate)).toMatchObject({ body: { values } });
    expect(await page.ask('devices.list', {}, 9)).toMatchObject({ type: 'refusal', id: 9 });
    expect(await page.next()).toMatchObject({ type: 'event', name: 'engine.restarted' });
    expect(await page.ask('model.evaluate', evaluate)).toMatchObject({ body: { values } });
    page.close();
  });
});
