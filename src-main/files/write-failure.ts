/** Why a file could not be written and what to do, in one sentence for the user. */
import { dirname } from 'node:path';
import { Refused } from '../refused.ts';

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

interface Reason {
  readonly why: string;
  readonly remedy: string;
}

const elsewhere = 'choose another place';

/** By the code of the system's error; `folder` is where the file is to lie. */
const reasons: Readonly<Record<string, (folder: string) => Reason>> = {
  ENOSPC: () => ({ why: 'the disk is full', remedy: `make room on it or ${elsewhere}` }),
  EDQUOT: () => ({ why: 'your share of the disk is used up', remedy: `make room in it or ${elsewhere}` }),
  EFBIG: () => ({ why: 'it is larger than a file may be there', remedy: elsewhere }),
  EIO: () => ({ why: 'the disk reports a fault', remedy: `${elsewhere} and have the disk looked at` }),
  EROFS: () => ({ why: 'the disk may only be read', remedy: elsewhere }),
  EACCES: (folder) => ({ why: `you may not write to the folder ${folder}`, remedy: elsewhere }),
  EPERM: (folder) => ({ why: `you may not write to the folder ${folder}`, remedy: elsewhere }),
  ENOENT: (folder) => ({ why: `there is no folder ${folder}`, remedy: `make it or ${elsewhere}` }),
  ENOTDIR: (folder) => ({ why: `${folder} is no folder`, remedy: elsewhere }),
  EISDIR: () => ({ why: 'it is a folder', remedy: 'choose another name' }),
  ENOTREG: () => ({ why: 'it is no file but a pipe, a device or a socket', remedy: 'choose another name' }),
  EEXIST: () => ({ why: 'something else has its name', remedy: 'choose another name' }),
  ENAMETOOLONG: () => ({ why: 'its name is too long', remedy: 'choose a shorter one' }),
  ELOOP: () => ({ why: 'its links lead in a circle', remedy: elsewhere }),
  EBUSY: () => ({ why: 'another program holds it', remedy: `close that program or ${elsewhere}` }),
  EMFILE: () => ({ why: 'too many files are open', remedy: 'close some and try again' }),
  ENFILE: () => ({ why: 'too many files are open', remedy: 'close some and try again' }),
  ESTALE: (folder) => ({ why: `the disk of ${folder} is gone`, remedy: `connect it again or ${elsewhere}` }),
  ENODEV: (folder) => ({ why: `the disk of ${folder} is gone`, remedy: `connect it again or ${elsewhere}` }),
  ERR_INVALID_ARG_VALUE: () => ({
    why: 'its name has a character that no name may have',
    remedy: 'choose another name',
  }),
  ENXIO: () => ({ why: 'nothing reads from it', remedy: elsewhere }),
};

/** What is known to hold of the file that was to be replaced. */
export type After = 'untouched' | 'absent' | 'doubtful';

const consequences: Readonly<Record<After, string>> = {
  untouched: ' (what it held before is untouched)',
  absent: '',
  doubtful: ' (whether it has been replaced is uncertain)',
};

/** An error of the file system as `Refused`; anything else as it is. `what` names the file: its path unless said. */
export function asWriteFailure(error: unknown, path: string, after: After, what = path): unknown {
  const code = codeOf(error);
  if (error instanceof Refused || code === undefined || !(code in reasons || /^E[A-Z0-9]+$/.test(code))) return error;
  const { why, remedy } = reasons[code]?.(dirname(path)) ?? { why: `the system says ${code}`, remedy: elsewhere };
  return new Refused(`${what} cannot be written, because ${why}: ${remedy}${consequences[after]}.`);
}
