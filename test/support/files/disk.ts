/**
 * A disk in memory behind the calls by which files are written. It loses what a real one may lose: what was not flushed when
 * the power goes, whichever part of it; and it fails where it is told to.
 */
import type { FileCalls, FileState, OpenFile } from '../../../src-main/files/calls.ts';
import { calls } from '../../../src-main/files/calls.ts';

interface Node {
  readonly folder: boolean;
  data: Uint8Array;
  /** Of `data`, as it was flushed last. */
  flushed: Uint8Array;
  mode: number;
}

/** What becomes of one call. */
export type Fault =
  | { readonly kind: 'error'; readonly code: string }
  /** The process ends before the call has done anything, or once it has done all. */
  | { readonly kind: 'crash'; readonly when: 'before' | 'after' }
  /** A write takes so many bytes of those that it was given; other calls are as ever. */
  | { readonly kind: 'short'; readonly bytes: number }
  /** A file has another size than what was written, as if it had not all been kept. */
  | { readonly kind: 'size'; readonly bytes: number };

export interface DiskOptions {
  /** Of the call with this number, counted from 0. */
  readonly fault?: (call: number, name: string) => Fault | undefined;
  /** Bytes of files that it can hold. As real disks do, it takes as much of a write as there is room for. */
  readonly capacity?: number | undefined;
  /** The most that one write takes. */
  readonly atOnce?: number;
}

export class Crash extends Error {}

const failure = (code: string): Error => Object.assign(new Error(`${code} of the disk in memory`), { code });
const parent = (path: string): string => path.slice(0, Math.max(path.lastIndexOf('/'), 1));

export class Disk {
  readonly #options: DiskOptions;
  /** Names as they are, and as they were when their folder was flushed last. */
  #names = new Map<string, Node>();
  readonly #flushedNames = new Map<string, Node>();
  /** The process is gone: what it would have said nobody has heard. */
  crashed = false;
  /** Calls so far, by name. */
  readonly made: string[] = [];
  /** Of those, the ones that failed because they were told to. */
  readonly failed: string[] = [];

  constructor(files: Readonly<Record<string, string>>, options: DiskOptions = {}) {
    this.#options = options;
    for (const [path, text] of Object.entries(files)) {
      const data = Buffer.from(text);
      for (let above = parent(path); above !== '/'; above = parent(above)) this.#put(above, folderNode());
      this.#put(path, { folder: false, data, flushed: data, mode: 0o644 });
    }
    this.#put('/', folderNode());
  }

  /** In the place of the system's calls while `work` runs. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    const real = { ...calls };
    Object.assign(calls, this.#calls());
    try {
      return await work();
    } finally {
      Object.assign(calls, real);
    }
  }

  /** The files as the next process finds them. */
  files(): ReadonlyMap<string, string> {
    return textOf(this.#names, ({ data }) => data);
  }

  /**
   * The files after the power has gone: of each change of a name since its folder was flushed `keeps` decides, and of each
   * file that was not flushed how much of it has come so far.
   */
  afterPowerLoss(keeps: () => number): ReadonlyMap<string, string> {
    const names = new Map(this.#flushedNames);
    for (const path of new Set([...this.#names.keys(), ...this.#flushedNames.keys()])) {
      const [now, then] = [this.#names.get(path), this.#flushedNames.get(path)];
      if (now === then || keeps() < 0.5) continue;
      if (now) names.set(path, now);
      else names.delete(path);
    }
    return textOf(names, ({ data, flushed }) => {
      if (data === flushed) return flushed;
      const share = keeps();
      return share < 0.2 ? flushed : data.slice(0, Math.floor(data.length * Math.min(1, share * 1.2)));
    });
  }

  #put(path: string, node: Node): void {
    this.#names.set(path, node);
    this.#flushedNames.set(path, node);
  }

  #room(): number {
    const used = [...this.#names.values()].reduce((sum, { data }) => sum + data.length, 0);
    return (this.#options.capacity ?? Infinity) - used;
  }

  /** One call of the system, with its fault. */
  async #call<T>(name: string, work: (fault?: Fault) => T): Promise<T> {
    await Promise.resolve();
    if (this.crashed) throw new Crash();
    const fault = this.#options.fault?.(this.made.length, name);
    this.made.push(name);
    if (fault?.kind === 'error') {
      this.failed.push(name);
      throw failure(fault.code);
    }
    if (fault?.kind === 'crash') {
      this.crashed = true;
      if (fault.when === 'after') work();
      throw new Crash();
    }
    return work(fault);
  }

  #node(path: string): Node {
    const node = this.#names.get(path);
    if (!node) throw failure('ENOENT');
    return node;
  }

  #calls(): FileCalls {
    const state = (path: string): FileState => stateOf(this.#node(path));
    return {
      open: (path, flags, mode = 0o666) =>
        this.#call(`open ${flags}`, () => {
          if (flags === 'wx') {
            if (this.#names.has(path)) throw failure('EEXIST');
            if (!this.#node(parent(path)).folder) throw failure('ENOTDIR');
            this.#names.set(path, { folder: false, data: new Uint8Array(), flushed: new Uint8Array(), mode });
          }
          return this.#opened(path, this.#node(path));
        }),
      rename: (from, to) =>
        this.#call('rename', () => {
          this.#names.set(to, this.#node(from));
          this.#names.delete(from);
        }),
      unlink: (path) =>
        this.#call('unlink', () => {
          this.#node(path);
          this.#names.delete(path);
        }),
      mkdir: (path) =>
        this.#call('mkdir', () => {
          if (this.#names.has(path)) throw failure('EEXIST');
          this.#node(parent(path));
          this.#names.set(path, folderNode());
        }),
      readdir: (path) =>
        this.#call('readdir', () =>
          [...this.#names.keys()].filter((name) => parent(name) === path).map((name) => name.slice(path.length + 1)),
        ),
      stat: (path) => this.#call('stat', () => state(path)),
      lstat: (path) => this.#call('lstat', () => state(path)),
      realpath: (path) =>
        this.#call('realpath', () => {
          this.#node(path);
          return path;
        }),
      mayWrite: (path) => this.#call('access', () => void this.#node(path)),
    };
  }

  #opened(path: string, node: Node): OpenFile {
    return {
      write: (bytes, offset, length) =>
        this.#call('write', (fault) => {
          const short = fault?.kind === 'short' ? fault.bytes : length;
          const bytesWritten = Math.min(length, short, this.#options.atOnce ?? length, this.#room());
          if (bytesWritten <= 0 && length > 0 && short > 0) throw failure('ENOSPC');
          node.data = Buffer.concat([node.data, bytes.subarray(offset, offset + bytesWritten)]);
          return { bytesWritten };
        }),
      stat: () =>
        this.#call('fstat', (fault) => ({ ...stateOf(node), ...(fault?.kind === 'size' && { size: fault.bytes }) })),
      chmod: (mode) => this.#call('fchmod', () => void (node.mode = mode)),
      chown: () => this.#call('fchown', () => undefined),
      sync: () =>
        this.#call('fsync', () => {
          if (!node.folder) node.flushed = node.data;
          else
            for (const name of new Set([...this.#names.keys(), ...this.#flushedNames.keys()])) {
              if (parent(name) !== path || name === path) continue;
              const now = this.#names.get(name);
              if (now) this.#flushedNames.set(name, now);
              else this.#flushedNames.delete(name);
            }
        }),
      close: () => this.#call('close', () => undefined),
    };
  }
}

const folderNode = (): Node => ({ folder: true, data: new Uint8Array(), flushed: new Uint8Array(), mode: 0o755 });

function stateOf({ folder, data, mode }: Node): FileState {
  return {
    size: data.length,
    mode,
    uid: 0,
    gid: 0,
    mtimeMs: 0,
    isFile: () => !folder,
    isDirectory: () => folder,
    isSymbolicLink: () => false,
  };
}

/** Files alone, those that lie in folders that are there. */
function textOf(names: ReadonlyMap<string, Node>, bytes: (node: Node) => Uint8Array): ReadonlyMap<string, string> {
  const reachable = (path: string): boolean =>
    path === '/' || (names.get(parent(path))?.folder === true && reachable(parent(path)));
  return new Map(
    [...names]
      .filter(([path, { folder }]) => !folder && reachable(path))
      .map(([path, node]) => [path, Buffer.from(bytes(node)).toString()]),
  );
}
