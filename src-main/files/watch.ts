/** Tells when another program writes the file that a page has open. */
import { unwatchFile, watchFile } from 'node:fs';
import type { Stamp } from '../contract/keeping.ts';
import { metAt } from './stamps.ts';

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
    void metAt(of.path).then(
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
