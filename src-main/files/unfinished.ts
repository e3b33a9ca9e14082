/**
 * Files that are being written lie beside the ones they will replace, under names that say whose they are. What a process
 * leaves that was killed is swept away by the next that writes there.
 */
import { createHash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { calls, type FileState } from './calls.ts';

/** `.cotangent-MACHINE-PROCESS-RANDOM.part`: short, since the name beside it may be as long as names may be. */
const pattern = /^\.cotangent-(?<machine>[0-9a-f]{8})-(?<pid>\d+)-[0-9a-f]{16}\.part$/;

/** Of who is about to replace the file beside it, for milliseconds. */
const turnPattern = /^\.cotangent-[0-9a-f]{16}\.turn$/;
export const turnName = (name: string): string =>
  `.cotangent-${createHash('sha256').update(name).digest('hex').slice(0, 16)}.turn`;
const turnMilliseconds = 60_000;

/** What nobody has added to for so long is nobody's, whatever machine wrote it on a shared disk. */
const longMilliseconds = 24 * 3600 * 1000;

const thisMachine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

/** The last of this thread, whatever the clock says of their age: as many are never under way at once. */
const own = new Set<string>();
const mostOwn = 1000;

export function unfinishedName(): string {
  const name = `.cotangent-${thisMachine}-${process.pid}-${randomBytes(8).toString('hex')}.part`;
  own.add(name);
  const [oldest] = own;
  if (own.size > mostOwn && oldest !== undefined) own.delete(oldest);
  return name;
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, and is another user's.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

/** Whether nobody writes to it any more. A process of this number that began after the file is another than its writer. */
function isLeft(name: string, machine: string, pid: number, { mtimeMs }: FileState): boolean {
  if (own.has(name)) return false;
  if (Date.now() - mtimeMs > longMilliseconds) return true;
  if (machine !== thisMachine) return false;
  return pid === process.pid ? mtimeMs < Date.now() - process.uptime() * 1000 - 1000 : !runs(pid);
}

/** Removes what was left unfinished in a folder. What cannot be removed stays: nothing depends on it. */
export async function sweepUnfinished(folder: string): Promise<void> {
  for (const name of await calls.readdir(folder).catch(() => [])) {
    const { machine, pid } = pattern.exec(name)?.groups ?? {};
    const isTurn = turnPattern.test(name);
    if (!isTurn && (machine === undefined || pid === undefined)) continue;
    const path = join(folder, name);
    const state = await calls.lstat(path).catch(() => undefined);
    if (!state?.isFile()) continue;
    const isNobodys = isTurn
      ? Math.abs(Date.now() - state.mtimeMs) > turnMilliseconds
      : isLeft(name, machine!, Number(pid), state);
    if (isNobodys) await calls.unlink(path).catch(() => {});
  }
}

const swept = new Set<string>();

/** Sweeps a folder once in the life of this process. */
export async function sweepOnce(folder: string): Promise<void> {
  if (swept.has(folder)) return;
  swept.add(folder);
  await sweepUnfinished(folder);
}
