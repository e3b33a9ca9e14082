/**
 * `npm run package [-- --dir] [--target=deb …] [--output=FOLDER]`: the desktop package in release/ unless said, around the Electron in
 * ELECTRON_DIST where that is set.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeLinuxFiles } from './linux-files.mjs';
import { prepare, root, runQuietly } from './prepare.mjs';
import { findProgram } from './system.mjs';

await prepare();
if (process.platform === 'linux') writeLinuxFiles();

const args = ['--config', join('build', 'builder.config.mjs'), '--publish', 'never'];
if (process.argv.includes('--dir')) args.push('--dir');
const said = (name) =>
  process.argv.flatMap((arg) => (arg.startsWith(`--${name}=`) ? [arg.slice(name.length + 3)] : []));
const targets = said('target');
if (targets.length > 0) args.push('--linux', ...targets);
const [output] = said('output');
if (output) args.push(`-c.directories.output=${output}`);
const dist = process.env.ELECTRON_DIST;
if (dist) {
  const version = readFileSync(join(dist, 'version'), 'utf8').trim().replace(/^v/, '');
  args.push(`-c.electronDist=${dist}`, `-c.electronVersion=${version}`);
}
// electron-builder would download fpm and 7-Zip; a .deb needs no more than dpkg-deb, an .rpm rpmbuild, and a zip nothing.
const env = { ...process.env };
// The same sources are the same package: what is in it is no later than the last commit. Outside a clone nobody knows of one.
const { stdout: committed } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' });
if (committed) env.SOURCE_DATE_EPOCH ??= committed.trim();
const ours = (name) => join(root, 'build', name);
if (findProgram('fpm')) env.USE_SYSTEM_FPM ??= 'true';
else if (process.platform === 'linux') env.CUSTOM_FPM_PATH ??= ours('pack-linux.mjs');
if (process.platform === 'linux') env.ELECTRON_BUILDER_7ZIP_PATH ??= findProgram('7za') ?? ours('pack-zip.mjs');
process.exitCode = runQuietly(process.execPath, [join(root, 'node_modules', 'electron-builder', 'cli.js'), ...args], {
  env,
});
