/**
 * The documents that were opened last: each in a file of its own, so that windows and processes that open documents at the same
 * moment take none from each other's list. The number of each says which is newer, and no clock, since clocks are set back.
 */
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { documentName } from './documents.ts';
import { makeFolder, removeFile, writeWhole } from './durable.ts';
import { readParsed } from './reading.ts';

const most = 12;
/** Of these none is near the list when it goes: what is opened again meanwhile stays. */
const mostFiles = 4 * most;

const noted = v.object({ path: v.string(), name: v.string(), openedAt: v.string(), number: v.number() });
type Noted = v.InferOutput<typeof noted>;
export type RecentFile = Omit<Noted, 'number'>;

export interface RecentFiles {
  /** The newest first. */
  list(): Promise<RecentFile[]>;
  add(path: string): Promise<void>;
}

export function createRecentFiles(folder: string): RecentFiles {
  const fileOf = (path: string): string =>
    join(folder, `${createHash('sha256').update(path).digest('hex').slice(0, 24)}.json`);

  async function all(): Promise<Noted[]> {
    const names = await readdir(folder).catch(() => []);
    const found = await Promise.all(names.map((name) => readParsed(noted, join(folder, name))));
    return found
      .filter((each) => each !== null)
      .sort((a, b) => b.number - a.number || (a.openedAt < b.openedAt ? 1 : -1));
  }

  return {
    list: async () => (await all()).slice(0, most).map(({ path, name, openedAt }) => ({ path, name, openedAt })),
    async add(path) {
      const known = await all();
      const entry = {
        ...{ path, name: documentName(path), openedAt: new Date().toISOString() },
        number: (known[0]?.number ?? 0) + 1,
      };
      await makeFolder(folder);
      await writeWhole(fileOf(path), JSON.stringify(entry), { what: 'The list of recent files' });
      for (const old of known.slice(mostFiles)) await removeFile(fileOf(old.path));
    },
  };
}
