import { describe, expect, it } from 'vitest';
import { latest } from '../../../../src-renderer/state/window/latest.ts';

describe('latest', () => {
  it('runs one request at a time and then only the newest of those that waited', async () => {
    const started: number[] = [];
    const done: number[] = [];
    let release: () => void = () => undefined;
    const ask = latest(
      (n: number) => {
        started.push(n);
        return new Promise<number>((resolve) => {
          release = () => resolve(n);
        });
      },
      (n) => done.push(n),
      () => undefined,
    );
    for (const n of [1, 2, 3, 4]) ask(n);
    expect(started).toEqual([1]);
    release();
    await Promise.resolve().then(() => undefined);
    await new Promise((next) => setTimeout(next));
    expect(started).toEqual([1, 4]);
    release();
    await new Promise((next) => setTimeout(next));
    expect(done).toEqual([1, 4]);
  });

  it('goes on after a failure', async () => {
    const failures: unknown[] = [];
    const done: number[] = [];
    const ask = latest(
      (n: number) => (n === 1 ? Promise.reject(new Error('no')) : Promise.resolve(n)),
      (n) => done.push(n),
      (error) => failures.push(error),
    );
    ask(1);
    ask(2);
    await new Promise((next) => setTimeout(next));
    expect(failures).toHaveLength(1);
    expect(done).toEqual([2]);
  });
});
