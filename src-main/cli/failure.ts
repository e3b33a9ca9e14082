/** Exit statuses, and the one line that a failure prints on standard error. */
import { CommanderError } from 'commander';
import { Refused, Unsolved } from '../refused.ts';

export const exitStatus = {
  done: 0,
  fault: 1,
  /** The input was refused. */
  refused: 2,
  /** The fit did not converge or failed. */
  notConverged: 3,
  /** Shards are missing. */
  incomplete: 3,
  /** Stopped by the user. */
  stopped: 130,
} as const;

export const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, '; ').trim();

/** Prints what went wrong, without a stack where the input was refused; returns the exit status. */
export function printFailure(error: unknown): number {
  // Commander has printed its own line (or the help that was asked for).
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitStatus.done : exitStatus.refused;
  if (error instanceof Refused) {
    process.stderr.write(`cotangent: ${oneLine(error.message)}\n`);
    return error instanceof Unsolved ? exitStatus.notConverged : exitStatus.refused;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`cotangent: an internal fault: ${text}\n`);
  return exitStatus.fault;
}
