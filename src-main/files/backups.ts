/** The last saves of each document, as they were written: in the app's own folder, where no other program writes. */
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Refused } from '../refused.ts';
import { makeFolder, removeFile, writeWhole } from './durable.ts';

const most = 10;

export interface Backup {
  /** Its name among those of the document. */
  readonly backup: string;
  readonly savedAt: string;
  /** In bytes. */
  readonly size: number;
}

export interface Backups {
  /** Keeps what the file holds, unless it is what was kept last; the oldest go. */
  keep(path: string, bytes: Uint8Array, savedAt: Date): Promise<void>;
  /** Newest first. */
  list(path: string): Promise<Backup[]>;
  /** Throws `Refused` where there is none of that name. */
  read(path: string, backup: string): Promise<string>;
}

/** `2026-11-22T10-15-30.125Z-1234-0123456789abcdef`: when, how many bytes, and the beginning of their hash. */
const namePattern =
  /^(?<day>\d{4}-\d\d-\d\d)T(?<hour>\d\d)-(?<minute>\d\d)-(?<second>[\d.]+Z)-(?<size>\d+)-(?<hash>[0-9a-f]{16})$/;
const extension = '.cot.json';

function nameOf(bytes: Uint8Array, savedAt: Date): string {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  return `${savedAt.toISOString().replaceAll(':', '-')}-${bytes.length}-${hash}`;
}

function described(backup: string): Backup[] {
  const { day, hour, minute, second, size } = namePattern.exec(backup)?.groups ?? {};
  return size === undefined ? [] : [{ backup, savedAt: `${day}T${hour}:${minute}:${second}`, size: Number(size) }];
}

/** One file may have several names, and its backups one folder. */
function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

export function createBackups(folder: string): Backups {
  const folderOf = (path: string): string =>
    join(folder, createHash('sha256').update(realPath(path)).digest('hex').slice(0, 24));

  async function list(path: string): Promise<Backup[]> {
    const names = await readdir(folderOf(path)).catch(() => []);
    return names
      .filter((name) => name.endsWith(extension))
      .flatMap((name) => described(name.slice(0, -extension.length)))
      .sort((a, b) => (a.backup < b.backup ? 1 : -1));
  }

  return {
    list,
    async keep(path, bytes, savedAt) {
      const name = nameOf(bytes, savedAt);
      const before = await list(path);
      const hash = name.slice(-16);
      if (before[0]?.backup.endsWith(hash)) return;
      await makeFolder(folderOf(path));
      await writeWhole(join(folderOf(path), name + extension), bytes, { what: 'The backup of the document' });
      for (const { backup } of (await list(path)).slice(most))
        await removeFile(join(folderOf(path), backup + extension));
    },
    async read(path, backup) {
      if (!namePattern.test(backup)) throw new Refused('There is no such backup.');
      return readFile(join(folderOf(path), backup + extension), 'utf8').catch(() => {
        throw new Refused('This backup is no longer there: ten are kept of each document.');
      });
    },
  };
}
