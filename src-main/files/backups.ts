/** The last saves of each document, as they were written: in the app's own folder, where no other program writes. */
import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Refused } from '../refused.ts';
import { makeFolder, ownersAlone, removeFile, writeWhole } from './durable.ts';
import { realPath } from './locations.ts';
import { codeOf } from './write-failure.ts';

const most = 10;
/** Saves closer together than this are one piece of work: of them the earlier go first, so that those of before stay. */
const pieceMilliseconds = 10_000;

export interface Backup {
  /** Its name among those of the document. */
  readonly backup: string;
  readonly savedAt: string;
  /** In bytes. */
  readonly size: number;
}

export interface Backups {
  /** Keeps what the file holds, unless it is what was kept last; ten stay. */
  keep(path: string, bytes: Uint8Array, savedAt: Date): Promise<void>;
  /** Newest first. */
  list(path: string): Promise<Backup[]>;
  /** Throws `Refused` where there is none of that name. */
  read(path: string, backup: string): Promise<string>;
}

/**
 * `000012-2026-11-22T10-15-30.125Z-1234-0123456789abcdef`: its number among those of the document, when it was saved, how
 * many bytes, and the beginning of their hash. The number is their order: clocks are set back, and a file that another
 * program put there may be older than every save.
 */
const namePattern =
  /^(?<number>\d+)-(?<day>\d{4}-\d\d-\d\d)T(?<hour>\d\d)-(?<minute>\d\d)-(?<second>[\d.]+Z)-(?<size>\d+)-(?<hash>[0-9a-f]{16})$/;
const extension = '.cot.json';

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').slice(0, 16);

function nameOf(number: number, bytes: Uint8Array, savedAt: Date): string {
  const time = savedAt.toISOString().replaceAll(':', '-');
  return `${String(number).padStart(6, '0')}-${time}-${bytes.length}-${hashOf(bytes)}`;
}

const numberOf = (backup: string): number => Number(namePattern.exec(backup)?.groups?.['number'] ?? 0);

function described(backup: string): Backup[] {
  const { day, hour, minute, second, size } = namePattern.exec(backup)?.groups ?? {};
  return size === undefined ? [] : [{ backup, savedAt: `${day}T${hour}:${minute}:${second}`, size: Number(size) }];
}

/** Of backups, newest first: the oldest that another soon followed, else the oldest. */
function leastNeeded(backups: readonly Backup[]): number {
  const time = (i: number): number => Date.parse(backups[i]?.savedAt ?? '');
  const soon = (i: number): boolean => Math.abs(time(i - 1) - time(i)) < pieceMilliseconds;
  const followed = backups.findLastIndex((_, i) => i > 0 && soon(i));
  return followed === -1 ? backups.length - 1 : followed;
}

export function createBackups(folder: string): Backups {
  const folderOf = (path: string): string =>
    join(folder, createHash('sha256').update(realPath(path)).digest('hex').slice(0, 24));

  async function list(path: string): Promise<Backup[]> {
    const names = await readdir(folderOf(path)).catch((error: unknown): string[] => {
      if (codeOf(error) === 'ENOENT') return [];
      throw new Refused(`The earlier saves cannot be read: the system says ${codeOf(error) ?? 'nothing'}.`);
    });
    return names
      .filter((name) => name.endsWith(extension))
      .flatMap((name) => described(name.slice(0, -extension.length)))
      .sort((a, b) => numberOf(b.backup) - numberOf(a.backup));
  }

  return {
    list,
    async keep(path, bytes, savedAt) {
      const [last] = await list(path);
      if (last?.backup.endsWith(hashOf(bytes))) return;
      const name = nameOf(last ? numberOf(last.backup) + 1 : 1, bytes, savedAt);
      await makeFolder(folderOf(path));
      await writeWhole(join(folderOf(path), name + extension), bytes, {
        what: 'The backup of the document',
        mode: ownersAlone,
      });
      const all = await list(path);
      while (all.length > most) {
        const [{ backup }] = all.splice(leastNeeded(all), 1) as [Backup];
        await removeFile(join(folderOf(path), backup + extension));
      }
    },
    async read(path, backup) {
      if (!namePattern.test(backup)) throw new Refused('There is no such backup.');
      return readFile(join(folderOf(path), backup + extension), 'utf8').catch(() => {
        throw new Refused('This backup is no longer there: ten are kept of each document.');
      });
    },
  };
}
