/** `--rule` and `--program`: rules forced on blocks, and the differentiated program as text. */
import { describe, expect, it } from 'vitest';
import { parseProgram } from '../../../engine/0-ir/parse.ts';
import { verify } from '../../../engine/0-ir/verify.ts';
import {
  constant,
  cotangent,
  documentOf,
  expectClose,
  json,
  map,
  parameter,
  written,
  type PlainBlock,
} from '../../support/command-line.ts';

const b = (id: string, kind: string, more: PlainBlock): PlainBlock => ({ id, kind, ...more });
const path = written(
  documentOf(
    [
      constant('key', [0, 1, 0, 1], 'int'),
      parameter('x', [0.5, -1.5, 2, 0.25]),
      parameter('k', 0.9),
      b('total', 'reduce', { operator: 'add', values: 'x' }),
      b('run', 'scan', { operator: 'multiply', values: 'x' }),
      b('bins', 'histogram', { operator: 'add', keys: 'key', values: 'run', bins: 2 }),
      b('state', 'recurrence', { state: { s: { initial: 1, next: 'k * s + u' } }, inputs: { u: 'x' } }),
      b('square', 'least-squares', { prediction: 'state', observed: 'run' }),
      map('all', 'bins + total'),
    ],
    { objective: 'square' },
  ),
);

interface Report {
  readonly id: string;
  readonly rule: string;
  readonly passedOver: { readonly rule: string }[];
}

const forced = [
  ['total', 'reduce-general'],
  ['total', 'reduce-ppad'],
  ['run', 'scan-ppad'],
  ['bins', 'histogram-general'],
] as const;

describe('--rule', () => {
  it.each(forced)('chooses for %s the rule %s', async (block, rule) => {
    const reports = async (...options: string[]): Promise<Report[]> =>
      ((await json('rules', path, ...options)) as { blocks: Report[] }).blocks;
    const [before, after] = [await reports(), await reports('--rule', `${block}=${rule}`)];
    const found = after.find(({ id }) => id === block);
    const usual = before.find(({ id }) => id === block);
    expect(usual?.rule).not.toBe(rule);
    expect(found?.rule).toBe(rule);
    expect(found?.passedOver.map((other) => other.rule)).toContain(usual?.rule);
    expect(after.filter(({ id }) => id !== block)).toEqual(before.filter(({ id }) => id !== block));
  });

  it('changes no derivative', async () => {
    const adjoints = (...options: string[]): Promise<unknown> =>
      json('differentiate', path, '--of', 'all', '--cotangent', '[0.5, 2]', ...options);
    const everywhere = ['total=reduce-ppad', 'run=scan-general', 'bins=histogram-general'];
    expectClose(await adjoints(...everywhere.flatMap((rule) => ['--rule', rule])), await adjoints(), 1e-12);
  });

  it('makes a scan of an affine recurrence', async () => {
    const adjoints = (...options: string[]): Promise<unknown> =>
      json('differentiate', path, '--of', 'square', ...options);
    expectClose(await adjoints('--rule', 'state=recurrence-affine'), await adjoints('--device', 'reference'), 1e-12);
  });

  it.each([
    ['total=reduce-multiply', 'block "total": the rule reduce-multiply does not apply to this reduce'],
    ['run=reduce-add', 'block "run": the rule reduce-add is for reduce'],
    ['nothing=reduce-add', 'no block "nothing"'],
    ['total=reduce-plus', 'no rule "reduce-plus"'],
    ['total', 'BLOCK=NAME'],
    ['total=', 'BLOCK=NAME'],
  ])('refuses %s in one line', async (rule, message) => {
    for (const command of [['rules'], ['differentiate', '--of', 'all', '--cotangent', '[1, 1]']]) {
      const [name = '', ...options] = command;
      const { status, stdout, stderr } = await cotangent(name, path, ...options, '--rule', rule);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toMatch(/^cotangent: [^\n]*\n$/);
      expect(stderr).toContain(message);
    }
  });

  it('refuses a block that is named twice, and forward mode', async () => {
    const twice = await cotangent('rules', path, '--rule', 'total=reduce-add', '--rule', 'total=reduce-ppad');
    expect(twice.stderr).toContain('twice');
    const direction = ['--tangent', '{"k": 1}', '--rule', 'run=scan-ppad'];
    const ahead = await cotangent('differentiate', path, '--of', 'all', ...direction);
    expect([twice.status, ahead.status]).toEqual([2, 2]);
  });
});

describe('--program', () => {
  const text = async (...options: string[]): Promise<string> => (await cotangent('rules', path, ...options)).stdout;

  it('prints the objective differentiated by its parameters, as a program that can be read back', async () => {
    const program = parseProgram(await text('--program'));
    verify(program);
    expect(program.results.map(({ name }) => name)).toEqual(['objective', 'adjoint of x', 'adjoint of k']);
    expect(program.parameters.map(({ name }) => name)).toContain('cotangent of objective');
    expect(program.statements.some(({ construct }) => construct.kind === 'recurrence')).toBe(true);
  });

  it('is written by the rules that are forced', async () => {
    const program = parseProgram(await text('--program', '--rule', 'state=recurrence-affine'));
    const kinds = program.statements.filter(({ origin }) => origin === 'state').map(({ construct }) => construct.kind);
    expect(kinds).toContain('scan');
    expect(kinds).not.toContain('recurrence');
  });

  it('comes with the table as JSON', async () => {
    const printed = (await json('rules', path, '--program')) as { blocks: unknown; program: string };
    expect(Object.keys(printed)).toEqual(['blocks', 'program']);
    expect(`${printed.program}\n`).toBe(await text('--program'));
  });

  it('is of every output where there is no objective', async () => {
    const plain = written(documentOf([constant('c', [1, 2]), b('s', 'reduce', { operator: 'add', values: 'c' })]));
    const { stdout } = await cotangent('rules', plain, '--program');
    expect(parseProgram(stdout).results.map(({ name }) => name)).toEqual(['c', 's', 'adjoint of c']);
  });
});
