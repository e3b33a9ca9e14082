/** Shells as people use them: a line typed up to Tab, on a terminal of its own. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Whether these programs are here. */
export const areHere = (...programs: readonly string[]): boolean =>
  programs.every((name) => (process.env['PATH'] ?? '').split(delimiter).some((at) => existsSync(join(at, name))));

/** How each is started on files of ours alone, with `text` for what it reads first. */
const starts = {
  bash: (home: string, text: string) => {
    writeFileSync(join(home, 'rc'), text);
    return `bash --noprofile --rcfile '${join(home, 'rc')}' -i`;
  },
  zsh: (home: string, text: string) => {
    writeFileSync(join(home, '.zshrc'), text);
    return `ZDOTDIR='${home}' zsh -d -i`;
  },
} as const;

export type TypingShell = keyof typeof starts;

interface Typing {
  readonly folder: string;
  /** The command line under test. */
  readonly script: string;
  /** What the shell reads before: the completions. */
  readonly reads: string;
  readonly lines: readonly string[];
}

/** Where the shell of such a folder is at home. */
export function homeIn(folder: string): string {
  const home = join(folder, '.home');
  mkdirSync(home, { recursive: true });
  return home;
}

/** In the place of the program: it answers completions, and takes down what else it is called with. */
function putProgram(home: string, script: string, record: string): void {
  const program = join(home, 'cotangent');
  const answer = `if [ "$1" = ids ]; then exec '${process.execPath}' '${script}' "$@"; fi`;
  writeFileSync(program, `#!/bin/sh\n${answer}\nprintf '%s\\t' "$@" >> '${record}'\necho >> '${record}'\n`);
  chmodSync(program, 0o755);
  writeFileSync(record, '');
}

/**
 * The arguments that `cotangent` is called with where each of these lines is typed, Tab pressed and the line entered, and
 * all that was shown. Needs script(1), which lends a terminal.
 */
export function typed(
  shell: TypingShell,
  { folder, script, reads, lines }: Typing,
): { calls: string[][]; shown: string } {
  const home = homeIn(folder);
  const record = join(home, 'called');
  putProgram(home, script, record);
  const { stdout } = spawnSync('script', ['--quiet', '--command', starts[shell](home, reads), '/dev/null'], {
    cwd: folder,
    encoding: 'utf8',
    input: [...lines.map((line) => `${line}\t\n`), 'exit\n'].join(''),
    env: { ...process.env, HOME: home, PATH: `${home}${delimiter}${process.env['PATH'] ?? ''}`, TERM: 'dumb' },
    timeout: 120_000,
  });
  const calls = readFileSync(record, 'utf8').trimEnd().split('\n');
  return { calls: calls.map((call) => call.split('\t').filter(Boolean)), shown: stdout };
}

/** What fish offers for each of these lines. */
export function offeredByFish({ folder, script, reads, lines }: Typing): string[][] {
  const home = homeIn(folder);
  const program = `function cotangent; '${process.execPath}' '${script}' $argv; end`;
  const asked = lines.map((line) => `complete -C ${JSON.stringify(line)}; echo`);
  const { stdout } = spawnSync('fish', ['--no-config', '-c', [program, reads, ...asked].join('\n')], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, HOME: home },
  });
  const answers = stdout.split(/^\n/m).slice(0, lines.length);
  return answers.map((answer) => answer.split('\n').flatMap((line) => line.replace(/\t.*/, '') || []));
}
