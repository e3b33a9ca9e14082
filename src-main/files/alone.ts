/**
 * Between the last look at a file and its replacement no other window or process of ours comes in: two that save within the same
 * microsecond would each find what they know, and one be lost. A file beside it says who is at it; other programs know nothing of it.
 */
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as v from 'valibot';
import { calls } from './calls.ts';
import { owner } from './journal.ts';
import { isAlive, thisProcess } from './owner.ts';
import { turnName, unfinishedName } from './unfinished.ts';
import { codeOf } from './write-failure.ts';

/** To replace a file takes a disk milliseconds. A save is worth more than its turn: it is never refused for that. */
const patienceMilliseconds = 3000;
const lookMilliseconds = 5;

/** `path` as links are followed: of one file all come here. */
export async function aloneAt<T>(path: string, work: () => Promise<T>): Promise<T> {
  const real = await calls.realpath(path).catch(() => path);
  const turn = join(dirname(real), turnName(basename(real)));
  const isOurs = await take(turn);
  try {
    return await work();
  } finally {
    if (isOurs) await calls.unlink(turn).catch(() => {});
  }
}

/** False where it cannot be had. */
async function take(turn: string): Promise<boolean> {
  const until = performance.now() + patienceMilliseconds;
  for (;;) {
    try {
      const file = await calls.open(turn, 'wx');
      const bytes = Buffer.from(JSON.stringify(thisProcess()));
      await file.write(bytes, 0, bytes.length).catch(() => {});
      await file.close();
      return true;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST' || performance.now() > until) return false;
    }
    if (await isLeft(turn)) await giveUp(turn);
    else await setTimeout(lookMilliseconds);
  }
}

/** Whether a process left it that was killed; on another machine, or where it does not say, one that has had time enough. */
async function isLeft(turn: string): Promise<boolean> {
  const text = await readFile(turn, 'utf8').catch(() => '');
  const by = v.safeParse(owner, jsonOf(text));
  const alive = by.success ? isAlive(by.output) : undefined;
  if (alive !== undefined) return !alive;
  const state = await stat(turn).catch(() => undefined);
  return state !== undefined && Math.abs(Date.now() - state.mtimeMs) > patienceMilliseconds;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** By one of those who find it, since the name can be changed once. */
async function giveUp(turn: string): Promise<void> {
  const left = join(dirname(turn), unfinishedName());
  await calls.rename(turn, left).then(
    () => calls.unlink(left).catch(() => {}),
    () => {},
  );
}
