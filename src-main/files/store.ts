/** What the app remembers between runs: recent files, copies of what is edited and of what was saved, in one folder of its own. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { settings, usualSettings, type Settings } from '../contract/app.ts';
import { createBackups } from './backups.ts';
import type { Backups } from './backups.ts';
import { createCopies } from './copies.ts';
import type { Copies } from './copies.ts';
import { documentName } from './documents.ts';
import { makeFolder, writeWhole } from './durable.ts';
import { journalFiles } from './journal-files.ts';
import { isAlive, thisProcess } from './owner.ts';
import { sweepTables } from './table-files.ts';
import { sweepUnfinished } from './unfinished.ts';

const mostRecent = 12;

const recentFiles = v.array(v.object({ path: v.string(), name: v.string(), openedAt: v.string() }));
type RecentFiles = v.InferOutput<typeof recentFiles>;

export interface Store {
  /** Where the tables of documents lie that were never saved. */
  readonly imports: string;
  recent(): Promise<RecentFiles>;
  addRecent(path: string): Promise<void>;
  settings(): Promise<Settings>;
  set(settings: Settings): Promise<void>;
  /** The copies of what is being edited. */
  readonly copies: Copies;
  /** The last saves of each document. */
  readonly backups: Backups;
  /**
   * Removes what nobody needs any more: copies of what was saved, tables that no document names, what killed processes
   * left unfinished here and beside recent files.
   */
  sweep(): Promise<void>;
}

/** What cannot be read (absent, half of another version, no JSON) is as if it were not there. */
async function readParsed<S extends v.GenericSchema>(schema: S, path: string): Promise<v.InferOutput<S> | null> {
  try {
    const parsed = v.safeParse(schema, JSON.parse(await readFile(path, 'utf8')));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}

export function createStore(folder: string): Store {
  const recentPath = join(folder, 'recent.json');
  const settingsPath = join(folder, 'settings.json');
  const imports = join(folder, 'tables');
  const kept = join(folder, 'kept');
  const copies = createCopies({ files: journalFiles(kept), owner: thisProcess(), isAlive });

  const recent = async (): Promise<RecentFiles> => (await readParsed(recentFiles, recentPath)) ?? [];

  return {
    imports,
    recent,
    async addRecent(path) {
      const others = (await recent()).filter((entry) => entry.path !== path);
      const entry = { path, name: documentName(path), openedAt: new Date().toISOString() };
      await makeFolder(folder);
      await writeWhole(recentPath, JSON.stringify([entry, ...others].slice(0, mostRecent)), {
        what: 'The list of recent files',
      });
    },
    settings: async () => (await readParsed(settings, settingsPath)) ?? usualSettings,
    async set(chosen) {
      await makeFolder(folder);
      await writeWhole(settingsPath, JSON.stringify(chosen), { what: 'The settings' });
    },
    copies,
    backups: createBackups(join(folder, 'backups')),
    async sweep() {
      await copies.sweep();
      const named = await copies.files();
      // A copy that cannot be read may name any of them.
      if (named) await sweepTables(imports, named);
      const beside = (await recent()).map(({ path }) => dirname(path));
      for (const place of new Set([folder, kept, imports, ...beside])) await sweepUnfinished(place);
    },
  };
}
