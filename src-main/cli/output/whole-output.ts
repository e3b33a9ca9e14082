/** Standard output into a file, on a disk that may be full. */
import { fstatSync, writeSync } from 'node:fs';
import { asWriteFailure } from '../../files/write-failure.ts';
import { printFailure } from '../failure.ts';

const standardOutput = 1;

/**
 * Ends the process where its output cannot be written: with 0 where a reader such as `head` has had enough, else with what
 * `printFailure` says. Node writes files at once and takes a short write for a whole one: here the rest follows.
 */
export function writeOutputWhole(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(
      error.code === 'EPIPE' ? undefined : printFailure(asWriteFailure(error, '.', 'absent', 'Standard output')),
    );
  });
  if (!isFile()) return;
  stream._write = (chunk: Uint8Array, _encoding, done) => {
    try {
      for (let offset = 0; offset < chunk.length;) offset += writeSync(standardOutput, chunk, offset);
    } catch (error) {
      done(error as Error);
      return;
    }
    done();
  };
}

function isFile(): boolean {
  try {
    return fstatSync(standardOutput).isFile();
  } catch {
    // It is closed.
    return false;
  }
}
