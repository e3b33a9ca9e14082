/** Fetches the Electron that package.json pins, which its package comes without since version 42, and unpacks it where that looks for it. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { download, electronUrl, whyNot } from './download.mjs';
import { root } from './prepare.mjs';

const package_ = join(root, 'node_modules', 'electron');
const require = createRequire(join(package_, 'index.js'));
const read = (name) => JSON.parse(readFileSync(join(package_, name), 'utf8'));

const executables = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' };

const { version } = read('package.json');
const name = `electron-v${version}-${process.platform}-${process.arch}.zip`;
const url = electronUrl(version, name, process.env);
const folder = join(root, '.cache', 'electron');
const file = join(folder, name);

const megabytes = (bytes) => Math.round(bytes / 1e6);
let shown = -1;

/** A line on a terminal, a line for each tenth elsewhere. */
function progress(come, all) {
  const share = Number.isNaN(all) ? '' : ` of ${megabytes(all)}`;
  const text = `Fetching Electron: ${megabytes(come)}${share} MB`;
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
  else if (Math.floor((10 * come) / all) > shown) process.stderr.write(`${text}\n`);
  shown = Math.max(shown, Math.floor((10 * come) / all));
}

try {
  mkdirSync(folder, { recursive: true });
  await download({ url, file, sha256: read('checksums.json')[name], onProgress: progress });
  const { extract } = require('@electron-internal/extract-zip');
  const dist = join(package_, 'dist');
  rmSync(dist, { recursive: true, force: true });
  await extract(file, { dir: dist });
  writeFileSync(join(package_, 'path.txt'), executables[process.platform] ?? 'electron');
  rmSync(file);
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  process.stderr.write('Electron is here: the next start opens a window of its own.\n');
} catch (error) {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  process.stderr.write(
    `Electron could not be fetched: ${whyNot(error, url)}. The next start goes on where this one stopped; the app runs in a browser until then.\n`,
  );
  process.exitCode = 1;
}
