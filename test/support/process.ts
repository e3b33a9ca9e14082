/** The command line as people run it: a process of its own. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Outcome } from './command-line.ts';

const root = join(import.meta.dirname, '..', '..');

export interface ProcessOptions {
  /** Is sent after so many milliseconds. */
  readonly interruptAfter?: number;
  readonly cwd?: string;
}

export function runProcess(args: readonly string[], { interruptAfter, cwd }: ProcessOptions = {}): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, 'build', 'cotangent.mjs'), ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(cwd && { cwd }),
    });
    const printed = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream].on('data', (chunk: Buffer) => (printed[stream] += chunk.toString()));
    const timer = interruptAfter === undefined ? undefined : setTimeout(() => child.kill('SIGINT'), interruptAfter);
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ status: code ?? -1, ...printed });
    });
  });
}

/** What a command prints with `--json`, its exit status held. */
export async function processJson<T>(args: readonly string[], status = 0): Promise<T> {
  const outcome = await runProcess([...args, '--json']);
  expect({ status: outcome.status, stderr: outcome.stderr }).toEqual({ status, stderr: '' });
  return JSON.parse(outcome.stdout) as T;
}

export const fitJson = <T>(args: readonly string[], status = 0): Promise<T> => processJson(['fit', ...args], status);
