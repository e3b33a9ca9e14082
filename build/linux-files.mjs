/**
 * What a package for Linux has beside the app, written to out/linux: the command line, completions and the manual page, as the command line
 * gives them, and electron-builder's scripts of installation, with /usr/bin/cotangent as the command line and not the window.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from './prepare.mjs';

const said = (...args) => execFileSync(process.execPath, [join(root, 'build', 'cotangent.mjs'), ...args]);

const templates = join(root, 'node_modules', 'app-builder-lib', 'templates', 'linux');
const started = '/opt/${sanitizedProductName}/${executable}';

function script(name) {
  const text = readFileSync(join(templates, name), 'utf8');
  if (!text.includes(`'${started}'`)) throw new Error(`${name} of electron-builder makes another link than before.`);
  return text.replaceAll(`'${started}'`, "'/opt/${sanitizedProductName}/bin/${executable}'");
}

/** Of the command line, as it lies among the sources: what electron-builder takes from there itself it would leave out of the app. */
const commandLine = ['package.json', 'out/licences.txt', 'out/cli', 'out/renderer', 'models/catalogue'];

export function writeLinuxFiles() {
  const files = {
    'after-install.tpl': script('after-install.tpl'),
    'after-remove.tpl': script('after-remove.tpl'),
    'cotangent.1.gz': gzipSync(said('man'), { level: 9 }),
    'cotangent.bash': said('completion', 'bash'),
    _cotangent: said('completion', 'zsh'),
    'cotangent.fish': said('completion', 'fish'),
  };
  const folder = join(root, 'out', 'linux');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const path of commandLine)
    cpSync(join(root, path), join(folder, 'command-line', path), {
      recursive: true,
      preserveTimestamps: true,
      filter: (name) => !/\.(map|ts)$/.test(name),
    });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
}
