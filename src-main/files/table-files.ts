/** Table files beside documents: written once when they are imported, and taken along when a document is saved elsewhere. */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readdir, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { nodeFiles } from '../../models/tables/node-files.ts';
import { pathFault } from '../../models/tables/path.ts';
import { Refused } from '../refused.ts';
import type { RawDocument } from './documents.ts';
import { makeFolder, writeNamed, writeWhole } from './durable.ts';
import { isInside } from './locations.ts';

/** Of a name that ends with a fingerprint of the content: what has the same name is the same table. */
const fingerprint = 8;

/** A name has 255 bytes at most, of which the fingerprint and the extension take some. */
const mostStemBytes = 200;

/** Files that no document names any more are kept this long. */
const sweepMilliseconds = 7 * 24 * 3600 * 1000;

/** The name of the new file in `folder`. It is there whole or not at all. */
export async function writeTable(folder: string, stem: string, chunks: Iterable<string>): Promise<string> {
  await makeFolder(folder);
  const hash = createHash('sha256');
  const letters = stem.replace(/[^\p{L}\p{N}_-]+/gu, '-').replace(/^-+|-+$/g, '');
  const plain = shortened(letters) || 'table';
  const nameOf = async (): Promise<string> => {
    const digest = hash.digest('hex');
    const stem = `${plain}-${digest.slice(0, fingerprint)}`;
    // What was changed by hand since it was imported is another table, and nobody has asked to write over it.
    for (let n = 1; ; n++) {
      const name = n === 1 ? `${stem}.csv` : `${stem}-${n}.csv`;
      if (await isFreeFor(join(folder, name), digest)) return name;
    }
  };
  return writeNamed(folder, hashed(chunks, hash), nameOf, `The table ${join(folder, plain)}`);
}

/** Whether there is nothing, or the very same. */
async function isFreeFor(path: string, digest: string): Promise<boolean> {
  const there = await lstat(path).catch(() => undefined);
  if (!there?.isFile()) return !there;
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex') === digest;
}

/** To so many bytes that a name made of it is none too long for a disk. */
function shortened(letters: string): string {
  const whole = [...letters];
  while (Buffer.byteLength(whole.join('')) > mostStemBytes) whole.pop();
  return whole.join('');
}

function* hashed(chunks: Iterable<string>, hash: Hash): Iterable<string> {
  for (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}

/** The files that a document's tables name, and may name. */
export function filesOf(document: RawDocument): string[] {
  const { tables } = document;
  if (typeof tables !== 'object' || tables === null) return [];
  return Object.values(tables).flatMap((table: { file?: unknown } | null) =>
    typeof table?.file === 'string' && pathFault(table.file) === undefined ? [table.file] : [],
  );
}

/**
 * Copies the tables of a document from the folder that it came from to the one it goes to. What is missing there stays
 * missing, as the document says. Throws `Refused` where another file has the name, and nothing has been copied then.
 */
export async function bringTables(document: RawDocument, from: string | undefined, to: string): Promise<void> {
  if (from === undefined || from === to) return;
  const [sources, targets] = [nodeFiles(from), nodeFiles(to)];
  const wanted: (readonly [path: string, bytes: Uint8Array, of: string])[] = [];
  for (const file of new Set(filesOf(document))) {
    const here = await sources(file).catch(() => undefined);
    const there = await targets(file).catch(() => undefined);
    const path = join(to, file);
    if (!here) continue;
    if (there ? Buffer.compare(here, there) !== 0 : await isTaken(to, file))
      throw new Refused(`${path} is another table than the document's. Choose another folder for the document.`);
    if (!there) wanted.push([path, here, join(from, file)]);
  }
  for (const [path, bytes, of] of wanted) {
    await makeFolder(dirname(path));
    await writeWhole(path, bytes, { of });
  }
}

/** Whether something that cannot be read as a table has a file's name, or a link leads from its folder elsewhere. */
async function isTaken(folder: string, file: string): Promise<boolean> {
  const path = join(folder, file);
  if (await lstat(path).catch(() => undefined)) return true;
  for (let above = dirname(path); isInside(folder, above); above = dirname(above)) {
    const real = await realpath(above).catch(() => undefined);
    if (real !== undefined) return !isInside(await realpath(folder), real);
  }
  return false;
}

/** Removes tables of documents that were never saved, once no copy names them and some days have passed. */
export async function sweepTables(folder: string, named: ReadonlySet<string>): Promise<void> {
  for (const file of await readdir(folder).catch(() => [])) {
    if (named.has(file)) continue;
    const state = await stat(join(folder, file)).catch(() => undefined);
    if (state && Date.now() - state.mtimeMs > sweepMilliseconds) await rm(join(folder, file), { force: true });
  }
}
