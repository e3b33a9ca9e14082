#!/usr/bin/env node
/**
 * Packs what electron-builder lays out for a .deb by dpkg-deb alone, in place of fpm, which it would download: takes the
 * arguments that it gives fpm, and knows none that it does not give.
 *
 *     CUSTOM_FPM_PATH=build/pack-deb.mjs electron-builder --linux deb
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const flags = ['--force', '--debug'];
const given = new Map();
const copies = [];
const args = process.argv.slice(2);
while (args.length > 0) {
  const arg = args.shift();
  if (flags.includes(arg)) continue;
  if (arg.startsWith('-')) given.set(arg, [...(given.get(arg) ?? []), args.shift()]);
  else copies.push(/^(?<from>[^=]+)=(?<to>\/.+)$/.exec(arg).groups);
}
const all = (name) => given.get(name) ?? [];
const one = (name) => {
  const [value] = all(name);
  if (value === undefined) throw new Error(`pack-deb wants ${name}.`);
  return value;
};
if (one('-s') !== 'dir' || one('-t') !== 'deb') throw new Error('pack-deb makes a deb of a folder, and nothing else.');

const staging = mkdtempSync(join(tmpdir(), 'cotangent-deb-'));
try {
  chmodSync(staging, 0o755);
  for (const { from, to } of copies) {
    mkdirSync(dirname(join(staging, to)), { recursive: true });
    cpSync(from, join(staging, to), { recursive: true, preserveTimestamps: true });
    if (statSync(from).isFile()) chmodSync(join(staging, to), 0o644);
  }
  const kilobytes = execFileSync('du', ['-sk', '--apparent-size', staging], { encoding: 'utf8' }).split('\t')[0];
  const lines = one('--description')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const fields = {
    Package: one('--name'),
    Version: one('--version'),
    Architecture: one('--architecture'),
    Maintainer: one('--maintainer'),
    'Installed-Size': kilobytes,
    Depends: all('-d').join(', '),
    Recommends: all('--deb-recommends').join(', '),
    Section: all('--category')[0] ?? 'science',
    Priority: one('--deb-priority'),
    Homepage: one('--url'),
    Description: lines.map((line, i) => (i === 0 ? line : ` ${line}`)).join('\n'),
  };
  const control = join(staging, 'DEBIAN');
  mkdirSync(control);
  const shown = Object.entries(fields).filter(([, value]) => value !== '');
  writeFileSync(join(control, 'control'), `${shown.map(([name, value]) => `${name}: ${value}`).join('\n')}\n`);
  for (const [script, option] of [
    ['postinst', '--after-install'],
    ['postrm', '--after-remove'],
  ]) {
    writeFileSync(join(control, script), readFileSync(one(option)));
    chmodSync(join(control, script), 0o755);
  }
  // What is tested is unpacked at once: there a small file is not worth minutes.
  const compression = process.env.COTANGENT_TEST_BUILD ? ['-Zgzip', '-z1'] : ['-Zxz'];
  execFileSync('dpkg-deb', ['--root-owner-group', ...compression, '--build', staging, one('--package')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
} finally {
  rmSync(staging, { recursive: true, force: true });
}
