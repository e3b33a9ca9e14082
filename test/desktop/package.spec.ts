/** What is installed is what is released: the .deb, unpacked, is looked at and run. */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, lstatSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { FuseV1Options, FuseVersion, flipFuses, getCurrentFuseWire } from '@electron/fuses';
import { unzipSync } from 'fflate';
import { fusesFor, mimeType, releaseFuses, testFuses } from '../../build/builder.config.mjs';
import { securityHeaders } from '../../src-main/headers.ts';
import { executable, expect, installed, secondStart, test } from './window.ts';

test.skip(!existsSync(installed), 'there is no dpkg-deb here');

const fuseNames: Record<string, FuseV1Options> = {
  runAsNode: FuseV1Options.RunAsNode,
  enableCookieEncryption: FuseV1Options.EnableCookieEncryption,
  enableNodeOptionsEnvironmentVariable: FuseV1Options.EnableNodeOptionsEnvironmentVariable,
  enableNodeCliInspectArguments: FuseV1Options.EnableNodeCliInspectArguments,
  enableEmbeddedAsarIntegrityValidation: FuseV1Options.EnableEmbeddedAsarIntegrityValidation,
  onlyLoadAppFromAsar: FuseV1Options.OnlyLoadAppFromAsar,
  loadBrowserProcessSpecificV8Snapshot: FuseV1Options.LoadBrowserProcessSpecificV8Snapshot,
  grantFileProtocolExtraPrivileges: FuseV1Options.GrantFileProtocolExtraPrivileges,
};

/** What the binary says of itself: true for a fuse that is on. */
async function fusesOf(path: string): Promise<Record<string, boolean>> {
  const wire = await getCurrentFuseWire(path);
  const states = Object.entries(fuseNames).map(([name, fuse]) => [name, wire[fuse]] as const);
  // Removed from older Electrons they read as undefined; 48 and 49 are the characters 0 and 1.
  return Object.fromEntries(
    states.filter(([, state]) => state !== undefined).map(([name, state]) => [name, state === 49]),
  );
}

const resources = join(dirname(executable), 'resources');
const read = (...path: string[]): string => readFileSync(join(installed, ...path), 'utf8');

test('the fuses are set in the binary that is installed', async ({ place }) => {
  const major = Number(process.env['ELECTRON_MAJOR'] ?? 0) || electronMajor();
  expect(await fusesOf(executable)).toEqual(fusesFor(testFuses, major));
  // As for release: the same binary takes the one that is left for Playwright too.
  const copy = join(place.folder, 'electron');
  copyFileSync(executable, copy);
  const config = Object.entries(fusesFor(releaseFuses, major)).map(([name, on]) => [fuseNames[name], on]);
  await flipFuses(copy, { version: FuseVersion.V1, ...Object.fromEntries(config) });
  expect(await fusesOf(copy)).toEqual(fusesFor(releaseFuses, major));
});

function electronMajor(): number {
  const [, major = ''] =
    /Electron (\d+)\./.exec(
      execFileSync('strings', ['-n', '9', executable], { encoding: 'utf8', maxBuffer: 2 ** 30 }),
    ) ?? [];
  return Number(major);
}

test('documents belong to it, by a type of its own and by no other', () => {
  const entry = read('usr', 'share', 'applications', 'cotangent.desktop');
  expect(entry).toMatch(/^Exec=\/opt\/Cotangent\/cotangent %U$/m);
  expect(entry).toMatch(/^Icon=cotangent$/m);
  expect(
    entry
      .match(/^MimeType=(.*)$/m)?.[1]
      ?.split(';')
      .filter(Boolean),
  ).toEqual([mimeType]);
  expect(entry).toMatch(/^StartupWMClass=/m);
  const type = read('usr', 'share', 'mime', 'packages', 'cotangent.xml');
  expect(type).toContain(`type="${mimeType}"`);
  for (const pattern of ['*.cot.json', '*.cot']) expect(type).toContain(`pattern="${pattern}"`);
  const icons = readdirSync(join(installed, 'usr', 'share', 'icons', 'hicolor'));
  for (const size of ['16x16', '48x48', '256x256', '512x512']) expect(icons).toContain(size);
});

test('the licences of all that it contains come with it', () => {
  const copyright = read('usr', 'share', 'doc', 'cotangent', 'copyright');
  for (const name of ['svelte', 'chart.js', 'katex', 'Inter', 'electron-updater']) expect(copyright).toContain(name);
  expect(readFileSync(join(resources, 'licences.txt'), 'utf8')).toBe(copyright);
  expect(existsSync(join(dirname(executable), 'LICENSES.chromium.html'))).toBe(true);
});

/** The files of an archive of Electron's, and what one of them holds: a header of JSON, behind which all lie in a row. */
function archive(path: string): { readonly names: readonly string[]; readonly text: (name: string) => string } {
  interface Node {
    readonly files?: Readonly<Record<string, Node>>;
    readonly offset?: string;
    readonly size?: number;
  }
  const bytes = readFileSync(path);
  const header = JSON.parse(bytes.toString('utf8', 16, 16 + bytes.readUInt32LE(12))) as Node;
  const walk = (node: Node, at: string): (readonly [string, Node])[] =>
    node.files ? Object.entries(node.files).flatMap(([name, each]) => walk(each, `${at}/${name}`)) : [[at, node]];
  const files = new Map(walk(header, ''));
  return {
    names: [...files.keys()],
    text(name) {
      const { offset, size = 0 } = files.get(name) ?? {};
      const from = 8 + bytes.readUInt32LE(4) + Number(offset);
      return bytes.toString('utf8', from, from + size);
    },
  };
}

test('what runs is made of bundles and the catalogue, and of nothing that they were made of', () => {
  const { names, text } = archive(join(resources, 'app.asar'));
  const places = new Set(names.map((name) => name.split('/').slice(0, 3).join('/')));
  expect([...places].sort()).toEqual([
    ...['/models/catalogue', '/out/main', '/out/preload', '/out/renderer'],
    '/package.json',
  ]);
  expect(names.filter((name) => /\.(map|ts|svelte)$/.test(name))).toEqual([]);
  for (const name of [
    'main/main.cjs',
    'main/engine.cjs',
    'main/worker.cjs',
    'preload/preload.cjs',
    'renderer/gpu.html',
  ])
    expect(names).toContain(`/out/${name}`);
  const own = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
    desktopName: string;
  };
  expect(JSON.parse(text('/package.json'))).toMatchObject({ main: 'out/main/main.cjs', desktopName: own.desktopName });
  // By that name a desktop finds its entry.
  expect(existsSync(join(installed, 'usr', 'share', 'applications', own.desktopName))).toBe(true);
});

test('the zip that is carried about holds the same', () => {
  const at = join(installed, '..');
  const [zip] = readdirSync(at).filter((name) => name.endsWith('.zip'));
  test.skip(zip === undefined, 'no zip was made');
  const entries = new Map<string, number>();
  const wanted = ['resources/licences.txt', 'usr/share/mime/packages/cotangent.xml'];
  const read = unzipSync(readFileSync(join(at, zip!)), {
    filter({ name, originalSize }) {
      if (!name.endsWith('/')) entries.set(name, originalSize);
      return wanted.includes(name);
    },
  });
  const folder = dirname(executable);
  const laidOut = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => [name, lstatSync(join(folder, name))] as const)
    .filter(([, state]) => !state.isDirectory())
    // What the system itself is told when the .deb is installed.
    .filter(([name]) => name !== 'resources/apparmor-profile')
    .map(([name, { size }]) => [name, size]);
  expect(Object.fromEntries(entries)).toMatchObject(Object.fromEntries(laidOut) as Record<string, number>);
  for (const name of wanted) expect(Buffer.from(read[name]!)).toEqual(readFileSync(join(folder, name)));
});

test('the .rpm installs the same files, for nobody but root to write, and tells the system the same', () => {
  const at = join(installed, '..');
  const [rpm] = readdirSync(at).filter((name) => name.endsWith('.rpm'));
  test.skip(rpm === undefined, 'no .rpm was made');
  const ask = (...args: readonly string[]): string =>
    execFileSync('rpm', ['-qp', ...args, join(at, rpm!)], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const entries = ask('--qf', String.raw`[%{FILEMODES:octal} %{FILEUSERNAME} %{FILESIZES} %{FILENAMES}\n]`)
    .trim()
    .split('\n')
    .map((line) => /^(?<mode>\d+) (?<owner>\S+) (?<size>\d+) (?<name>.+)$/.exec(line)?.groups ?? {})
    // 04…: a folder.
    .filter(({ mode = '' }) => !/^0?4\d{4}$/.test(mode));
  const laidOut = readdirSync(installed, { recursive: true, encoding: 'utf8' })
    .map((name) => [`/${name}`, lstatSync(join(installed, name))] as const)
    .filter(([, state]) => !state.isDirectory());
  expect(Object.fromEntries(entries.map(({ name = '', size }) => [name, Number(size)]))).toEqual(
    Object.fromEntries(laidOut.map(([name, { size }]) => [name, size])),
  );
  for (const { mode = '', owner, name } of entries)
    expect({ name, owner, others: Number.parseInt(mode, 8) & 0o022 }).toEqual({ name, owner: 'root', others: 0 });
  const scripts = ask('--scripts');
  for (const program of ['update-mime-database', 'update-desktop-database', "--remove 'cotangent'"])
    expect(scripts).toContain(program);
  expect(ask('--qf', '%{LICENSE} %{URL}')).toMatch(/^MIT https:/);
});

test('the system is told of its type and its entry as it is installed, and forgets its command and its profile', () => {
  const at = join(installed, '..');
  const [deb] = readdirSync(at).filter((name) => name.endsWith('.deb'));
  const said = (file: string): string =>
    execFileSync('dpkg-deb', ['--info', join(at, deb!), file], { encoding: 'utf8' });
  const control = said('control');
  for (const field of ['Package: cotangent', 'Section: science', 'Homepage: https://'])
    expect(control).toContain(field);
  for (const name of ['libgtk-3-0', 'libgbm1', 'libasound2 | libasound2t64'])
    expect(control).toMatch(new RegExp(`^Depends: .*\\b${name.replace('|', '\\|')}(,|$)`, 'm'));
  expect(control).toMatch(/^Maintainer: .+ <.+@.+>$/m);
  for (const program of ['update-mime-database', 'update-desktop-database', "'/opt/Cotangent/bin/cotangent' 100"])
    expect(said('postinst')).toContain(program);
  // That its type and entry are gone the system's own triggers see.
  expect(said('postrm')).toContain("--remove 'cotangent' '/opt/Cotangent/bin/cotangent'");
  expect(said('postrm')).toMatch(/rm -f .*APPARMOR_PROFILE_DEST/);
});

test('nothing that it installs is later than the last commit: the same sources are the same package', () => {
  const commit = spawnSync('git', ['log', '-1', '--format=%ct'], { encoding: 'utf8' });
  test.skip(commit.status !== 0, 'these sources are no clone of git');
  const [deb] = readdirSync(join(installed, '..')).filter((name) => name.endsWith('.deb'));
  const listed = execFileSync('dpkg-deb', ['--contents', join(installed, '..', deb!)], {
    ...{ encoding: 'utf8', maxBuffer: 2 ** 28 },
    env: { ...process.env, TZ: 'UTC' },
  });
  const times = [...listed.matchAll(/ (\d{4}-\d\d-\d\d) (\d\d:\d\d) /g)].map(([, day, minute]) =>
    Date.parse(`${day}T${minute}Z`),
  );
  expect(times.length).toBeGreaterThan(50);
  expect(Math.max(...times)).toBeLessThanOrEqual(Number(process.env['SOURCE_DATE_EPOCH'] ?? commit.stdout) * 1000);
});

test('its command is the command line, without a display, and comes with its manual page and completions', () => {
  const { DISPLAY: _x, WAYLAND_DISPLAY: _wayland, ...env } = process.env;
  const run = (path: string, ...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(path, args, { encoding: 'utf8', env, timeout: 60_000 });
    return { status, stdout, stderr };
  };
  const cotangent = join(dirname(executable), 'bin', 'cotangent');
  const model = join(resources, 'command-line', 'models', 'catalogue', 'misra1a.cot.json');
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(run(cotangent, '--version')).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
  expect(run(cotangent, '--licenses').stdout).toBe(readFileSync(join(resources, 'licences.txt'), 'utf8'));
  const fit = run(cotangent, 'fit', model, '--json');
  expect({ status: fit.status, stderr: fit.stderr }).toEqual({ status: 0, stderr: '' });
  expect(JSON.parse(fit.stdout)).toMatchObject({ status: 'converged' });
  expect(run(cotangent, 'check', 'absent.cot.json')).toMatchObject({ status: 2, stdout: '' });
  expect(gunzipSync(readFileSync(join(installed, 'usr', 'share', 'man', 'man1', 'cotangent.1.gz'))).toString()).toBe(
    run(cotangent, 'man').stdout,
  );
  for (const [shell, file] of [
    ['bash', 'bash-completion/completions/cotangent'],
    ['zsh', 'zsh/vendor-completions/_cotangent'],
    ['fish', 'fish/vendor_completions.d/cotangent.fish'],
  ] as const)
    expect(read('usr', 'share', ...file.split('/'))).toBe(run(cotangent, 'completion', shell).stdout);
  // The window's own program opens none in place of an answer.
  const window = run(executable, '--no-sandbox', 'completion', 'bash');
  expect({ status: window.status, stdout: window.stdout }).toEqual({ status: 2, stdout: '' });
  expect(window.stderr).toContain(`run ${cotangent} completion.\n`);
});

test('it ships its bundles, and nobody but root can write to them', () => {
  expect(readdirSync(resources).sort()).toEqual(expect.arrayContaining(['app.asar', 'licences.txt']));
  expect(existsSync(join(resources, 'app'))).toBe(false);
  // Without a feed there is no address to ask for versions.
  expect(existsSync(join(resources, 'app-update.yml'))).toBe(false);
  for (const file of [executable, join(resources, 'app.asar')]) expect(statSync(file).mode & 0o022).toBe(0);
});

test('says that newer versions are not looked for where there is no source of them', async ({ place }) => {
  const { page, close } = await place.open();
  await expect(page).toHaveTitle(/Misra1a/);
  await page.keyboard.press('ControlOrMeta+,');
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await expect(dialog.getByLabel('Look for newer versions')).toBeDisabled();
  await expect(dialog).toContainText('This build has no source of newer versions.');
  await close();
});

test('the menu lists what was opened last, also by a second start', async ({ place }) => {
  const { page, electron, close } = await place.open();
  await expect(page).toHaveTitle(/Misra1a/);
  const recent = () =>
    electron?.evaluate(({ Menu }) => {
      const items = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []);
      return items?.find(({ label }) => label === 'Open Recent')?.submenu?.items.map(({ label }) => label);
    });
  // Nobody touches the window meanwhile: it is not focused anew.
  await expect.poll(recent).toEqual(['misra1a']);
  const model = join(place.folder, 'another.cot.json');
  copyFileSync(place.model, model);
  await secondStart({ ...place, model: pathToFileURL(model).href });
  await expect.poll(recent).toEqual(['another', 'misra1a']);
  await close();
});

test('its pages come with the policy, and its menu has what the system has', async ({ place }) => {
  const { page, electron, close } = await place.open();
  await expect(page).toHaveTitle(/Misra1a/);
  for (const of of ['index.html', 'gpu.html']) {
    const headers = await page.evaluate(async (name) => Object.fromEntries((await fetch(name)).headers), of);
    for (const [name, value] of Object.entries(securityHeaders("'self'")))
      expect(headers[name.toLowerCase()], of).toBe(value);
  }
  await page.bringToFront();
  const labels = await electron?.evaluate(({ Menu }) => {
    const all = (menu: Electron.Menu | null | undefined): string[] =>
      (menu?.items ?? []).flatMap(({ label, role, submenu }) => [label || String(role), ...all(submenu)]);
    return all(Menu.getApplicationMenu());
  });
  for (const label of ['Open Recent', 'Revert to Saved', 'Settings…', 'Collect Logs…', 'Licences'])
    expect(labels).toContain(label);
  expect(labels?.some((label) => /about/i.test(label))).toBe(true);
  await close();
});
