/** Documents that the user names outside the window: on the command line, by a double click, to a second start of the app. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Location } from '../contract/contract.ts';
import { hasDocumentExtension } from '../files/documents.ts';

export interface AskedDocuments {
  /** Paths that the user has chosen, here or in dialogs: those alone are opened and written. */
  readonly chosen: Set<string>;
  /** What a page that begins now opens: the last that was asked for. */
  readonly last: () => Location | null;
  /** `tell` hears of what is asked for from now on. */
  readonly listen: (tell: (location: Location) => void) => void;
  readonly ask: (path: string) => void;
}

/**
 * The document named among the arguments of a start, by path or by file:// URL: the first that is there and no option. Where none is
 * there it is the first that should be: the window says of it that it is not.
 */
export function documentArgument(args: readonly string[], folder: string): string | undefined {
  const named = args
    .filter((arg) => !arg.startsWith('-'))
    .map((arg) => pathOf(arg, folder))
    .filter((path) => path !== undefined && hasDocumentExtension(path));
  return named.find((path) => existsSync(path!)) ?? named[0];
}

/** Undefined of a URL that names no file here. */
function pathOf(arg: string, folder: string): string | undefined {
  if (!/^file:/i.test(arg)) return /^[a-z][a-z\d+.-]*:\/\//i.test(arg) ? undefined : resolve(folder, arg);
  try {
    return fileURLToPath(arg);
  } catch {
    return undefined;
  }
}

export function askedDocuments(first: string | undefined): AskedDocuments {
  const chosen = new Set<string>(first === undefined ? [] : [first]);
  const place = (path: string): Location => ({ kind: 'file', path });
  let last = first;
  let hear: ((location: Location) => void) | undefined;
  return {
    chosen,
    last: () => (last === undefined ? null : place(last)),
    listen: (tell) => (hear = tell),
    ask(path) {
      last = resolve(path);
      chosen.add(last);
      hear?.(place(last));
    },
  };
}
