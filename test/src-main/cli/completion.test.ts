import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe as group, expect, it } from 'vitest';
import { describe } from '../../../src-main/cli/completion/described.ts';
import { manualPage } from '../../../src-main/cli/completion/manual.ts';
import { completionFor, shells } from '../../../src-main/cli/completion/shells.ts';
import { createProgram } from '../../../src-main/cli/program.ts';

const commands = describe(createProgram());

/** What bash would offer for the last of these words. */
function offered(...line: string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'cotangent-completion-'));
  try {
    writeFileSync(join(folder, 'decay.cot.json'), '');
    const script = [
      completionFor('bash', commands),
      `COMP_WORDS=(cotangent ${line.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${line.length}`,
      '_cotangent; printf "%s\\n" "${COMPREPLY[@]}"',
    ].join('\n');
    return execFileSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8' }).split('\n').filter(Boolean);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

group.skipIf(!existsSync('/bin/bash'))('bash', () => {
  it('completes commands, those below them, files, options and their values', () => {
    expect(offered('che')).toEqual(['check']);
    expect(offered('ensemble', 'p')).toEqual(['prepare']);
    expect(offered('check', 'dec')).toEqual(['decay.cot.json']);
    expect(offered('fit', 'decay.cot.json', '--max')).toEqual(['--max-iterations']);
    expect(offered('sensitivity', 'decay.cot.json', '--method', 'so')).toEqual(['sobol']);
    expect(offered('benchmark', 'pap')).toEqual(['paper']);
    expect(offered('completion', '')).toEqual([...shells]);
  });
});

it('is made for every shell, of every command and option', () => {
  for (const shell of shells) {
    const text = completionFor(shell, commands);
    for (const { path, options } of commands) {
      for (const part of path.split(' ')) expect(text).toContain(part);
      for (const { flag } of options) expect(text).toContain(shell === 'fish' ? `-l ${flag.slice(2)}` : flag);
    }
    expect(text.endsWith('\n')).toBe(true);
  }
});

it('has a manual page with every command, option and exit status', () => {
  const page = manualPage('1.2.3', commands);
  expect(page).toMatch(/^\.TH COTANGENT 1 "" "Cotangent 1\.2\.3"\n/);
  expect(page).toContain('.SS cotangent ensemble prepare <model>\n');
  expect(page).toContain('.B \\-\\-max\\-iterations <n>\n');
  expect(page).toContain('levenberg\\-marquardt');
  for (const status of [0, 1, 2, 3, 130]) expect(page).toContain(`.B ${status}\n`);
  // No line of text is taken for a macro.
  for (const line of page.split('\n').filter((each) => each.startsWith('.')))
    expect(line).toMatch(/^\.(TH|SH|SS|TP|B)( |$)/);
});
