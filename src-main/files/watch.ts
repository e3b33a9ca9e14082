/** Tells when another program writes the file that a page has open, or one of its tables. */
import { unwatchFile, watchFile, type Stats } from 'node:fs';
import type { Stamp } from '../contract/keeping.ts';
import { metAt, type Met } from './stamps.ts';
import { codeOf } from './write-failure.ts';

/** What stands in the place of the file, or of its folder, is no file: it is gone. */
const fileAt = (path: string): Promise<Met | null> =>
  metAt(path).catch((error: unknown) => {
    if (['EISDIR', 'ENOTDIR', 'ENOTREG'].includes(codeOf(error) ?? '')) return null;
    throw error;
  });

export interface Watch {
  /** From now on this file; what it holds is known. */
  follow(path: string, known: Stamp | null): void;
  /** While the work lasts, it is we who write. */
  during<T>(work: () => Promise<T>): Promise<T>;
  end(): void;
}

/** Asked for, not told of: folders on other machines tell nothing. */
const lookMilliseconds = 1000;

export function createWatch(
  changed: (path: string, stamp: Stamp | null) => void,
  milliseconds = lookMilliseconds,
): Watch {
  let writing = 0;
  let followed: { readonly path: string; known: Stamp | null } | undefined;

  const look = (): void => {
    const of = followed;
    if (!of || writing > 0) return;
    const { known } = of;
    void fileAt(of.path).then(
      (met) => {
        const stamp = met?.stamp ?? null;
        // It was left, or written by ourselves, while it was read.
        if (of !== followed || of.known !== known || writing > 0 || stamp?.hash === known?.hash) return;
        of.known = stamp;
        changed(of.path, stamp);
      },
      () => undefined,
    );
  };

  const leave = (): void => {
    if (followed) unwatchFile(followed.path, look);
    followed = undefined;
  };

  return {
    follow(path, known) {
      if (followed?.path === path) {
        followed.known = known;
      } else {
        leave();
        followed = { path, known };
        watchFile(path, { interval: milliseconds, persistent: false }, look);
      }
      // It may have been written before anybody watched it.
      look();
    },
    async during(work) {
      writing += 1;
      try {
        return await work();
      } finally {
        writing -= 1;
        // Whoever else wrote it meanwhile was not looked for.
        look();
      }
    },
    end: leave,
  };
}

export interface FileWatch {
  /** From now on these, by their paths. */
  follow(paths: readonly string[]): void;
  end(): void;
}

/** Looks at size and time alone: a table may be larger than memory. */
export function createFileWatch(changed: () => void, milliseconds = lookMilliseconds): FileWatch {
  let followed: ReadonlySet<string> = new Set();
  const look = (now: Stats, before: Stats): void => {
    if (now.mtimeMs !== before.mtimeMs || now.size !== before.size || now.ino !== before.ino) changed();
  };
  // What is followed already goes on: begun anew, it would be taken for unchanged as it is found.
  const follow = (paths: readonly string[]): void => {
    const wanted = new Set(paths);
    for (const path of followed) if (!wanted.has(path)) unwatchFile(path, look);
    for (const path of wanted)
      if (!followed.has(path)) watchFile(path, { interval: milliseconds, persistent: false }, look);
    followed = wanted;
  };
  return { follow, end: () => follow([]) };
}
