/** Documents that the user names outside the window: on the command line, by a double click, to a second start of the app. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
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

/** What asks for text alone. */
const asksForText = ['--version', '--licenses', '--help'];

/** The command among the arguments of a start, which is the command line's and not the window's: a word that is neither `open` nor a file. */
export function commandArgument(args: readonly string[], folder: string): string | undefined {
  const first = args.find((arg) => !arg.startsWith('-'));
  if (first === undefined) return args.find((arg) => asksForText.includes(arg));
  return /^[a-z]+$/.test(first) && first !== 'open' && !existsSync(resolve(folder, first)) ? first : undefined;
}

/** Why it is not carried out, and what does. */
export function whyNoCommand(command: string, executable: string, { APPIMAGE }: NodeJS.ProcessEnv): string {
  const beside = join(dirname(executable), 'bin', 'cotangent');
  const where =
    // An AppImage lies elsewhere each time that it runs.
    APPIMAGE === undefined && existsSync(beside)
      ? `run ${beside} ${command}`
      : 'commands come with the .deb, the .rpm and the zip for Linux, and with the sources';
  return `cotangent: ${command} is a command, and this program opens the window alone: ${where}.`;
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
