/** What a release is made of: the configuration of every package, and the packing of those for Linux, unpacked again. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const root = join(import.meta.dirname, '../..');
const { validateConfiguration } = createRequire(import.meta.url)(
  join(root, 'node_modules/app-builder-lib/out/util/config/config.js'),
) as { validateConfiguration: (configuration: unknown, log: { isEnabled: boolean }) => Promise<void> };

interface Target {
  readonly target: string;
  readonly arch: readonly string[];
}
interface Configuration {
  readonly publish: readonly { readonly provider: string; readonly url: string }[] | null;
  readonly electronFuses: Readonly<Record<string, boolean>>;
  readonly linux: { readonly target: readonly string[]; readonly mimeTypes: readonly string[] };
  readonly mac: {
    readonly target: readonly Target[];
    readonly notarize: boolean;
    readonly hardenedRuntime: boolean;
    readonly fileAssociations: readonly { readonly ext: string }[];
  };
  readonly win: { readonly target: readonly Target[]; readonly fileAssociations: readonly { readonly ext: string }[] };
}

async function configured(env: Readonly<Record<string, string>> = {}): Promise<Configuration> {
  vi.resetModules();
  for (const name of ['ELECTRON_DIST', 'COTANGENT_TEST_BUILD', 'COTANGENT_FEED', 'APPLE_ID', 'APPLE_API_KEY'])
    vi.stubEnv(name, env[name]);
  const module: unknown = await import('../../build/builder.config.mjs');
  vi.unstubAllEnvs();
  return (module as { default: Configuration }).default;
}

describe('the configuration', () => {
  it('is what electron-builder takes, with every setting that is for another system', async () => {
    for (const env of [{}, { COTANGENT_FEED: 'https://cotangent.example/feed', APPLE_ID: 'a@b' }])
      await expect(validateConfiguration(await configured(env), { isEnabled: false })).resolves.toBeUndefined();
    const wrong = { ...(await configured()), msi: { oneClick: 'no' } };
    await expect(validateConfiguration(wrong, { isEnabled: false })).rejects.toThrow('msi');
  });

  it('has a package for each way to install', async () => {
    const { linux, mac, win } = await configured();
    expect(linux.target).toEqual(['AppImage', 'deb', 'rpm', 'zip']);
    expect(mac.target).toEqual(['dmg', 'zip'].map((target) => ({ target, arch: ['universal'] })));
    expect(win.target).toEqual(['nsis', 'msi', 'zip'].map((target) => ({ target, arch: ['x64', 'arm64'] })));
  });

  it('claims documents by a type and an ending of their own, everywhere', async () => {
    const { linux, mac, win } = await configured();
    expect(linux.mimeTypes).toEqual(['application/vnd.cotangent+json']);
    for (const { fileAssociations } of [mac, win]) expect(fileAssociations.map(({ ext }) => ext)).toEqual(['cot']);
  });

  it('signs, notarises and asks for versions where the environment says so, and nowhere else', async () => {
    expect(await configured()).toMatchObject({ publish: null, mac: { notarize: false, hardenedRuntime: true } });
    expect((await configured({ APPLE_API_KEY: 'k' })).mac.notarize).toBe(true);
    const feed = 'https://cotangent.example/feed';
    expect((await configured({ COTANGENT_FEED: feed })).publish).toEqual([{ provider: 'generic', url: feed }]);
  });

  it('leaves one fuse for tests, and none in a release', async () => {
    const open = async (env: Record<string, string>) =>
      Object.entries((await configured(env)).electronFuses)
        .filter(([name, on]) => on && /runAsNode|NodeOptions|Inspect|ExtraPrivileges/.test(name))
        .map(([name]) => name);
    expect(await open({})).toEqual([]);
    expect(await open({ COTANGENT_TEST_BUILD: '1' })).toEqual(['enableNodeCliInspectArguments']);
  });
});

const has = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;

describe.skipIf(process.platform !== 'linux')('a package for Linux', () => {
  let folder: string;
  const at = (...names: string[]): string => join(folder, ...names);

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'cotangent-packages-'));
    mkdirSync(at('app', 'resources'), { recursive: true });
    writeFileSync(at('app', 'cotangent'), '#!/bin/sh\n');
    chmodSync(at('app', 'cotangent'), 0o755);
    writeFileSync(at('app', 'resources', 'app.asar'), 'x'.repeat(5000));
    writeFileSync(at('app', 'with a space'), '');
    writeFileSync(at('entry'), '[Desktop Entry]\n');
    writeFileSync(at('install'), '#!/bin/bash\necho installed 100%\n');
    writeFileSync(at('remove'), '#!/bin/bash\necho removed\n');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const pack = (form: string, file: string, further: readonly string[]): void => {
    const args = [
      ...['-s', 'dir', '--force', '-t', form, '-d', 'gtk3', '--version', '1.2.3'],
      ...['--after-install', at('install'), '--after-remove', at('remove'), '--package', at(file)],
      ...['--description', 'A summary\n  All that it does.', '--name', 'cotangent', '--maintainer', 'A <a@b.example>'],
      ...['--vendor', 'A', '--url', 'https://b.example/', '--license', 'MIT', '--category', 'science', ...further],
      ...[`${at('app')}/=/opt/Cotangent`, `${at('entry')}=/usr/share/applications/cotangent.desktop`],
    ];
    execFileSync(process.execPath, [join(root, 'build', 'pack-linux.mjs'), ...args], {
      env: { ...process.env, COTANGENT_TEST_BUILD: '1' },
    });
  };

  const expectUnpacked = (place: string): void => {
    expect(readFileSync(at(place, 'opt/Cotangent/resources/app.asar'), 'utf8')).toHaveLength(5000);
    expect(statSync(at(place, 'opt/Cotangent/cotangent')).mode & 0o777).toBe(0o755);
    expect(statSync(at(place, 'opt/Cotangent/with a space')).size).toBe(0);
    expect(statSync(at(place, 'usr/share/applications/cotangent.desktop')).mode & 0o777).toBe(0o644);
  };

  it.runIf(has('dpkg-deb'))('is a .deb of what was laid out', () => {
    pack('deb', 'a.deb', ['--architecture', 'amd64', '--deb-priority', 'optional']);
    execFileSync('dpkg-deb', ['--raw-extract', at('a.deb'), at('deb')]);
    expectUnpacked('deb');
    expect(readFileSync(at('deb', 'DEBIAN', 'control'), 'utf8')).toMatch(/^Package: cotangent\nVersion: 1\.2\.3\n/);
    expect(readFileSync(at('deb', 'DEBIAN', 'postinst'), 'utf8')).toContain('installed 100%');
  });

  it.runIf(has('rpmbuild') && has('rpm2archive'))('is an .rpm of what was laid out', () => {
    pack('rpm', 'a.rpm', [
      '--architecture',
      'x86_64',
      '--rpm-os',
      'linux',
      '--rpm-summary',
      'A',
      '-d',
      '(libuuid or libuuid1)',
    ]);
    mkdirSync(at('rpm'));
    execFileSync('rpm2archive', [at('a.rpm')]);
    execFileSync('tar', ['-xzf', at('a.rpm.tgz')], { cwd: at('rpm') });
    expectUnpacked('rpm');
    const said = execFileSync('rpm', ['-qip', '--requires', '--scripts', at('a.rpm')], { encoding: 'utf8' });
    for (const line of [/^Name\s*: cotangent$/m, /^Version\s*: 1\.2\.3$/m, /^License\s*: MIT$/m, /^gtk3$/m])
      expect(said).toMatch(line);
    expect(said).toContain('echo installed 100%\n');
    expect(said).toContain('(libuuid or libuuid1)');
    // Nothing goes as an update takes the place of what was there.
    expect(said).toMatch(/postuninstall.*\nif \[ "\$1" = 0 \]; then\n\s*echo removed/);
  });
});
