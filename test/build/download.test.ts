import { createHash } from 'node:crypto';
import type nodeFs from 'node:fs';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
// Plain JavaScript, since it runs before there is anything that could read types.
import { download, electronUrl, whyNot } from '../../build/download.mjs';

/** A disk that takes its time: what was handed to it as the line broke is there a little later. */
const slowness = 20;
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof nodeFs>();
  const write = (...args: Parameters<typeof fs.write>): void => void setTimeout(() => fs.write(...args), slowness);
  const slow = { open: fs.open, close: fs.close, write };
  return {
    ...fs,
    createWriteStream: (path: string, options: object) => fs.createWriteStream(path, { ...options, fs: slow }),
  };
});

const content = Buffer.from(Array.from({ length: 100_000 }, (_, i) => i % 251));
const sha256 = createHash('sha256').update(content).digest('hex');

let folder: string;
let server: Server;
const asked: (string | undefined)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cotangent-download-'));
  asked.length = 0;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

async function serving(answer: RequestListener): Promise<string> {
  server = createServer((request, response) => {
    asked.push(request.headers.range);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/electron.zip`;
}

const from = (range: string | undefined): number => Number(/bytes=(\d+)-/.exec(range ?? '')?.[1] ?? 0);
const file = () => join(folder, 'electron.zip');

it('goes on where the line broke, and where another start stopped', async () => {
  const url = await serving((request, response) => {
    const start = from(request.headers.range);
    response.writeHead(start > 0 ? 206 : 200, { 'Content-Length': content.length - start });
    const end = Math.min(content.length, start + 30_000);
    if (end === content.length) response.end(content.subarray(start));
    else {
      // In two pieces: one is being written while the line breaks.
      const middle = (start + end) / 2;
      response.write(content.subarray(start, middle));
      setTimeout(() => response.write(content.subarray(middle, end)), slowness / 4);
      // It breaks once some of it has come.
      const kept = (): number => statSync(`${file()}.part`, { throwIfNoEntry: false })?.size ?? 0;
      const waiting = setInterval(() => {
        if (kept() <= start) return;
        clearInterval(waiting);
        response.destroy();
      }, 1);
    }
  });
  writeFileSync(`${file()}.part`, content.subarray(0, 10_000));
  const seen: number[] = [];
  await download({ url, file: file(), sha256, wait: 0, onProgress: (come: number) => seen.push(come) });
  expect(readFileSync(file()).equals(content)).toBe(true);
  // How much of a piece is kept as the line breaks is the system's affair; none is asked for twice that was.
  expect(from(asked[0])).toBe(10_000);
  expect(asked.length).toBeGreaterThan(2);
  expect(asked.map(from)).toEqual(asked.map(from).toSorted((a, b) => a - b));
  expect(seen.at(-1)).toBe(content.length);
  expect(existsSync(`${file()}.part`)).toBe(false);
});

it('begins again where the server knows no ranges', async () => {
  const url = await serving((_, response) => response.end(content));
  writeFileSync(`${file()}.part`, 'something else');
  await download({ url, file: file(), sha256 });
  expect(readFileSync(file()).equals(content)).toBe(true);
});

it('takes nothing for the file that is not', async () => {
  const url = await serving((_, response) => response.end('a page that asks for a password'));
  await expect(download({ url, file: file(), sha256 })).rejects.toThrow('its hash is another');
  expect([existsSync(file()), existsSync(`${file()}.part`)]).toEqual([false, false]);
});

it('waits however long it takes, but not in silence', async () => {
  const url = await serving((_, response) => {
    response.writeHead(200, { 'Content-Length': content.length });
    response.write(content.subarray(0, 100));
  });
  const failed = download({ url, file: file(), sha256, silence: 1000, wait: 0, mostTries: 1 });
  await expect(failed).rejects.toThrow('nothing came for 1 seconds');
});

it('says in words why it cannot be had', async () => {
  const url = await serving((_, response) => response.writeHead(404).end());
  await expect(download({ url, file: file(), sha256 })).rejects.toThrow('answered 404');
  const unknown = Object.assign(new TypeError('fetch failed'), { cause: { code: 'ENOTFOUND' } });
  expect(whyNot(unknown, 'https://github.com/x')).toBe('there is no way to github.com from here');
});

it('looks for Electron where its own installer would', () => {
  const at = (env: Record<string, string>): string => electronUrl('45.4.1', 'e.zip', env);
  expect(at({})).toBe('https://github.com/electron/electron/releases/download/v45.4.1/e.zip');
  expect(at({ ELECTRON_MIRROR: 'https://a.example/e/' })).toBe('https://a.example/e/v45.4.1/e.zip');
  expect(at({ npm_config_electron_mirror: 'https://b.example/', ELECTRON_MIRROR: 'https://a.example/' })).toBe(
    'https://b.example/v45.4.1/e.zip',
  );
  expect(at({ ELECTRON_MIRROR: 'https://a.example/', ELECTRON_CUSTOM_DIR: '{{ version }}' })).toBe(
    'https://a.example/45.4.1/e.zip',
  );
});
