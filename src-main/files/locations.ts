/** Where a document's tables are found, and what the window may have read. */
import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { Location } from '../contract/contract.ts';

/** The folder to which the `file`s of the document at `path` are relative: through a link, where the document itself lies. */
export const documentFolder = (path: string): string => dirname(realPath(resolve(path)));

/**
 * The folder to which a document's `file`s are relative. Of one that was never saved it is `imports`, where there is such
 * a folder.
 */
export function folderOf(location: Location, catalogue: string, imports?: string): string | undefined {
  switch (location.kind) {
    case 'file':
      return documentFolder(location.path);
    case 'example':
      return catalogue;
    case 'unsaved':
      return imports;
  }
}

export const fileOf = (location: Location | undefined): string | undefined =>
  location?.kind === 'file' ? location.path : undefined;

export function isInside(folder: string, path: string): boolean {
  const resolved = resolve(path);
  return resolved === folder || resolved.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Examples and unsaved documents, and files in folders that the user has opened something from; links are followed. */
export function createGrants(): { grant(folder: string): void; mayRead(location: Location): boolean } {
  const folders = new Set<string>();
  return {
    grant: (folder) => void folders.add(realPath(resolve(folder))),
    mayRead: (location) =>
      location.kind !== 'file' || [...folders].some((folder) => isInside(folder, documentFolder(location.path))),
  };
}

/** One file may have several names. That of a file which is not there is the one it would have in its folder. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(realPath(folder), basename(path));
  }
}

/** By whatever names: through links, and from the current folder. */
export const isSamePlace = (a: string, b: string): boolean => realPath(resolve(a)) === realPath(resolve(b));
