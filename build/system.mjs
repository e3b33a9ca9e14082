/** What the tests need of the system besides Node: a Chromium, and on a machine without a display a virtual one. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runQuietly } from './prepare.mjs';

/** The path of the first of these programs that is there. */
export function findProgram(...names) {
  for (const folder of (process.env.PATH ?? '').split(delimiter))
    for (const name of names) if (existsSync(join(folder, name))) return join(folder, name);
  return undefined;
}

function findChromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const mac = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
  return (
    findProgram('chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome') ??
    (existsSync(mac) ? mac : undefined)
  );
}

function aptInstall(packages) {
  if (packages.length === 0 || process.getuid?.() !== 0 || !findProgram('apt-get')) return;
  process.stderr.write(`Installing ${packages.join(', ')} …\n`);
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  runQuietly('apt-get', ['update', '-qq'], options);
  runQuietly('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], options);
}

/**
 * Finds what the tests need, as root on Debian installing what is missing. What then is still missing is named in
 * `missing`, with what will not be tested without it.
 */
export function findSystem({ needsDisplay }) {
  const wantsXvfb = needsDisplay && process.platform === 'linux';
  aptInstall([
    ...(findChromium() ? [] : ['chromium']),
    ...(wantsXvfb && !findProgram('xvfb-run') ? ['xvfb', 'xauth'] : []),
  ]);
  const chromium = findChromium();
  const xvfb = findProgram('xvfb-run');
  const missing = [];
  if (!chromium) missing.push('Chromium is missing: the window is not tested in a browser (set CHROMIUM to its path).');
  if (wantsXvfb && !xvfb)
    missing.push('xvfb-run is missing: the desktop app is not tested (Debian: apt-get install xvfb xauth).');
  return { chromium, xvfb, missing };
}

/** Chromium's software Vulkan driver, by which Node's WebGPU works on a machine without a GPU. */
export function softwareVulkan() {
  return ['/usr/lib/chromium/vk_swiftshader_icd.json', '/usr/lib64/chromium-browser/vk_swiftshader_icd.json'].find(
    existsSync,
  );
}

/** Runs a child and passes its output on; gives its exit status. */
export function runVisibly(command, args, options = {}) {
  const result = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options });
  return result.status ?? 1;
}

/** Runs a child beside others and passes its output on; resolves with its exit status. */
export function runBeside(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options });
    child.once('error', reject);
    child.once('close', (status) => resolve(status ?? 1));
  });
}

/** Runs a child beside others; resolves with its exit status and all that it said. */
export function runToEnd(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    const pieces = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => pieces.push(piece));
    child.once('error', reject);
    child.once('close', (status) => resolve({ status: status ?? 1, output: Buffer.concat(pieces).toString() }));
  });
}
