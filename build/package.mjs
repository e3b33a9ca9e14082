/** `npm run package [-- --dir] [--output=FOLDER]`: the desktop package in release/ unless said, around the Electron in ELECTRON_DIST where that is set. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, root, runQuietly } from './prepare.mjs';

await prepare();

const args = ['--config', join('build', 'builder.config.mjs'), '--publish', 'never'];
if (process.argv.includes('--dir')) args.push('--dir');
const output = process.argv.find((arg) => arg.startsWith('--output='))?.slice('--output='.length);
if (output) args.push(`-c.directories.output=${output}`);
const dist = process.env.ELECTRON_DIST;
if (dist) {
  const version = readFileSync(join(dist, 'version'), 'utf8').trim().replace(/^v/, '');
  args.push(`-c.electronDist=${dist}`, `-c.electronVersion=${version}`);
}
process.exitCode = runQuietly(process.execPath, [join(root, 'node_modules', 'electron-builder', 'cli.js'), ...args]);
