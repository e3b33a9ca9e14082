/** The packing of what is installed on Linux, unpacked again. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

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
    // What they are written for is not every system's sh.
    for (const name of ['postinstall', 'postuninstall']) expect(said).toContain(`${name} scriptlet (using /bin/bash)`);
    // Nothing goes as an update takes the place of what was there.
    expect(said).toMatch(/postuninstall.*\nif \[ "\$1" = 0 \]; then\n\s*echo removed/);
  });

  it.runIf(has('unzip'))('is a zip that is carried about, of the same bytes whenever it is made', () => {
    symlinkSync('with a space', at('app', 'link'));
    const zip = (file: string, args: readonly string[]): Buffer => {
      execFileSync(join(root, 'build', 'pack-zip.mjs'), ['a', ...args, at(file), '.'], { cwd: at('app') });
      return readFileSync(at(file));
    };
    // As electron-builder asks for it.
    const made = zip('a.zip', ['-bd', '-mx=7', '-mtc=off', '-mm=Deflate', '-mcu', '-snl']);
    execFileSync('unzip', ['-q', at('a.zip'), '-d', at('zip')]);
    expect(readFileSync(at('zip', 'resources', 'app.asar'), 'utf8')).toBe('x'.repeat(5000));
    expect(statSync(at('zip', 'cotangent')).mode & 0o777).toBe(0o755);
    expect(statSync(at('zip', 'with a space')).size).toBe(0);
    expect(readlinkSync(at('zip', 'link'))).toBe('with a space');
    expect(zip('again.zip', ['-mx=7'])).toEqual(made);
    expect(zip('stored.zip', ['-mx=0']).length).toBeGreaterThan(5000 + made.length / 2);
    const refused = spawnSync(join(root, 'build', 'pack-zip.mjs'), ['x', at('a.zip')], { encoding: 'utf8' });
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('install 7-Zip')]);
  });
});
