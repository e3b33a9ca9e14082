/** `cotangent` as a package for Linux has it, in an app that says what it was started with. */
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runProcess } from '../support/process.ts';

function program(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, 0o755);
}

/** Starts it through a link, as /usr/bin has one, where `node` says that it is of this version; undefined for none. */
function started(node: string | undefined, ...args: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'cotangent-launcher-'));
  const app = join(folder, 'the app');
  const programs = join(folder, 'programs');
  program(join(app, 'cotangent'), '#!/bin/sh\necho window "$@"\n');
  mkdirSync(join(app, 'bin'));
  copyFileSync(join(import.meta.dirname, '../../build/resources/cotangent.sh'), join(app, 'bin', 'cotangent'));
  mkdirSync(programs);
  for (const name of ['dirname', 'readlink']) symlinkSync(`/usr/bin/${name}`, join(programs, name));
  if (node !== undefined)
    program(
      join(programs, 'node'),
      `#!/bin/sh\nif [ "$1" = --version ]; then echo ${node}; else echo "for $COTANGENT_APP: $@"; exit 3; fi\n`,
    );
  const link = join(folder, 'cotangent');
  symlinkSync(join(app, 'bin', 'cotangent'), link);
  const { status, stdout, stderr } = spawnSync('/bin/sh', [link, ...args], {
    encoding: 'utf8',
    env: { PATH: [programs].join(delimiter) },
  });
  return { status, stdout: stdout.replaceAll(app, 'APP'), stderr };
}

const commandLine = 'for APP/cotangent: APP/resources/command-line/out/cli/cotangent.mjs';

describe.skipIf(process.platform !== 'linux')('the installed command', () => {
  it('is the command line on the Node that is there, with its status', () => {
    for (const args of [['fit', 'my model.cot.json', '--json'], ['--version'], ['model.cot'], []])
      expect(started('v18.19.0', ...args)).toEqual({
        status: 3,
        stdout: `${[commandLine, ...args].join(' ')}\n`,
        stderr: '',
      });
  });

  it('opens the window without Node, or with one that is too old, and says that commands need it', () => {
    for (const node of [undefined, 'v12.22.9', '']) {
      expect(started(node)).toEqual({ status: 0, stdout: 'window\n', stderr: '' });
      expect(started(node, 'open', 'a b.cot')).toMatchObject({ status: 0, stdout: 'window a b.cot\n' });
      expect(started(node, 'a.cot.json')).toMatchObject({ status: 0, stdout: 'window a.cot.json\n' });
      for (const command of ['check', '--version', 'completion']) {
        const { status, stdout, stderr } = started(node, command, 'bash');
        expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
        expect(stderr).toMatch(/^cotangent: commands need Node 18 .*\n$/);
      }
    }
  });

  it('hands what is for Chromium to the window', () => {
    expect(started('v20.0.0', '--no-sandbox', 'a.cot')).toMatchObject({ stdout: 'window --no-sandbox a.cot\n' });
  });
});

it('a file in place of a command is opened', async () => {
  for (const file of ['gone.cot.json', './gone', 'gone.cot'])
    expect(await runProcess([file])).toEqual({
      ...{ status: 2, stdout: '' },
      stderr: `cotangent: ${file} cannot be opened: there is no such file.\n`,
    });
});
