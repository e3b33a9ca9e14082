/** The updater itself, asked of a feed that the test serves: what it takes, what it refuses, and what is said of it. */
import childProcess from 'node:child_process';
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
const { NsisUpdater } = require('electron-updater/out/NsisUpdater.js') as { NsisUpdater: typeof AppImageUpdater };
type Done = (error: Error | null, stdout: string, stderr: string) => void;
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

function announce(version: string, checksum: string | undefined, extension = 'AppImage'): string {
  const file = `Cotangent-${version}.${extension}`;
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
function createApp(Updater = AppImageUpdater) {
  const quits: (() => void)[] = [];
  mkdirSync(join(folder, 'cache'), { recursive: true });
  writeFileSync(join(folder, 'app-update.yml'), 'updaterCacheDirName: cotangent\npublisherName: The makers\n');
  const app = {
    ...{ version: '1.0.0', name: 'cotangent', isPackaged: true, baseCachePath: join(folder, 'cache') },
    ...{ appUpdateConfigPath: join(folder, 'app-update.yml'), userDataPath: folder },
    whenReady: () => Promise.resolve(),
    relaunch: () => undefined,
    quit: () => undefined,
    onQuit: (call: () => void) => void quits.push(call),
  };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const updater = new Updater(null, app);
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

const loaded = (extension = '.AppImage'): string[] =>
  existsSync(join(folder, 'cache'))
    ? (readdirSync(join(folder, 'cache'), { recursive: true }) as string[]).filter((name) => name.endsWith(extension))
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

describe('on Windows a newer version', () => {
  /** What PowerShell says of the file that was loaded; nothing where it cannot be run. */
  const powerShell = (signed?: (path: string) => object) => {
    vi.spyOn(childProcess, 'execFile').mockImplementation(((
      _file: string,
      args: string[],
      _options: object,
      done: Done,
    ) => {
      const path = /-LiteralPath '(.*?)'/.exec(args.at(-1)!)![1]!;
      if (signed) done(null, JSON.stringify(signed(path)), '');
      else done(new Error('powershell.exe is not recognized'), '', '');
    }) as never);
    vi.spyOn(childProcess, 'execFileSync').mockImplementation(() => {
      throw new Error('powershell.exe is not recognized');
    });
  };
  const by =
    (name: string, status = 0) =>
    (path: string) => ({
      ...{ Status: status, Path: path, SignerCertificate: { Subject: `CN=${name}, O=${name}, C=IE` } },
    });
  const nobodys = (path: string) => ({ Status: 2, Path: path, SignerCertificate: null });
  afterEach(() => void vi.restoreAllMocks());

  const announced = (): void =>
    void (served = { 'latest-linux.yml': announce('1.1.0', sha512(program), 'exe'), 'Cotangent-1.1.0.exe': program });

  it('is loaded where its maker has signed it', async () => {
    announced();
    powerShell(by('The makers'));
    const { updates, told } = createApp(NsisUpdater);
    await updates.look(false);
    expect(told).toEqual([expect.stringMatching(/^Version 1\.1\.0 has been loaded/)]);
    expect(loaded('.exe')).toHaveLength(1);
  });

  it.each([
    ['somebody else has signed it', by('Somebody else'), /its signature is not known/],
    ['what was signed has been changed', by('The makers', 3), /its signature is not known/],
    ['nobody has', nobodys, /its signature is not known/],
    ['that of another file is told', (_: string) => by('The makers')('C:\\other.exe'), /its signature is not known/],
    ['nobody can tell', undefined, /its signature is not known/],
  ])('is refused where %s, though its checksum is the one that was announced', async (_, signed, why) => {
    announced();
    powerShell(signed);
    const { updates, told, noted } = createApp(NsisUpdater);
    await updates.look(false);
    expect(told).toEqual([expect.stringMatching(why)]);
    expect(noted.length).toBeGreaterThan(0);
    expect(loaded('.exe')).toEqual([]);
  });

  it('is not looked for by one of which nobody knows the maker', () => {
    const config = 'provider: generic\nurl: https://updates.example/\n';
    expect(() => demandSafeFeed(config, 'win32')).toThrow('is not signed');
    expect(() => demandSafeFeed(`${config}publisherName:\n  - The makers\n`, 'win32')).not.toThrow();
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
  expect(() => demandSafeFeed(config('https://updates.example/'), 'linux')).not.toThrow();
  for (const url of [
    'http://updates.example/',
    "'http://updates.example/'",
    'ftp://updates.example',
    'updates.example',
  ])
    expect(() => demandSafeFeed(config(url), 'linux')).toThrow('no address with https');
});
