#!/usr/bin/env node
/**
 * Packs what electron-builder lays out for Linux by the system's own tools, dpkg-deb for a .deb and rpmbuild for an .rpm, in
 * place of fpm, which it would download: takes the arguments that it gives fpm, and knows none that it does not give.
 *
 *     CUSTOM_FPM_PATH=build/pack-linux.mjs electron-builder --linux deb
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
  if (value === undefined) throw new Error(`pack-linux wants ${name}.`);
  return value;
};
const described = () =>
  one('--description')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
/** What is tested is unpacked at once: there a small file is not worth minutes. */
const isQuick = Boolean(process.env.COTANGENT_TEST_BUILD);
const run = (command, options) => execFileSync(command, options, { stdio: ['ignore', 'ignore', 'inherit'] });
const packers = { deb: packDeb, rpm: packRpm };
const pack = packers[one('-t')];
if (one('-s') !== 'dir' || !pack) throw new Error('pack-linux makes a deb or an rpm of a folder, and nothing else.');

const staging = mkdtempSync(join(tmpdir(), 'cotangent-package-'));
const root = join(staging, 'root');
try {
  mkdirSync(root);
  for (const { from, to } of copies) {
    mkdirSync(dirname(join(root, to)), { recursive: true });
    cpSync(from, join(root, to), { recursive: true, preserveTimestamps: true });
    if (statSync(from).isFile()) chmodSync(join(root, to), 0o644);
  }
  pack();
} finally {
  rmSync(staging, { recursive: true, force: true });
}

function packDeb() {
  const kilobytes = execFileSync('du', ['-sk', '--apparent-size', root], { encoding: 'utf8' }).split('\t')[0];
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
    Description: described()
      .map((line, i) => (i === 0 ? line : ` ${line}`))
      .join('\n'),
  };
  const control = join(root, 'DEBIAN');
  mkdirSync(control);
  writeFileSync(join(control, 'control'), lines(fields));
  for (const [script, option] of [
    ['postinst', '--after-install'],
    ['postrm', '--after-remove'],
  ]) {
    writeFileSync(join(control, script), readFileSync(one(option)));
    chmodSync(join(control, script), 0o755);
  }
  const compression = isQuick ? ['-Zgzip', '-z1'] : ['-Zxz'];
  run('dpkg-deb', ['--root-owner-group', ...compression, '--build', root, one('--package')]);
}

/** The package is laid out already: rpmbuild is to take it as it is, to look for nothing in it, and to change nothing. */
function packRpm() {
  const fields = {
    Name: one('--name'),
    Version: one('--version').replaceAll('-', '~'),
    Release: all('--iteration')[0] ?? '1',
    Summary: all('--rpm-summary')[0] ?? described()[0],
    License: all('--license')[0] ?? '',
    Vendor: one('--vendor'),
    Packager: one('--maintainer'),
    URL: one('--url'),
    Group: all('--category')[0] ?? '',
    AutoReqProv: 'no',
    Requires: all('-d').join(', '),
  };
  /** As `%post -p /bin/bash`: what a script is for another shell than the system's says its first line. */
  const script = (section, option, around = (text) => text) => {
    const { shell, text } = /^(?:#!\s*(?<shell>\S+).*\n)?(?<text>[^]*)$/.exec(readFileSync(one(option), 'utf8')).groups;
    return `${section}${shell ? ` -p ${shell}` : ''}\n${around(text.replaceAll('%', '%%'))}`;
  };
  const spec = [
    ...['%global debug_package %{nil}', '%global _build_id_links none', '%global __os_install_post %{nil}'],
    lines(fields),
    `%description\n${described().join('\n').replaceAll('%', '%%')}`,
    script('%post', '--after-install'),
    // An update removes the old version once the new one is there: what that needs must stay.
    script('%postun', '--after-remove', (text) => `if [ "$1" = 0 ]; then\n${text}\nfi`),
    '%files\n%defattr(-,root,root,-)',
    ...copies.map(({ to }) => JSON.stringify(to.replace(/\/$/, ''))),
  ];
  writeFileSync(join(staging, 'package.spec'), `${spec.join('\n')}\n`);
  const defined = {
    _topdir: join(staging, 'rpm'),
    _rpmdir: join(staging, 'rpms'),
    _rpmfilename: 'package.rpm',
    _binary_payload: isQuick ? 'w1.gzdio' : 'w6.xzdio',
    // The same content is the same file.
    use_source_date_epoch_as_buildtime: '1',
    clamp_mtime_to_source_date_epoch: '1',
    _buildhost: 'localhost',
  };
  const defines = Object.entries(defined).flatMap(([name, value]) => ['--define', `${name} ${value}`]);
  const target = { amd64: 'x86_64', arm64: 'aarch64' }[one('--architecture')] ?? one('--architecture');
  // It clears the folder that it takes the files from when it is done.
  run('rpmbuild', [
    '-bb',
    '--quiet',
    '--target',
    target,
    '--buildroot',
    root,
    ...defines,
    join(staging, 'package.spec'),
  ]);
  cpSync(join(staging, 'rpms', 'package.rpm'), one('--package'));
}

/** `Name: value`, a line each, of what there is. */
function lines(fields) {
  return Object.entries(fields)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
}
