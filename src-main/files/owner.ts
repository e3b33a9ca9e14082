/** Which process has a copy open: a lock that no crash leaves behind, since it counts only while its process lives. */
import { readFileSync } from 'node:fs';
import { hostname, uptime } from 'node:os';
import type { Owner } from './journal.ts';

/** Seconds: the time at which a machine started is known to no better than clocks are set. */
const clockSteps = 300;

/**
 * When the process began, as far as the system tells: another of the same number has another mark. Linux counts ticks
 * since it started; elsewhere it is known at least from which start of the machine the number is.
 */
function markOf(process_: number): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${process_}/stat`, 'utf8');
    // The second field is the command in parentheses, which may hold anything; the 22nd is the start.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A process that was killed is there as a zombie until its parent has seen it.
    return fields[0] === 'Z' ? 'ended' : `${boot} ${fields[19] ?? ''}`;
  } catch {
    return String(Math.round((Date.now() / 1000 - uptime()) / clockSteps));
  }
}

export function thisProcess(): Owner {
  return { machine: hostname(), process: process.pid, mark: markOf(process.pid) };
}

/** Whether the owner lives; undefined where it is of another machine, so that nobody here can tell. */
export function isAlive({ machine, process: number, mark }: Owner): boolean | undefined {
  if (machine !== hostname()) return undefined;
  try {
    process.kill(number, 0);
  } catch (error) {
    // EPERM: it lives, and is another user's.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  const now = markOf(number);
  return now === mark || Math.abs(Number(now) - Number(mark)) <= 1;
}
