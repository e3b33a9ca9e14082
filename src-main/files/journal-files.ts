/** Journals in a folder of the file system. */
import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { JournalFiles } from './shelf.ts';
import { addTo, makeFolder, ownersAlone, removeFile, renameFile, writeWhole } from './durable.ts';

/** As a failure names it. */
const what = 'The copy of the unsaved edits';

export function journalFiles(folder: string): JournalFiles {
  return {
    async list() {
      const names = await readdir(folder).catch(() => []);
      const found = await Promise.all(
        names.map(async (name) => {
          const state = await stat(join(folder, name)).catch(() => undefined);
          return state?.isFile() ? [{ name, changedAt: state.mtime }] : [];
        }),
      );
      return found.flat();
    },
    read: (name) => readFile(join(folder, name), 'utf8'),
    async replace(name, text) {
      await makeFolder(folder);
      await writeWhole(join(folder, name), text, { what, mode: ownersAlone });
    },
    append: (name, text) => addTo(join(folder, name), text, what),
    remove: (name) => removeFile(join(folder, name)),
    setAside: (name, as) => renameFile(join(folder, name), join(folder, as)),
    pathOf: (name) => join(folder, name),
  };
}
