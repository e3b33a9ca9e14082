/** A folder of a PEtab problem, or its files dropped together, as one archive: what is imported is one piece of bytes. */
import { zipSync } from 'fflate';
import type { Incoming } from './data-import.ts';

const yaml = /\.ya?ml$/i;
/** Of a folder that was dropped by mistake. */
const mostFiles = 1000;
const mostBytes = 512 * 2 ** 20;

/** Undefined where what was dropped is one file, or several that are no problem together. Throws a sentence. */
export async function problemIn(items: readonly DataTransferItem[]): Promise<Incoming | undefined> {
  const entries = items.flatMap((item) => item.webkitGetAsEntry() ?? []);
  const [first] = entries;
  const isProblem = entries.some(({ isDirectory, name }) => isDirectory || (yaml.test(name) && entries.length > 1));
  if (!first || !isProblem) return undefined;
  const files = new Map<string, File>();
  for (const entry of entries) await gather(entry, entries.length === 1 ? '' : entry.name, files);
  const names = [...files.keys()].filter((name) => yaml.test(name));
  const size = [...files.values()].reduce((sum, file) => sum + file.size, 0);
  if (names.length === 0) throw new Error(`${first.name} holds no YAML file of a PEtab problem.`);
  if (size > mostBytes) throw new Error(`${first.name} holds more than ${mostBytes / 2 ** 20} MiB.`);
  const contents: Record<string, Uint8Array> = {};
  for (const [name, file] of files) contents[name] = new Uint8Array(await file.arrayBuffer());
  const named = entries.find(({ isDirectory }) => isDirectory)?.name ?? names[0] ?? first.name;
  return { name: named, data: new Blob([zipSync(contents, { level: 0 })]) };
}

async function gather(entry: FileSystemEntry, path: string, files: Map<string, File>): Promise<void> {
  if (files.size >= mostFiles) throw new Error(`${entry.name} holds more than ${mostFiles} files.`);
  if (entry.isFile) {
    files.set(
      path === '' ? entry.name : path,
      await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)),
    );
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const next = (): Promise<FileSystemEntry[]> =>
    new Promise((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
  // A reader gives some at a time, and none at the end.
  for (let some = await next(); some.length > 0; some = await next())
    for (const each of some) await gather(each, path === '' ? each.name : `${path}/${each.name}`, files);
}
