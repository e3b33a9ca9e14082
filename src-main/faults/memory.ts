/** Warns before the system has no memory left and ends a process of its own choosing. */
import { readFileSync } from 'node:fs';
import { freemem, totalmem } from 'node:os';

export interface Memory {
  /** Bytes that could be had, of all that the machine has, and what this process holds. */
  readonly available: number;
  readonly total: number;
  readonly ours: number;
}

/** Below this share, and below this many bytes, the system is about to end somebody. */
const leastShare = 0.08;
const leastBytes = 1.5e9;
/** Warned of once, until this much more is free again. */
const reliefFactor = 1.5;

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;

/** Says once what is to be said, and again after there was enough. */
export function memoryWarner(): (memory: Memory) => string | undefined {
  let warned = false;
  return ({ available, total, ours }) => {
    const least = Math.min(total * leastShare, leastBytes);
    if (warned) {
      warned = available < least * reliefFactor;
      return undefined;
    }
    if (available >= least) return undefined;
    warned = true;
    return (
      `The memory of this machine is nearly full: ${gigabytes(available)} of ${gigabytes(total)} are left, and the engine ` +
      `holds ${gigabytes(ours)}. Stop what runs, or close other programs, before the system ends one of them.`
    );
  };
}

/** On Linux what could be had is more than what is free. */
export function memoryNow(): Memory {
  const known = process.platform === 'linux' ? availableOf(readQuietly('/proc/meminfo')) : undefined;
  return { available: known ?? freemem(), total: totalmem(), ours: process.memoryUsage().rss };
}

export function availableOf(meminfo: string): number | undefined {
  const [, kilobytes] = /^MemAvailable:\s+(\d+) kB$/m.exec(meminfo) ?? [];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

function readQuietly(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Looks every few seconds, and never keeps a process from ending. */
export function watchMemory(tell: (message: string) => void): void {
  const warn = memoryWarner();
  setInterval(() => {
    const message = warn(memoryNow());
    if (message !== undefined) tell(message);
  }, 5000).unref();
}
