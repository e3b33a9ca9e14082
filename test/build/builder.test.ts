import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';

const configuration = '../../build/builder.config.mjs';

interface Fuses {
  electronFuses: Record<string, boolean>;
}

interface Association {
  readonly ext: string;
  readonly mimeType?: string;
}

interface Configuration extends Fuses {
  readonly extraResources: readonly { readonly from: string; readonly to: string }[];
  readonly linux: {
    readonly target: readonly string[];
    readonly mimeTypes: readonly string[];
    readonly extraFiles: readonly { readonly from: string; readonly to: string }[];
  };
  readonly deb: { readonly depends: readonly string[] };
  readonly mac: {
    readonly target: readonly { readonly target: string; readonly arch: readonly string[] }[];
    readonly fileAssociations: readonly Association[];
    readonly notarize: boolean;
  };
  readonly win: {
    readonly target: readonly { readonly target: string; readonly arch: readonly string[] }[];
    readonly fileAssociations: readonly Association[];
  };
  readonly publish: unknown;
}

async function configured(env: Record<string, string> = {}): Promise<Configuration> {
  vi.resetModules();
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  return ((await import(configuration)) as { default: Configuration }).default;
}

async function fuses(testBuild: string | undefined): Promise<Record<string, boolean>> {
  vi.resetModules();
  vi.stubEnv('COTANGENT_TEST_BUILD', testBuild);
  vi.stubEnv('ELECTRON_DIST', undefined);
  const { default: built } = (await import(configuration)) as { default: Fuses };
  return built.electronFuses;
}

afterEach(() => vi.unstubAllEnvs());

describe('the package', () => {
  it('is released with every fuse set', async () => {
    expect(await fuses(undefined)).toEqual({
      runAsNode: false,
      enableCookieEncryption: true,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      loadBrowserProcessSpecificV8Snapshot: false,
      grantFileProtocolExtraPrivileges: false,
    });
  });

  it('is tested with one fuse left, by which the test attaches', async () => {
    expect(await fuses('1')).toEqual({ ...(await fuses(undefined)), enableNodeCliInspectArguments: true });
  });

  it('fits the schema of electron-builder', async () => {
    expect(await schemaFault(await configured())).toBeUndefined();
    // A schema that takes everything would say nothing.
    expect(await schemaFault({ ...(await configured()), appIdd: 'x' })).toContain('appIdd');
    expect(await schemaFault({ ...(await configured()), msi: { oneClick: 'no' } })).toContain('msi');
  });

  it('asks Debian for each library that Electron is linked with, by the names of either release', async () => {
    const { deb } = await configured();
    expect(deb.depends).toEqual(expect.arrayContaining(['libgtk-3-0', 'libnss3', 'libgbm1']));
    expect(deb.depends).toContain('libasound2 | libasound2t64');
  });

  it('is made for every system, in the forms that it installs and carries about', async () => {
    const { linux, mac, win, extraResources } = await configured();
    expect(linux.target).toEqual(['AppImage', 'deb', 'rpm', 'zip']);
    expect(mac.target).toEqual(['dmg', 'zip'].map((target) => ({ target, arch: ['universal'] })));
    expect(win.target).toEqual(['nsis', 'msi', 'zip'].map((target) => ({ target, arch: ['x64', 'arm64'] })));
    expect(extraResources).toContainEqual({ from: 'out/licences.txt', to: 'licences.txt' });
  });

  it('claims its own type and extension, and no other program’s', async () => {
    const { linux, mac, win } = await configured();
    expect(linux.mimeTypes).toEqual(['application/vnd.cotangent+json']);
    // An AppImage is nothing but the app's folder.
    expect(linux.extraFiles).toContainEqual({
      from: 'build/resources/cotangent.xml',
      to: 'usr/share/mime/packages/cotangent.xml',
    });
    for (const { fileAssociations } of [mac, win])
      expect(fileAssociations.map(({ ext, mimeType }) => [ext, mimeType])).toEqual([['cot', undefined]]);
    const type = readFileSync('build/resources/cotangent.xml', 'utf8');
    expect(type).toContain('type="application/vnd.cotangent+json"');
    expect([...type.matchAll(/<glob pattern="([^"]+)"/g)].map(([, pattern]) => pattern)).toEqual([
      '*.cot.json',
      '*.cot',
    ]);
    const about = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, unknown>;
    expect(about).toMatchObject({ desktopName: 'cotangent.desktop', license: 'MIT' });
    expect(about['homepage']).toMatch(/^https:/);
  });

  it('is notarised and announced only where the environment says by whom', async () => {
    expect(await configured()).toMatchObject({ publish: null, mac: { notarize: false, hardenedRuntime: true } });
    const told = await configured({ APPLE_ID: 'somebody', COTANGENT_FEED: 'https://updates.example/' });
    expect(told).toMatchObject({ publish: [{ url: 'https://updates.example/' }], mac: { notarize: true } });
    for (const feed of ['http://updates.example/', 'updates.example'])
      await expect(configured({ COTANGENT_FEED: feed })).rejects.toThrow('no address with https');
  });

  it('has icons in all sizes, in the form of each system', () => {
    for (const size of [16, 24, 32, 48, 64, 96, 128, 256, 512, 1024]) {
      const png = readFileSync(`build/resources/icons/${size}x${size}.png`);
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([size, size]);
    }
    expect(readFileSync('build/resources/icon.icns').subarray(0, 4).toString()).toBe('icns');
    const ico = readFileSync('build/resources/icon.ico');
    expect([ico.readUInt16LE(2), ico.readUInt16LE(4)]).toEqual([1, 7]);
  });
});

/** What electron-builder's own schema, which it checks a configuration by, has against this one. */
async function schemaFault(given: object): Promise<string | undefined> {
  const checker = '../../node_modules/app-builder-lib/out/util/config/config.js';
  const { validateConfiguration } = (await import(checker)) as {
    validateConfiguration: (given: object, logger: { isEnabled: boolean }) => Promise<void>;
  };
  return validateConfiguration(given, { isEnabled: false }).then(
    () => undefined,
    (error: unknown) => String(error),
  );
}
