/** A job that is ruled before it has a name. */
import { expect, it } from 'vitest';
import type { Client } from '../../../../src-main/contract/contract.ts';
import { Job } from '../../../../src-renderer/state/window/job.svelte.ts';

/** A job whose name comes when the test says, and what was asked of the engine. */
async function started(rule: (job: Job<'fit'>) => unknown): Promise<readonly string[]> {
  const asked: string[] = [];
  let name: (reply: { readonly job: string }) => void = () => undefined;
  const client = {
    on: () => () => undefined,
    request(what: string, body: { readonly job?: string }) {
      asked.push(body.job === undefined ? what : `${what} ${body.job}`);
      return what === 'job.start' ? new Promise((resolve) => (name = resolve)) : Promise.resolve({});
    },
  } as unknown as Client;
  const nothing = (): void => undefined;
  const job = new Job<'fit'>(client, { progress: nothing, done: nothing, refused: nothing });
  const begun = job.start({ document: {}, location: { kind: 'unsaved' }, parameters: {}, work: { kind: 'fit' } });
  await rule(job);
  name({ job: 'job-1' });
  await begun;
  return asked.slice(1);
}

it('waits once it has one', async () => {
  expect(await started((job) => job.pause())).toEqual(['job.pause job-1']);
});

it('goes on where it was told to meanwhile', async () => {
  const rule = async (job: Job<'fit'>): Promise<void> => {
    await job.pause();
    await job.resume();
  };
  expect(await started(rule)).toEqual([]);
});

it('stops, whether it was to wait or not', async () => {
  const rule = async (job: Job<'fit'>): Promise<void> => {
    await job.pause();
    await job.stop();
  };
  expect(await started(rule)).toEqual(['job.stop job-1']);
});
