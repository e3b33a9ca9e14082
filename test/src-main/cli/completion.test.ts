import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describe } from '../../../src-main/cli/completion/described.ts';
import { manualPage } from '../../../src-main/cli/completion/manual.ts';
import { completionFor, shells } from '../../../src-main/cli/completion/shells.ts';
import { createProgram } from '../../../src-main/cli/program.ts';
import { documentOf, folderWith, map, parameter } from '../../support/command-line.ts';
import { areHere, homeIn, offeredByFish, typed, type TypingShell } from '../../support/shells.ts';

const commands = describe(createProgram());
const script = join(import.meta.dirname, '../../../build/cotangent.mjs');

const text = JSON.stringify(
  documentOf([
    parameter('rate', 1),
    parameter('amount', 1),
    map('course', 'amount*exp(-rate)'),
    { id: 'pool', kind: 'group', inputs: {}, blocks: [parameter('inner', 1)], outputs: { v: 'inner' } },
  ]),
);
const folder = folderWith({
  'decay.cot.json': text,
  'my model.cot.json': text,
  'torn.cot.json': text.slice(0, 20),
});

/** What is typed before Tab, and the arguments that come of it. */
const cases: readonly (readonly [line: string, args: readonly string[]])[] = [
  ['che', ['check']],
  ['ensemble pre', ['ensemble', 'prepare']],
  ['check dec', ['check', 'decay.cot.json']],
  ['check my', ['check', 'my model.cot.json']],
  ['dec', ['decay.cot.json']],
  ['fit decay.cot.json --max', ['fit', 'decay.cot.json', '--max-iterations']],
  ['sensitivity decay.cot.json --method so', ['sensitivity', 'decay.cot.json', '--method', 'sobol']],
  ['benchmark pap', ['benchmark', 'paper']],
  ['completion f', ['completion', 'fish']],
  ['differentiate decay.cot.json --of c', ['differentiate', 'decay.cot.json', '--of', 'course']],
  ['differentiate my\\ model.cot.json --wrt rate,am', ['differentiate', 'my model.cot.json', '--wrt', 'rate,amount']],
  ['differentiate decay.cot.json --wrt pool/', ['differentiate', 'decay.cot.json', '--wrt', 'pool/inner']],
  ['evaluate ./decay.cot.json --output c', ['evaluate', './decay.cot.json', '--output', 'course']],
  ['design ~/../decay.cot.json --for ra', ['design', '~/../decay.cot.json', '--for', 'rate']],
  ['fit decay.cot.json --set ra', ['fit', 'decay.cot.json', '--set', 'rate=']],
  // Of what cannot be read nothing is known, and files are no answer.
  ['evaluate torn.cot.json --output d', ['evaluate', 'torn.cot.json', '--output', 'd']],
  ['evaluate gone.cot.json --output d', ['evaluate', 'gone.cot.json', '--output', 'd']],
  ['evaluate --output d', ['evaluate', '--output', 'd']],
];

const autoloaded = (): string => {
  const functions = join(folder, '.functions');
  mkdirSync(functions, { recursive: true });
  writeFileSync(join(functions, '_cotangent'), completionFor('zsh', commands));
  return `fpath=('${functions}' $fpath); autoload -U compinit; compinit -D -u`;
};

const typing: readonly (readonly [name: string, shell: TypingShell, reads: () => string])[] = [
  ['bash', 'bash', () => completionFor('bash', commands)],
  ['zsh', 'zsh', () => completionFor('zsh', commands)],
  ['zsh that finds it by itself', 'zsh', autoloaded],
];

const lines = cases.map(([line]) => `cotangent ${line}`);

for (const [name, shell, reads] of typing)
  it.skipIf(!areHere(shell, 'script'))(`${name} completes what is typed into a terminal of script(1)`, () => {
    const { calls, shown } = typed(shell, { folder, script, lines, reads: reads() });
    expect(calls, shown).toEqual(cases.map(([, args]) => args.map((arg) => arg.replace(/^~/, homeIn(folder)))));
    expect(shown).not.toMatch(/unrecognized|not found|_cotangent:/);
  });

it.skipIf(!areHere('fish'))('fish offers the same', () => {
  const reads = completionFor('fish', commands);
  const wanted = cases.map(([line, args]) => {
    const last = args.at(-1) ?? '';
    return line.endsWith(` ${last}`) ? [] : [last];
  });
  expect(offeredByFish({ folder, script, lines, reads })).toEqual(wanted);
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
