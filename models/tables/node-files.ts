/** Table files from the disk. The only place under models/ that touches a file system. */
import { readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { pathFault } from './path.ts';
import { TableError } from './table.ts';
import type { ReadFile } from './read-tables.ts';

/** Reads files in `folder` and below it alone, wherever links may lead. */
export function nodeFiles(folder: string): ReadFile {
  return async (file) => {
    const fault = pathFault(file);
    if (fault !== undefined) throw new TableError(fault);
    try {
      const root = await realpath(folder);
      const path = await realpath(join(root, file));
      const inside = relative(root, path);
      if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside))
        throw new TableError('the file must lie in the folder of the document, and a link leads out of it');
      if (!(await stat(path)).isFile()) throw new TableError('it is no file');
      return await readFile(path);
    } catch (error) {
      throw error instanceof TableError ? error : new TableError(reason(error));
    }
  };
}

function reason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'there is no such file';
  if (code === 'EACCES' || code === 'EPERM') return 'permission to read it is denied';
  return error instanceof Error ? error.message : String(error);
}
