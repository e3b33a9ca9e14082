/** Where a document goes that is saved under a name from the system's dialog. */
import { resolve } from 'node:path';
import type { Stamp } from '../contract/keeping.ts';
import { withExtension } from '../files/documents.ts';
import { metAt } from '../files/stamps.ts';

export interface SavePlace {
  readonly path: string;
  /** The file that the user has agreed to write over; null where nobody has asked about one. */
  readonly over: Stamp | null;
}

/**
 * `named`: as the dialog gave it. On Linux not every dialog (of a portal, of GTK) asks before it gives the name of a file that is
 * there, and none has asked about a name to which an extension is added.
 */
export async function savePlace(named: string, platform: NodeJS.Platform): Promise<SavePlace> {
  const path = resolve(withExtension(named));
  const isAsked = platform !== 'linux' && path === resolve(named);
  // What is no file is refused when it is written.
  const there = isAsked ? await metAt(path).catch(() => null) : null;
  return { path, over: there?.stamp ?? null };
}
