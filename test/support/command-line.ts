/** The command line in this process: documents written to a folder, commands run, what they print taken down. */
import { mkdtempSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, vi } from 'vitest';
import { printFailure } from '../../src-main/cli/failure.ts';
import { createProgram } from '../../src-main/cli/program.ts';

export interface Outcome {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command. What it sets as the exit status of this process is taken back. */
export async function cotangent(...args: readonly string[]): Promise<Outcome> {
  const printed = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      printed[stream] += String(text);
      return true;
    }),
  );
  const before = process.exitCode;
  process.exitCode = 0;
  try {
    await createProgram().parseAsync([...args], { from: 'user' });
    return { status: Number(process.exitCode), ...printed };
  } catch (error) {
    return { status: printFailure(error), ...printed };
  } finally {
    process.exitCode = before;
    for (const spy of spies) spy.mockRestore();
  }
}

export type PlainBlock = Readonly<Record<string, unknown>>;
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** A folder with these files; removed after the tests. */
export function folderWith(files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), 'cotangent-contract-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

/** The path of a document written beside `files`; a string is written as it is. */
export function written(document: unknown, files: Files = {}): string {
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  return join(folderWith({ ...files, 'model.cot.json': text }), 'model.cot.json');
}

export function documentOf(blocks: readonly PlainBlock[], more: PlainBlock = {}): PlainBlock {
  return { format: 'cotangent/1', ...more, blocks };
}

/** The JSON of a command that is done, and nothing else on standard output. */
export async function json(...args: readonly string[]): Promise<unknown> {
  const { status, stdout, stderr } = await cotangent(...args, '--json');
  expect(stderr.replaceAll(/^cotangent: warning: .*\n/gm, '')).toBe('');
  expect(status).toBe(0);
  return JSON.parse(stdout) as unknown;
}

/** What a command that says nothing else prints with `--json`, its exit status held. */
export async function quietJson<T>(args: readonly string[], status = 0): Promise<T> {
  const outcome = await cotangent(...args, '--json');
  expect({ status: outcome.status, stderr: outcome.stderr }).toEqual({ status, stderr: '' });
  return JSON.parse(outcome.stdout) as T;
}

export const fitJson = <T>(args: readonly string[], status = 0): Promise<T> => quietJson(['fit', ...args], status);

/** The values of outputs, which the plain interpreter and the CPU must agree on. */
export async function values(
  blocks: readonly PlainBlock[],
  outputs: readonly string[],
  more: PlainBlock = {},
  files: Files = {},
): Promise<Record<string, unknown>> {
  const path = written(documentOf(blocks, more), files);
  const run = async (device: string): Promise<Record<string, unknown>> =>
    ((await json('evaluate', path, '--output', outputs.join(','), '--device', device)) as { values: never }).values;
  const reference = await run('reference');
  expectClose(await run('cpu'), reference, 1e-12);
  return reference;
}

export async function value(
  blocks: readonly PlainBlock[],
  output: string,
  more: PlainBlock = {},
  files: Files = {},
): Promise<unknown> {
  return (await values(blocks, [output], more, files))[output];
}

/** The one line with which `check` (or another command) refuses a document. */
export async function refusal(
  document: unknown,
  files: Files = {},
  command: readonly string[] = ['check'],
): Promise<string> {
  const [name = 'check', ...options] = command;
  const { status, stdout, stderr } = await cotangent(name, written(document, files), ...options, '--json');
  expect(stderr).toMatch(/^cotangent: [^\n]*\n$/);
  expect(stderr).not.toMatch(/internal fault|\.ts:\d|undefined|\[object/);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  return stderr.slice('cotangent: '.length, -1);
}

/** Equal in form, and numbers up to a relative error (an absolute one below 1e-3); the strings of numbers that JSON lacks are compared as they are. */
export function expectClose(actual: unknown, wanted: unknown, tolerance = 1e-12, place = 'the value'): void {
  if (typeof wanted === 'number' && typeof actual === 'number') {
    if (!(Math.abs(actual - wanted) <= tolerance * Math.max(1e-3, Math.abs(wanted))))
      expect.fail(`${place}: wanted ${wanted}, got ${actual}`);
  } else if (typeof wanted === 'object' && wanted !== null && typeof actual === 'object' && actual !== null) {
    expect(Object.keys(actual), `keys of ${place}`).toEqual(Object.keys(wanted));
    for (const [key, entry] of Object.entries(wanted))
      expectClose((actual as Record<string, unknown>)[key], entry, tolerance, `${place}.${key}`);
  } else expect(actual, place).toEqual(wanted);
}

export const constant = (id: string, value: unknown, type?: 'real' | 'int'): PlainBlock => ({
  id,
  kind: 'constant',
  value,
  ...(type && { type }),
});
export const parameter = (id: string, initial: unknown, more: PlainBlock = {}): PlainBlock => ({
  id,
  kind: 'parameter',
  initial,
  ...more,
});
export const map = (id: string, formula: string, more: PlainBlock = {}): PlainBlock => ({
  id,
  kind: 'map',
  formula,
  ...more,
});
export const column = (id: string, more: PlainBlock = {}): PlainBlock => ({
  id,
  kind: 'column',
  table: 'T',
  column: id,
  ...more,
});
