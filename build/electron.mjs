/** Where the Electron is that runs the desktop app here. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, runQuietly, sourceHash } from './prepare.mjs';

const package_ = join(root, 'node_modules', 'electron');

export function hasDisplay() {
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

/** The folder of the binary that the `electron` package has fetched; undefined where it has not. */
export function fetchedElectron() {
  const pathFile = join(package_, 'path.txt');
  const there = existsSync(pathFile) && existsSync(join(package_, 'dist', readFileSync(pathFile, 'utf8').trim()));
  return there ? join(package_, 'dist') : undefined;
}

/**
 * Electron comes without its binary since version 42: where a window could be shown it is fetched beside the app, which is
 * served to a browser meanwhile. What has come of it stays when that is stopped, and the next start goes on.
 */
export function fetchElectron() {
  if (process.env.ELECTRON_DIST || !hasDisplay() || fetchedElectron()) return;
  process.stderr.write('Electron is not here yet and is fetched; meanwhile the app is served to a browser.\n');
  spawn(process.execPath, [join(root, 'build', 'fetch-electron.mjs')], { stdio: ['ignore', 2, 2] }).unref();
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
