/**
 * Brings a bare clone about: installs what package-lock.json names and builds what has changed. Plain Node without
 * dependencies, since it runs before there are any. Everything that it says goes to standard error.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const minimum = [20, 19];

/** What the build reads: a change in any of it means a new build. */
const sources = ['engine', 'models', 'src-main', 'src-renderer', 'build', 'electron.config.ts', 'package-lock.json'];

const stampFile = join(root, 'out', 'stamp');
const lockFolder = join(root, '.cache', 'preparing');

/** Runs a child with its output on our standard error, so that standard output stays the caller's. */
export function runQuietly(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], ...options });
  if (result.error) throw result.error;
  return result.status ?? 1;
}

/** It cannot go on, for the reason that the sentence says; of what went wrong its program has told. */
class Unprepared extends Error {}

/** The same, of a child beside which something else is done. */
function runMeanwhile(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 2, 2], ...options });
    child.once('error', reject);
    child.once('close', (status) => resolve(status ?? 1));
  });
}

export function ensureNodeVersion() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > minimum[0] || (major === minimum[0] && minor >= minimum[1])) return;
  process.stderr.write(`Cotangent needs Node ${minimum.join('.')} or later; this is Node ${process.versions.node}.\n`);
  process.exit(1);
}

/** npm's own record of what it has installed, compared with the lockfile: true when nothing is missing or of another version. */
export function isInstalled(folder = root) {
  const record = join(folder, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const wanted = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages;
  const installed = JSON.parse(readFileSync(record, 'utf8')).packages;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true;
    const found = installed[path];
    // Optional packages are those of other platforms; nothing asks for an extraneous one: absent is as it should be.
    if (!found) return Boolean(entry.optional || entry.devOptional || entry.extraneous);
    return found.version === entry.version;
  });
}

/** `12 of 420 packages`: of what the lockfile names for this machine or another, what has a folder. */
export function installedSoFar(folder = root) {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  const paths = Object.keys(packages).filter((path) => path !== '');
  return `${paths.filter((path) => existsSync(join(folder, path))).length} of ${paths.length} packages`;
}

const tellEveryMilliseconds = 10_000;

/** Where somebody looks on, says from time to time how far it is. */
async function telling(work) {
  if (!process.stderr.isTTY) return work();
  const timer = setInterval(() => process.stderr.write(`  ${installedSoFar()} …\n`), tellEveryMilliseconds);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

async function install() {
  if (isInstalled()) return;
  process.stderr.write('Installing what package-lock.json names …\n');
  // npm tells its children where it is; going through Node spares a shell on Windows.
  const npm = process.env.npm_execpath;
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const status = await telling(() =>
    npm?.endsWith('.js')
      ? runMeanwhile(process.execPath, [npm, ...args])
      : runMeanwhile('npm', args, { shell: process.platform === 'win32' }),
  );
  if (status !== 0)
    throw new Unprepared(
      'The packages that Cotangent is made with could not be installed, for what npm says above: see that its registry can be reached from here (`npm ping`) and that the disk has room, then give the same command again.',
    );
}

function filesUnder(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesUnder(join(path, name)));
}

/** A hash of every source file's name and content. */
export function sourceHash(folder = root) {
  const hash = createHash('sha256');
  for (const source of sources) {
    for (const file of filesUnder(join(folder, source))) {
      const content = readFileSync(file);
      hash.update(`${relative(folder, file)}\0${content.length}\0`).update(content);
    }
  }
  return hash.digest('hex');
}

export function isBuilt() {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === sourceHash();
}

function build() {
  const hash = sourceHash();
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === hash) return;
  process.stderr.write('Building …\n');
  rmSync(stampFile, { force: true });
  const status = runQuietly(process.execPath, [join(root, 'build', 'bundle.mjs')]);
  if (status !== 0)
    throw new Unprepared(
      'Cotangent could not be built, for what is said above: where nothing in the sources was changed, `npm ci` and the same command again may help.',
    );
  writeFileSync(stampFile, hash);
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Two at once would delete each other's node_modules: one works, the other waits. */
async function withLock(work) {
  mkdirSync(dirname(lockFolder), { recursive: true });
  const owner = join(lockFolder, 'pid');
  for (;;) {
    try {
      mkdirSync(lockFolder);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      const pid = existsSync(owner) ? Number(readFileSync(owner, 'utf8')) : undefined;
      const abandoned =
        pid === undefined
          ? Date.now() - (statSync(lockFolder, { throwIfNoEntry: false })?.mtimeMs ?? 0) > 5000
          : !isAlive(pid);
      if (abandoned) rmSync(lockFolder, { recursive: true, force: true });
      else await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
  try {
    writeFileSync(owner, String(process.pid));
    await work();
  } finally {
    rmSync(lockFolder, { recursive: true, force: true });
  }
}

/** Installs and builds what is missing or out of date; ends the process, with a sentence, where that cannot be. */
export async function prepare() {
  ensureNodeVersion();
  if (isInstalled() && isBuilt()) return;
  try {
    await withLock(async () => {
      await install();
      build();
    });
  } catch (error) {
    if (!(error instanceof Unprepared)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
