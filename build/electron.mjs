/** Where the Electron is that runs the desktop app here. */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root, runQuietly, sourceHash } from './prepare.mjs';

const package_ = join(root, 'node_modules', 'electron');
const failure = join(root, 'node_modules', '.cache', 'cotangent', 'electron-not-fetched');
const retryAfterMilliseconds = 24 * 3600 * 1000;

export function hasDisplay() {
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

/** The folder of the binary that the `electron` package has fetched; undefined where it has not. */
export function fetchedElectron() {
  const pathFile = join(package_, 'path.txt');
  const there = existsSync(pathFile) && existsSync(join(package_, 'dist', readFileSync(pathFile, 'utf8').trim()));
  return there ? join(package_, 'dist') : undefined;
}

/** It shows its progress on a terminal. However slow the line is, it may take half an hour; what goes wrong is no fault of ours. */
function installElectron() {
  try {
    return runQuietly(process.execPath, [join(package_, 'install.js')], { timeout: 1_800_000 }) === 0;
  } catch {
    return false;
  }
}

/**
 * Electron comes without its binary since version 42: fetches it by its own install script where a window could be
 * shown. Where that fails the app is served to a browser instead, and the next try is a day away.
 */
export function fetchElectron() {
  if (process.env.ELECTRON_DIST || !hasDisplay() || fetchedElectron()) return;
  if (existsSync(failure) && Date.now() - statSync(failure).mtimeMs < retryAfterMilliseconds) return;
  process.stderr.write('Fetching Electron …\n');
  if (installElectron() && fetchedElectron()) {
    rmSync(failure, { force: true });
    return;
  }
  process.stderr.write('Electron could not be fetched; the app is served to a browser until tomorrow.\n');
  mkdirSync(dirname(failure), { recursive: true });
  writeFileSync(failure, '');
}

/**
 * An Electron without its default app runs no folder, only what is packaged around it: packages the app once for each
 * build and names its executable in COTANGENT_APP. Where that fails the app is served to a browser.
 */
export function packageAround() {
  const dist = process.env.ELECTRON_DIST;
  if (!dist || !hasDisplay() || process.platform !== 'linux') return;
  if (existsSync(join(dist, 'resources', 'default_app.asar'))) return;
  const output = join(root, '.cache', 'app');
  const stamp = join(output, 'stamp');
  const wanted = `${dist} ${sourceHash()}`;
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
    process.stderr.write('Packaging the app around ELECTRON_DIST …\n');
    const status = runQuietly(process.execPath, [join(root, 'build', 'package.mjs'), '--dir', `--output=${output}`]);
    if (status !== 0) return;
    writeFileSync(stamp, wanted);
  }
  process.env.COTANGENT_APP = join(output, 'linux-unpacked', 'cotangent');
}
