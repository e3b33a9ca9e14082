/** What the app remembers between runs: recently used files and shadow copies of unsaved edits, in one folder of its own. */
import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { location as locationSchema } from '../contract.ts';
import type { Location, RequestOutput } from '../contract.ts';
import { documentName } from './documents.ts';
import type { RawDocument } from './documents.ts';
import { makeFolder, removeFile, writeWhole } from './durable.ts';
import { sweepTables } from './table-files.ts';
import { sweepUnfinished } from './unfinished.ts';

const mostRecent = 12;

const recentFiles = v.array(v.object({ path: v.string(), name: v.string(), openedAt: v.string() }));
type RecentFiles = v.InferOutput<typeof recentFiles>;

const shadow = v.object({
  location: locationSchema,
  document: v.custom<RawDocument>((input) => typeof input === 'object' && input !== null && !Array.isArray(input)),
  keptAt: v.string(),
});

export interface Store {
  /** Where the tables of documents lie that were never saved. */
  readonly imports: string;
  recent(): Promise<RecentFiles>;
  addRecent(path: string): Promise<void>;
  /** Writes the shadow copy for a location; null removes it. */
  keep(location: Location, document: RawDocument | null): Promise<void>;
  /** The shadow copies that are there, newest first. */
  kept(): Promise<RequestOutput<'files.kept'>>;
  /** Removes what killed processes left unfinished here and beside recent files. */
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
  const shadows = join(folder, 'kept');
  const imports = join(folder, 'tables');

  const shadowPath = (location: Location): string =>
    join(shadows, createHash('sha256').update(JSON.stringify(location)).digest('hex').slice(0, 24) + '.json');

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
    async keep(location, document) {
      if (document === null) {
        await removeFile(shadowPath(location));
        return;
      }
      await makeFolder(shadows);
      await writeWhole(shadowPath(location), JSON.stringify({ location, document, keptAt: new Date().toISOString() }), {
        what: `The copy of the unsaved edits${location.kind === 'file' ? ` of ${location.path}` : ''}`,
      });
    },
    async kept() {
      const names = await readdir(shadows).catch(() => []);
      const copies = await Promise.all(
        names.filter((name) => name.endsWith('.json')).map((name) => readParsed(shadow, join(shadows, name))),
      );
      const readable = copies.filter((copy) => copy !== null).sort((a, b) => (a.keptAt < b.keptAt ? 1 : -1));
      // A copy that cannot be read may name any of them.
      if (readable.length === copies.length)
        await sweepTables(
          imports,
          readable.map(({ document }) => document),
        );
      return readable;
    },
    async sweep() {
      const beside = (await recent()).map(({ path }) => dirname(path));
      for (const place of new Set([folder, shadows, imports, ...beside])) await sweepUnfinished(place);
    },
  };
}
