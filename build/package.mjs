/** `npm run package [-- --dir] [--target=deb] [--output=FOLDER]`: the desktop package in release/ unless said, around the Electron in ELECTRON_DIST where that is set. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, root, runQuietly } from './prepare.mjs';
import { findProgram } from './system.mjs';

await prepare();

const args = ['--config', join('build', 'builder.config.mjs'), '--publish', 'never'];
if (process.argv.includes('--dir')) args.push('--dir');
const target = process.argv.find((arg) => arg.startsWith('--target='))?.slice('--target='.length);
if (target) args.push('--linux', target);
const output = process.argv.find((arg) => arg.startsWith('--output='))?.slice('--output='.length);
if (output) args.push(`-c.directories.output=${output}`);
const dist = process.env.ELECTRON_DIST;
if (dist) {
  const version = readFileSync(join(dist, 'version'), 'utf8').trim().replace(/^v/, '');
  args.push(`-c.electronDist=${dist}`, `-c.electronVersion=${version}`);
}
// electron-builder would download fpm; a .deb needs no more than dpkg-deb, an .rpm no more than rpmbuild.
const env = { ...process.env };
if (process.platform === 'linux' && !findProgram('fpm')) env.CUSTOM_FPM_PATH ??= join(root, 'build', 'pack-linux.mjs');
else if (findProgram('fpm')) env.USE_SYSTEM_FPM ??= 'true';
process.exitCode = runQuietly(process.execPath, [join(root, 'node_modules', 'electron-builder', 'cli.js'), ...args], {
  env,
});
