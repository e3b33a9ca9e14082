/** A PEtab problem on the disk: its YAML file, the folder that holds it, or an archive of that folder. */
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { unzipSync } from 'fflate';
import { isPetab } from '../../models/petab/read.ts';
import { decodeText } from '../../models/tables/csv.ts';
import { pathFault } from '../../models/tables/path.ts';
import { Refused } from '../refused.ts';

export interface PetabFiles {
  readonly yaml: string;
  /** By a name relative to the YAML file. */
  readonly readFile: (name: string) => Promise<Uint8Array>;
}

const yamlName = /\.ya?ml$/i;
/** What an archive may unpack to. */
const mostBytes = 512 * 2 ** 20;

/** Undefined of what is no PEtab problem by its name and first bytes. Throws `Refused`. */
export async function petabAt(path: string): Promise<PetabFiles | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) {
    const names = (await readdir(path)).filter((name) => yamlName.test(name));
    const texts = await Promise.all(names.map(async (name) => decodeText(await readFile(join(path, name)))));
    return { yaml: theProblem(path, names, texts), readFile: filesIn(path) };
  }
  if (yamlName.test(path) && found) {
    const yaml = decodeText(await readFile(path));
    if (!isPetab(yaml)) throw new Refused(`${path} has no "format_version": it is no PEtab problem`);
    return { yaml, readFile: filesIn(dirname(path)) };
  }
  if (found && (await isArchive(path))) return archived(path, await readFile(path));
  return undefined;
}

/** A problem of somebody else's names its own files, and no others of whoever imports it. */
const filesIn = (folder: string): PetabFiles['readFile'] =>
  async function (name) {
    const fault = pathFault(name);
    if (fault !== undefined) throw new Error(fault);
    return readFile(join(folder, name));
  };

async function isArchive(path: string): Promise<boolean> {
  const file = await open(path);
  const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
  await file.close();
  return beginsAsArchive(buffer);
}

/** By its first bytes. */
export const beginsAsArchive = (bytes: Uint8Array): boolean =>
  new TextDecoder('latin1').decode(bytes.subarray(0, 4)) === 'PK\x03\x04';

/**
 * `path` names it in what is said of it; undefined of an archive without YAML files, and of a torn one by another name. Throws
 * `Refused`.
 */
export function archived(path: string, bytes: Uint8Array): PetabFiles | undefined {
  let total = 0;
  const files = new Map<string, Uint8Array>();
  try {
    const unpacked = unzipSync(bytes, {
      filter({ originalSize }) {
        total += originalSize;
        if (total > mostBytes) throw new Refused(`${path} unpacks to more than ${mostBytes / 2 ** 20} MiB`);
        return true;
      },
    });
    for (const [name, content] of Object.entries(unpacked)) files.set(posix.normalize(name), content);
  } catch (error) {
    if (error instanceof Refused) throw error;
    // A workbook is an archive by another name.
    if (!/\.zip$/i.test(path)) return undefined;
    throw new Refused(`${path} cannot be unpacked: ${error instanceof Error ? error.message : String(error)}`);
  }
  const names = [...files.keys()].filter((name) => yamlName.test(name) && !name.startsWith('__MACOSX'));
  if (names.length === 0) return undefined;
  const texts = names.map((name) => decodeText(files.get(name)!));
  const yaml = theProblem(path, names, texts);
  const folder = posix.dirname(names[texts.indexOf(yaml)]!);
  return {
    yaml,
    readFile(name) {
      const found = files.get(posix.join(folder, name));
      return found ? Promise.resolve(found) : Promise.reject(new Error('the archive does not hold it'));
    },
  };
}

function theProblem(path: string, names: readonly string[], texts: readonly string[]): string {
  const problems = texts.filter(isPetab);
  const [only] = problems;
  if (only === undefined)
    throw new Refused(`${path} holds no PEtab problem: none of its YAML files has a "format_version"`);
  if (problems.length > 1) {
    const which = names.filter((_, i) => isPetab(texts[i]!));
    throw new Refused(`${path} holds several PEtab problems (${which.join(', ')}): name one of them`);
  }
  return only;
}
