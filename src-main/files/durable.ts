/**
 * The one way in which files are written. At every moment, also of a crash, a name holds the whole of what was there before
 * or the whole of what is new; and what was reported as written is on the disk.
 *
 * New content goes to a file of its own beside the old one, all of it, however few bytes the disk takes at a time; its size
 * is checked and it is flushed; then it takes the old one's name, and the folder is flushed, which holds the names.
 */
import { basename, dirname, join, resolve } from 'node:path';
import { Refused } from '../refused.ts';
import { aloneAt } from './alone.ts';
import { calls, type FileState, type OpenFile } from './calls.ts';
import { noFileCode, systemError } from './reading.ts';
import { createTurns } from './turns.ts';
import { sweepOnce, unfinishedName } from './unfinished.ts';
import { asWriteFailure, codeOf } from './write-failure.ts';

/** Text is written as UTF-8. Parts are asked for while they are written. */
export type Content = string | Uint8Array | Iterable<string | Uint8Array>;

/** Of what the app keeps for itself of documents that may be for their owner's eyes alone. */
export const ownersAlone = 0o600;

interface Part {
  readonly content: Content;
  /** What a failure is said of; the path unless said. */
  readonly what?: string;
  /** Permissions of a new file, less what the user's mask forbids. One that is replaced hands on its own. */
  readonly mode?: number;
  /** The file from which it is made, where there is one: nobody else may read this one or write to it who may not that one. */
  readonly of?: string | undefined;
}

export interface WholeFile extends Part {
  readonly path: string;
  /**
   * Of a path that the user chose: a symbolic link is followed, and what it leads to is replaced; into a device or a pipe
   * is written as it is. Unless this is said a link is replaced itself, so that none leads out of the folder, and what is no
   * file stays.
   */
  readonly chosen?: boolean;
  /** Is told why it cannot be written; the others are then written without it. Unless this is said none is. */
  readonly without?: (why: Refused) => void;
}

/**
 * Once the file is on the disk. Throws `Refused`, one sentence with what to do, where it is not: then the old file is there
 * as it was.
 */
export function writeWhole(path: string, content: Content, options: Omit<WholeFile, 'path' | 'content'> = {}) {
  return writeTogether([{ ...options, path, content }]);
}

/**
 * Several files: none is replaced before all are written, so that a full disk leaves all of them as they were. `ready` is
 * called in between, and rejects where none is to be replaced after all; nobody else of ours replaces the first meanwhile.
 */
export function writeTogether(files: readonly WholeFile[], ready?: () => Promise<void>): Promise<void> {
  return inTurn(
    files.map(({ path }) => resolve(path)),
    async () => {
      const staged: Staged[] = [];
      try {
        for (const file of files) await unlessWithout(file, async () => void staged.push(await stage(file)));
        const replaceAll = async (): Promise<void> => {
          await ready?.();
          for (const { file, replace } of staged) await unlessWithout(file, replace);
        };
        const [first] = files;
        await (first && ready ? aloneAt(first.path, replaceAll) : replaceAll());
      } finally {
        for (const file of staged) await file.discard();
      }
    },
  );
}

async function unlessWithout({ without }: WholeFile, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!without || !(error instanceof Refused)) throw error;
    without(error);
  }
}

/** For a file of which the content decides the name, which is asked for once all is written. Gives the name. */
export async function writeNamed(
  folder: string,
  content: Content,
  nameOf: () => string | Promise<string>,
  what: string,
): Promise<string> {
  const part = { content, what };
  const unfinished = await writeBeside(join(folder, 'unnamed'), part);
  try {
    const name = await nameOf();
    await takeName(unfinished, join(folder, name), part);
    return name;
  } catch (error) {
    await calls.unlink(unfinished).catch(() => {});
    throw error;
  }
}

/**
 * Adds to the end of a file that is there, once it is on the disk. A crash or a full disk may leave a part of it: whoever
 * reads the file must know a part from the whole.
 */
export async function addTo(path: string, content: Content, what: string): Promise<void> {
  await inTurn([resolve(path)], async () => {
    try {
      // Opening it would make one that has no beginning.
      await calls.stat(path);
      const output = await calls.open(path, 'a');
      try {
        await writeAll(output, content);
        await output.sync();
      } finally {
        await output.close();
      }
    } catch (error) {
      throw asWriteFailure(error, path, 'absent', what);
    }
  });
}

/** With those above it, each flushed: a crash after this keeps the folder. */
export async function makeFolder(path: string): Promise<void> {
  /** What cannot be made is to lie in the folder at fault. */
  let at = resolve(path);
  const made = async (folder: string): Promise<void> => {
    const state = await calls.stat(folder).catch(absent);
    if (state?.isDirectory()) return;
    if (state) {
      at = join(folder, basename(path));
      throw systemError('ENOTDIR');
    }
    if (dirname(folder) !== folder) await made(dirname(folder));
    at = folder;
    await calls.mkdir(folder).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
    await flushNames(dirname(folder));
  };
  try {
    await made(resolve(path));
  } catch (error) {
    throw asWriteFailure(error, at, 'absent', `The folder ${path}`);
  }
}

/** Once its absence is on the disk; also where there is none. */
export async function removeFile(path: string): Promise<void> {
  await inTurn([resolve(path)], async () => {
    try {
      await calls.unlink(path);
    } catch (error) {
      // Of a name that no file can have there is none.
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENAMETOOLONG') return;
      throw asWriteFailure(error, path, 'untouched');
    }
    await flushNames(dirname(path)).catch((error: unknown) => {
      throw asWriteFailure(error, path, 'doubtful');
    });
  });
}

/** Over what has the name `to`, which is as free as the caller knows it to be; once that is on the disk. */
export async function renameFile(from: string, to: string): Promise<void> {
  await inTurn([resolve(from), resolve(to)], () => takeName(from, to, { content: '' }));
}

/** Throws `Refused` where it can be known already that the file cannot be written: before hours of work, say. */
export async function demandWritable(path: string): Promise<void> {
  const file: WholeFile = { path, content: '', chosen: true };
  const target = await targetOf(file);
  if (target.kind === 'stream') return;
  try {
    if (!(await calls.stat(dirname(target.path))).isDirectory()) throw systemError('ENOTDIR');
    await calls.mayWrite(dirname(target.path));
  } catch (error) {
    throw asWriteFailure(error, target.path, 'absent', path);
  }
}

/** Writes of one file follow one another as they were asked for, so that the last one stays. */
const inTurn = createTurns();

type Target =
  | { readonly kind: 'file'; readonly path: string; readonly old: FileState | undefined }
  /** A device or a pipe. */
  | { readonly kind: 'stream' };

const absent = (error: unknown): undefined => {
  if (codeOf(error) !== 'ENOENT') throw error;
};

/** Where the content goes, and what is there. Throws `Refused` where it may not be replaced. */
async function targetOf({ path, chosen, what }: WholeFile): Promise<Target> {
  try {
    const found = await (chosen ? calls.stat(path) : calls.lstat(path)).catch(absent);
    if (found?.isDirectory()) throw systemError('EISDIR');
    // What a dangling link names may lie anywhere: the link gives way.
    if (found === undefined || found.isSymbolicLink()) return { kind: 'file', path: resolve(path), old: undefined };
    if (!found.isFile()) {
      if (chosen) return { kind: 'stream' };
      throw systemError(noFileCode);
    }
    if (!(await mayReplace(path, found)))
      throw new Refused(
        `${what ?? path} cannot be written, because it is read-only: choose another name, or allow that it be written.`,
      );
    return { kind: 'file', path: chosen ? await calls.realpath(path) : resolve(path), old: found };
  } catch (error) {
    throw asWriteFailure(error, path, 'untouched', what);
  }
}

/** A name can be taken over in a folder whatever the file itself allows, also by an administrator: its permissions are asked. */
async function mayReplace(path: string, { mode }: FileState): Promise<boolean> {
  if ((mode & 0o222) === 0) return false;
  return calls.mayWrite(path).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) === 'EACCES' || codeOf(error) === 'EPERM') return false;
      throw error;
    },
  );
}

interface Staged {
  readonly file: WholeFile;
  /** Puts what was written in the place of what was there. */
  replace(): Promise<void>;
  /** Removes what was written, unless it has replaced what was there. */
  discard(): Promise<void>;
}

async function stage(file: WholeFile): Promise<Staged> {
  const target = await targetOf(file);
  if (target.kind === 'stream') return stream(file);
  const { path, old } = target;
  // What the user has chosen to write over has the permissions that somebody gave it.
  const unfinished = await writeBeside(path, file.chosen && old ? { ...file, of: undefined } : file, old);
  return {
    file,
    replace: () => takeName(unfinished, path, file, old),
    discard: () => calls.unlink(unfinished).catch(() => {}),
  };
}

/** Writes and flushes a file beside `path`, and gives its path. Where that fails nothing of it is left. */
async function writeBeside(path: string, { content, mode = 0o666, what, of }: Part, old?: FileState): Promise<string> {
  const folder = dirname(path);
  await sweepOnce(folder);
  const unfinished = join(folder, unfinishedName());
  try {
    const source = of === undefined ? undefined : await calls.stat(of).catch(absent);
    const most = source ? mostOf(source) : 0o777;
    const output = await calls.open(unfinished, 'wx', (old?.mode ?? mode) & most);
    try {
      if (old) await handOn(output, old, most);
      if (source) await keepToGroup(output, source);
      const size = await writeAll(output, content);
      const { size: taken } = await output.stat();
      if (taken !== size) throw systemError('EIO');
      await output.sync();
    } finally {
      await output.close();
    }
  } catch (error) {
    await calls.unlink(unfinished).catch(() => {});
    throw asWriteFailure(error, path, old ? 'untouched' : 'absent', what);
  }
  return unfinished;
}

async function takeName(unfinished: string, path: string, { what }: Part, old?: FileState): Promise<void> {
  try {
    await calls.rename(unfinished, path);
  } catch (error) {
    // After a fault of the disk either may be there.
    const after = codeOf(error) === 'EIO' ? 'doubtful' : old ? 'untouched' : 'absent';
    throw asWriteFailure(error, path, after, what);
  }
  await flushNames(dirname(path)).catch((error: unknown) => {
    throw asWriteFailure(error, path, 'doubtful', what);
  });
}

/** What others may of a file that is made of it; its owner may always, and may run it who may read it. */
const mostOf = ({ mode }: FileState): number => 0o700 | (mode & 0o077) | ((mode & 0o044) >> 2);

/** The permissions of a group are those of another where the file cannot have the same. */
async function keepToGroup(output: OpenFile, { gid }: FileState): Promise<void> {
  const own = await output.stat();
  if (own.gid === gid) return;
  const bits = own.mode & 0o777;
  const isSame = await output.chown(own.uid, gid).then(
    () => true,
    () => false,
  );
  await output.chmod(isSame ? bits : bits & 0o707);
}

/** Permissions, and owner and group where they may be: a group that works on one file goes on to, whoever of it saves. */
async function handOn(output: OpenFile, { mode: before, uid, gid }: FileState, most: number): Promise<void> {
  const mode = before & most;
  const own = await output.stat();
  // Before its permissions are set, which this may clear.
  if (own.uid !== uid || own.gid !== gid)
    await output.chown(uid, gid).catch(() => output.chown(own.uid, gid).catch(() => {}));
  if ((own.mode & 0o777) !== (mode & 0o777)) await output.chmod(mode & 0o777);
}

/** The number of bytes. The system may take fewer than it is given; none at all is how some disks say that they are full. */
async function writeAll(output: OpenFile, content: Content): Promise<number> {
  let size = 0;
  for (const part of typeof content === 'string' || content instanceof Uint8Array ? [content] : content) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    for (let offset = 0; offset < bytes.length;) {
      const { bytesWritten } = await output.write(bytes, offset, bytes.length - offset);
      if (bytesWritten === 0) throw systemError('ENOSPC');
      offset += bytesWritten;
    }
    size += bytes.length;
  }
  return size;
}

function stream(file: WholeFile): Staged {
  const { path, content, what } = file;
  return {
    file,
    async replace() {
      try {
        const output = await calls.open(path, 'w');
        try {
          await writeAll(output, content);
        } finally {
          await output.close();
        }
      } catch (error) {
        throw asWriteFailure(error, path, 'absent', what);
      }
    },
    discard: () => Promise.resolve(),
  };
}

/** What is said where there is nothing to flush of a folder. */
const needless = new Set(['EINVAL', 'ENOTSUP', 'ENOSYS']);

/**
 * Windows keeps names in a journal of its own, and opens no folders. Where a folder may be written to and not read, names
 * are flushed when the system does it.
 */
async function flushNames(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const names = await calls.open(folder, 'r').catch((error: unknown) => {
    if (codeOf(error) !== 'EACCES') throw error;
  });
  if (!names) return;
  try {
    await names.sync().catch((error: unknown) => {
      if (!needless.has(codeOf(error) ?? '')) throw error;
    });
  } finally {
    await names.close();
  }
}
