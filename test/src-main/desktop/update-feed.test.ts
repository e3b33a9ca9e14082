/** The updater itself, asked of a feed that the test serves: what it takes, what it refuses, and what is said of it. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type IncomingMessage, type RequestOptions, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AppUpdater } from 'electron-updater';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createUpdates, demandSafeFeed } from '../../../src-main/desktop/update-feed.ts';

const require = createRequire(import.meta.url);
const { AppImageUpdater } = require('electron-updater/out/AppImageUpdater.js') as {
  AppImageUpdater: new (feed: null, app: object) => AppUpdater;
};
const { ElectronHttpExecutor } = require('electron-updater/out/electronHttpExecutor.js') as {
  ElectronHttpExecutor: new () => object;
};
/** Electron's own, but for who asks. */
class NodeExecutor extends ElectronHttpExecutor {
  createRequest(options: RequestOptions, callback: (response: IncomingMessage) => void) {
    return request(options, callback);
  }
}

let folder: string;
let server: Server;
let served: Record<string, string | Buffer>;

const program = Buffer.from('a newer version of the app');
const sha512 = (bytes: Buffer): string => createHash('sha512').update(bytes).digest('base64');

function announce(version: string, checksum: string | undefined): string {
  const file = `Cotangent-${version}.AppImage`;
  const sum = checksum === undefined ? '' : `\n    sha512: ${checksum}`;
  return `version: ${version}\nfiles:\n  - url: ${file}${sum}\n    size: ${program.length}\npath: ${file}\n${checksum === undefined ? '' : `sha512: ${checksum}\n`}releaseDate: '2026-01-01T00:00:00.000Z'\n`;
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cotangent-updates-'));
  writeFileSync(join(folder, 'own.AppImage'), 'the version that runs');
  vi.stubEnv('APPIMAGE', join(folder, 'own.AppImage'));
  served = {};
  server = createServer(({ url = '' }, response) => {
    const found = served[url.split('?', 1)[0]!.slice(1)];
    response.writeHead(found === undefined ? 404 : 200).end(found);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

/** An app of version 1.0.0 that has the feed to ask. */
function createApp() {
  const quits: (() => void)[] = [];
  mkdirSync(join(folder, 'cache'), { recursive: true });
  writeFileSync(join(folder, 'app-update.yml'), 'updaterCacheDirName: cotangent\n');
  const app = {
    ...{ version: '1.0.0', name: 'cotangent', isPackaged: true, baseCachePath: join(folder, 'cache') },
    ...{ appUpdateConfigPath: join(folder, 'app-update.yml'), userDataPath: folder },
    whenReady: () => Promise.resolve(),
    relaunch: () => undefined,
    quit: () => undefined,
    onQuit: (call: () => void) => void quits.push(call),
  };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const updater = new AppImageUpdater(null, app);
  Object.assign(updater, { httpExecutor: new NodeExecutor(), logger: null, disableDifferentialDownload: true });
  updater.setFeedURL({ provider: 'generic', url });
  const [told, noted]: [string[], unknown[]] = [[], []];
  const updates = createUpdates({
    updater,
    tell: (message) => void told.push(message),
    note: (error) => void noted.push(error),
  });
  return { updates, updater, told, noted };
}

const loaded = (): string[] =>
  existsSync(join(folder, 'cache'))
    ? (readdirSync(join(folder, 'cache'), { recursive: true }) as string[]).filter((name) => name.endsWith('.AppImage'))
    : [];

describe('a newer version', () => {
  it('is loaded where it is the file that was announced, and said', async () => {
    served = { 'latest-linux.yml': announce('1.1.0', sha512(program)), 'Cotangent-1.1.0.AppImage': program };
    const { updates, updater, told } = createApp();
    await updates.look(false);
    expect(told).toEqual([expect.stringMatching(/^Version 1\.1\.0 has been loaded/)]);
    expect(loaded()).toHaveLength(1);
    updates.stop();
    expect(updater.autoInstallOnAppQuit).toBe(false);
  });

  it.each([
    ['another file', sha512(Buffer.from('what its maker built')), /checksum is another/],
    ['a file that nothing is known of', undefined, /could be checked/],
  ])('is refused where %s comes, and that is said though nobody has just asked', async (_, checksum, why) => {
    served = { 'latest-linux.yml': announce('1.1.0', checksum), 'Cotangent-1.1.0.AppImage': program };
    const { updates, told, noted } = createApp();
    await updates.look(false);
    expect(told).toEqual([expect.stringMatching(why)]);
    expect(noted.length).toBeGreaterThan(0);
    expect(loaded()).toEqual([]);
  });

  it('is none where it is no newer', async () => {
    served = { 'latest-linux.yml': announce('0.9.0', sha512(program)), 'Cotangent-0.9.0.AppImage': program };
    const { updates, told, noted } = createApp();
    await updates.look(true);
    expect([told, noted, loaded()]).toEqual([[], [], []]);
  });
});

describe('a feed that does not answer', () => {
  it('is noted, said to who has just asked, and ends nothing', async () => {
    const { updates, told, noted } = createApp();
    await updates.look(false);
    expect(told).toEqual([]);
    expect(noted.length).toBeGreaterThan(0);
    await updates.look(true);
    expect(told).toEqual([expect.stringMatching(/^Newer versions could not be looked for: /)]);
  });
});

it('only a feed with https is asked', () => {
  const config = (url: string) => `provider: generic\nurl: ${url}\nupdaterCacheDirName: cotangent-updater\n`;
  expect(() => demandSafeFeed(config('https://updates.example/'))).not.toThrow();
  for (const url of [
    'http://updates.example/',
    "'http://updates.example/'",
    'ftp://updates.example',
    'updates.example',
  ])
    expect(() => demandSafeFeed(config(url))).toThrow('no address with https');
});
