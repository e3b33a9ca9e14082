/**
 * What went wrong on this machine, in a file that stays on it. Lines are appended as they come, so that a crash loses none,
 * and nothing is sent anywhere. The one kind of file that is appended to and not written whole.
 */
import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the logs, for this process and those that it starts. */
export const logsVariable = 'COTANGENT_LOGS';

/** A log that has grown so large becomes the old one, in place of the one before. */
const mostBytes = 500_000;

function described(what: unknown): string {
  return what instanceof Error ? (what.stack ?? what.message) : String(what);
}

/** `who` is the process: `main`, `engine`, `window`, `serve`. Where nothing can be logged that is no further fault. */
export function note(who: string, what: unknown): void {
  const text = described(what);
  const folder = process.env[logsVariable];
  // The command line keeps no log: what it throws it prints.
  if (folder === undefined) return;
  console.error(`${who}: ${text}`);
  const file = join(folder, `${who}.log`);
  try {
    mkdirSync(folder, { recursive: true });
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > mostBytes)
      renameSync(file, join(folder, `${who}.old.log`));
    appendFileSync(file, `${new Date().toISOString()} ${text.replaceAll('\n', '\n  ')}\n`);
  } catch (error) {
    console.error(`The log cannot be written: ${described(error)}`);
  }
}

/** All logs below each other, under what one asks first; the older of a process before the newer. */
export function collectedLogs(about: Readonly<Record<string, string>>, folder = process.env[logsVariable]): string {
  const head = Object.entries(about).map(([name, value]) => `${name}: ${value}\n`);
  return [...head, ...logFiles(folder).map(([name, text]) => `\n== ${name}\n${text}`)].join('');
}

function logFiles(folder: string | undefined): [name: string, text: string][] {
  try {
    if (folder === undefined) return [];
    const names = readdirSync(folder).filter((name) => name.endsWith('.log'));
    return names
      .sort()
      .reverse()
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
  } catch {
    return [];
  }
}
