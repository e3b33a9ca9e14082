/**
 * One temporary folder for a whole run of the tests, in which their own lie: removed at the run's end, and at the next one's
 * start where the run was killed. A hook of a file cannot do it: files that share a thread load the module of such a hook once.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const prefix = 'cotangent-tests-';

function remove(folder: string): void {
  // A process that a test has ended may still be writing its last.
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Vitest and Playwright call the default export, and at the end what it returns. */
export default function setup(): () => void {
  const home = tmpdir();
  // Each project of Vitest's calls this, and one folder serves them all.
  if (basename(home).startsWith(prefix)) return () => undefined;
  for (const name of readdirSync(home)) {
    if (name.startsWith(prefix) && !alive(parseInt(name.slice(prefix.length), 10))) remove(join(home, name));
  }
  const folder = mkdtempSync(join(home, `${prefix}${process.pid}-`));
  // On Windows the folder goes by other names.
  for (const name of ['TMPDIR', 'TMP', 'TEMP']) process.env[name] = folder;
  return () => remove(folder);
}
