/**
 * The calls by which everything here is written, and no other. Tests put calls that fail in their place: short writes, a
 * full disk, a broken one, a crash between any two.
 */
import { access, constants, lstat, mkdir, open, readdir, realpath, rename, stat, unlink } from 'node:fs/promises';

/** What is asked of a file's state. */
export interface FileState {
  /** In bytes. */
  readonly size: number;
  /** Type and permissions, as `stat` has them. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly mtimeMs: number;
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

export interface OpenFile {
  /** How many bytes of those from `offset` on were taken: fewer than `length` where the disk is nearly full. */
  write(bytes: Uint8Array, offset: number, length: number): Promise<{ readonly bytesWritten: number }>;
  stat(): Promise<FileState>;
  chmod(mode: number): Promise<void>;
  chown(uid: number, gid: number): Promise<void>;
  /** Once its content is on the disk, or of a folder its names. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface FileCalls {
  /** `wx`: a file that is not there yet, and no link either. `a`: at its end. `w`: a device or a pipe. `r`: a folder. */
  open(path: string, flags: 'wx' | 'a' | 'w' | 'r', mode?: number): Promise<OpenFile>;
  /** Over what has the name `to`: at every moment the one or the other is there. */
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  mkdir(path: string): Promise<void>;
  readdir(path: string): Promise<string[]>;
  stat(path: string): Promise<FileState>;
  lstat(path: string): Promise<FileState>;
  realpath(path: string): Promise<string>;
  /** Rejects where this user may not write to it. */
  mayWrite(path: string): Promise<void>;
}

export const calls: FileCalls = {
  open,
  rename,
  unlink,
  mkdir: (path) => mkdir(path),
  readdir,
  stat,
  lstat,
  realpath,
  mayWrite: (path) => access(path, constants.W_OK),
};
