/** What the app remembers between runs: recent files, copies of what is edited and of what was saved, in one folder of its own. */
import { chmod } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { settings, usualSettings, type Settings } from '../contract/app.ts';
import { createBackups } from './backups.ts';
import type { Backups } from './backups.ts';
import { createCopies } from './copies.ts';
import type { Copies } from './copies.ts';
import { makeFolder, writeWhole } from './durable.ts';
import { journalFiles } from './journal-files.ts';
import { isAlive, thisProcess } from './owner.ts';
import { readParsed } from './reading.ts';
import { createRecentFiles, type RecentFile } from './recent.ts';
import { createRunLists, type RunLists } from './run-lists.ts';
import { sweepTables } from './table-files.ts';
import { sweepUnfinished } from './unfinished.ts';

export interface Store {
  /** Where the tables of documents lie that were never saved. */
  readonly imports: string;
  recent(): Promise<RecentFile[]>;
  addRecent(path: string): Promise<void>;
  settings(): Promise<Settings>;
  set(settings: Settings): Promise<void>;
  /** The copies of what is being edited. */
  readonly copies: Copies;
  /** The last saves of each document. */
  readonly backups: Backups;
  /** What ran of each document. */
  readonly runs: RunLists;
  /**
   * Removes what nobody needs any more: copies of what was saved, tables that no document names, what killed processes
   * left unfinished here and beside recent files.
   */
  sweep(): Promise<void>;
}

/** What lies there is of documents that may be for their owner's eyes alone, whatever the user's mask gives new files. */
async function keepFromOthers(folder: string): Promise<void> {
  await makeFolder(folder)
    .then(() => chmod(folder, 0o700))
    // Somebody else's, or none can be made: what is kept there says so itself.
    .catch(() => {});
}

/** `listed` hears of each document that was taken into the list of recent ones. */
export function createStore(folder: string, listed: () => void = () => undefined): Store {
  const recentFiles = createRecentFiles(join(folder, 'recent'));
  const settingsPath = join(folder, 'settings.json');
  const imports = join(folder, 'tables');
  const kept = join(folder, 'kept');
  const copies = createCopies({ files: journalFiles(kept), owner: thisProcess(), isAlive });
  const runs = createRunLists(join(folder, 'runs'));

  return {
    imports,
    recent: () => recentFiles.list(),
    async addRecent(path) {
      await recentFiles.add(path);
      listed();
    },
    settings: async () => (await readParsed(settings, settingsPath)) ?? usualSettings,
    async set(chosen) {
      await makeFolder(folder);
      await writeWhole(settingsPath, JSON.stringify(chosen), { what: 'The settings' });
    },
    copies,
    backups: createBackups(join(folder, 'backups')),
    runs,
    async sweep() {
      await keepFromOthers(folder);
      await copies.sweep();
      await runs.sweep();
      const named = await copies.files();
      // A copy that cannot be read may name any of them.
      if (named) await sweepTables(imports, named);
      const beside = (await recentFiles.list()).map(({ path }) => dirname(path));
      for (const place of new Set([folder, join(folder, 'recent'), join(folder, 'runs'), kept, imports, ...beside]))
        await sweepUnfinished(place);
    },
  };
}
