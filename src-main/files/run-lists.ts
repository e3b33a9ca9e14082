/**
 * What ran of each document, as its window wrote it down: in the app's own folder, since it is the history of whoever worked here,
 * and no part of the document. A list that cannot be read is none.
 */
import { createHash } from 'node:crypto';
import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RequestOutput } from '../contract/contract.ts';
import type { KeptRuns } from '../contract/keeping.ts';
import { aloneAt } from './alone.ts';
import { makeFolder, ownersAlone, removeFile, writeWhole } from './durable.ts';
import { realPath } from './locations.ts';

/** Of as many documents: what was written longest ago goes. */
const most = 200;
const extension = '.runs';

export interface RunLists {
  /** Of the document at `path`; undefined where there is none. */
  read(path: string): Promise<KeptRuns | undefined>;
  /** `over`: the hash of what is written over, null for nothing; what is there instead is given back. What is gone is written again. */
  keep(path: string, text: string, over?: string | null): Promise<RequestOutput<'files.keepRuns'>>;
  /** Removes those of documents that were not open for long. */
  sweep(): Promise<void>;
}

const kept = (text: string): KeptRuns => ({ text, hash: createHash('sha256').update(text).digest('hex') });

export function createRunLists(folder: string): RunLists {
  const fileOf = (path: string): string =>
    join(folder, createHash('sha256').update(realPath(path)).digest('hex').slice(0, 24) + extension);
  const changedAt = (name: string): Promise<number> =>
    stat(join(folder, name)).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    );

  const read = (path: string): Promise<KeptRuns | undefined> =>
    readFile(fileOf(path), 'utf8').then(kept, () => undefined);

  return {
    read,
    async keep(path, text, over) {
      await makeFolder(folder);
      return aloneAt(fileOf(path), async () => {
        const now = over === undefined ? undefined : await read(path);
        if (now && now.hash !== over) return { changed: now };
        await writeWhole(fileOf(path), text, { what: 'The list of runs', mode: ownersAlone });
        return { hash: kept(text).hash };
      });
    },
    async sweep() {
      const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(extension));
      const dated = await Promise.all(names.map(async (name) => ({ name, at: await changedAt(name) })));
      for (const { name } of dated.sort((a, b) => b.at - a.at).slice(most)) await removeFile(join(folder, name));
    },
  };
}
