/** The command line as people run it: a process of its own. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome } from './command-line.ts';

const root = join(import.meta.dirname, '..', '..');

export interface ProcessOptions {
  /** It is interrupted once it has computed for so long, in milliseconds: on a busy machine that is later. */
  readonly interruptAfter?: number;
  readonly cwd?: string;
}

export function runProcess(args: readonly string[], { interruptAfter, cwd }: ProcessOptions = {}): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    const child = spawn(process.execPath, [join(root, 'build', 'cotangent.mjs'), ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(cwd && { cwd }),
    });
    const printed = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream].on('data', (chunk: Buffer) => (printed[stream] += chunk.toString()));
    const interrupt = (): void => {
      if (computed(child.pid, begun) < (interruptAfter ?? Infinity)) return;
      clearInterval(timer);
      child.kill('SIGINT');
    };
    const timer = interruptAfter === undefined ? undefined : setInterval(interrupt, 50);
    child.once('error', reject);
    child.once('close', (code) => {
      clearInterval(timer);
      resolve({ status: code ?? -1, ...printed });
    });
  });
}

/** Milliseconds for which all threads of a process have run, or, where the system does not say, for which it has lived. */
function computed(pid: number | undefined, begun: number): number {
  if (process.platform !== 'linux') return performance.now() - begun;
  try {
    // After the name in brackets, which may hold anything: the 12th and 13th are ticks of a hundredth of a second.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return 10 * (Number(fields[11]) + Number(fields[12]));
  } catch {
    return 0;
  }
}
