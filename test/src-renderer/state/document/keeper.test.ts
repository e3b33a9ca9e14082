import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Keeper } from '../../../../src-renderer/state/document/keeper.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A host on a clock of its own: it answers after `delay`, keeps what it is sent, and can forget, fail or die. */
function createHost(delay = 5) {
  let done = 0;
  const journal: string[] = [];
  const host = {
    journal,
    batches: [] as { at: number; from: number; entries: readonly string[] }[],
    failures: 0,
    fails: false,
    /** Why the session cannot be written, where it cannot. */
    broken: null as Error | null,
    /** As when it is started again. */
    forget: () => void (journal.length = 0),
  };
  const keeper = new Keeper({
    whole() {
      if (host.broken) throw host.broken;
      return `all ${done}`;
    },
    async send(from, entries) {
      host.batches.push({ at: Date.now(), from, entries });
      await new Promise((resolve) => setTimeout(resolve, delay));
      if (host.fails) throw new Error('no space left');
      if (from === 0) journal.length = 0;
      else if (from > journal.length) return false;
      journal.push(...entries);
      return true;
    },
    kept: () => undefined,
    failed: () => void (host.failures += 1),
  });
  const act = (): void => {
    done += 1;
    keeper.add(() => `act ${done}`);
  };
  /** The last action of which the host has heard. */
  const known = (): number => Number(journal.at(-1)?.split(' ')[1] ?? 0);
  return { host, keeper, act, known, done: () => done };
}

describe('what is done', () => {
  it('is with the host within a second, whatever follows: 22 edits over 6 s without a pause', async () => {
    const { act, known, done, host } = createHost();
    const seen: [number, number][] = [];
    for (let i = 0; i < 22; i++) {
      act();
      await vi.advanceTimersByTimeAsync(275);
      seen.push([known(), done()]);
    }
    for (const [kept, of] of seen) expect(kept).toBe(of);
    expect(host.journal[0]).toBe('all 1');
  });

  it('waits a fifth of a second at most in a run of sixty edits a second', async () => {
    const { act, known, host } = createHost();
    const doneAt = new Map<number, number>();
    let late = 0;
    for (let i = 1; i <= 300; i++) {
      act();
      doneAt.set(i, Date.now());
      await vi.advanceTimersByTimeAsync(16);
      const first = doneAt.get(known() + 1);
      if (first !== undefined) late = Math.max(late, Date.now() - first);
    }
    expect(late).toBeLessThan(250);
    expect(host.batches.length).toBeLessThan(300 / 10);
  });

  it('waits no longer where the clock is set back by an hour', async () => {
    const { act, known } = createHost();
    act();
    await vi.advanceTimersByTimeAsync(50);
    vi.setSystemTime(Date.now() - 3600_000);
    act();
    await vi.advanceTimersByTimeAsync(1000);
    expect(known()).toBe(2);
  });

  it('is said not to be kept by a host that does not answer, until it does', async () => {
    const { act, host, known } = createHost(10_000);
    act();
    await vi.advanceTimersByTimeAsync(3100);
    expect(host.failures).toBe(1);
    await vi.advanceTimersByTimeAsync(7000);
    expect([known(), host.failures]).toEqual([1, 1]);
  });

  it('is tried again where the session could not be written as text', async () => {
    const { act, host, known } = createHost();
    host.broken = new RangeError('Invalid string length');
    act();
    await vi.advanceTimersByTimeAsync(500);
    expect(host.failures).toBe(1);
    host.broken = null;
    act();
    await vi.advanceTimersByTimeAsync(2000);
    expect(known()).toBe(2);
  });

  it('goes at once when nothing was done for a while, and on a flush without any wait', async () => {
    const { act, keeper, host, known } = createHost();
    act();
    expect(host.batches).toHaveLength(1);
    act();
    act();
    expect(keeper.behind).toBe(true);
    const flushed = keeper.flush();
    await vi.advanceTimersByTimeAsync(11);
    expect(await flushed).toBe(true);
    expect(known()).toBe(3);
    expect(keeper.behind).toBe(false);
    expect(keeper.pending).toBe(false);
  });

  it('is sent whole to a host that has forgotten what came before', async () => {
    const { act, host, known } = createHost();
    act();
    await vi.advanceTimersByTimeAsync(1000);
    host.forget();
    act();
    await vi.advanceTimersByTimeAsync(1000);
    expect(known()).toBe(2);
    expect(host.journal).toEqual(['all 2']);
  });

  it('is tried again while it fails, and a flush does not wait for ever', async () => {
    const { act, host, keeper, known } = createHost();
    host.fails = true;
    act();
    const flushed = keeper.flush();
    await vi.advanceTimersByTimeAsync(10);
    expect(await flushed).toBe(false);
    act();
    await vi.advanceTimersByTimeAsync(3000);
    expect(host.failures).toBeGreaterThan(2);
    expect(keeper.pending).toBe(true);
    host.fails = false;
    await vi.advanceTimersByTimeAsync(2000);
    expect(known()).toBe(2);
    expect(keeper.pending).toBe(false);
  });

  it('begins anew when its journal has grown long', async () => {
    const { keeper, host } = createHost();
    const long = 'x'.repeat(1_500_000);
    for (let i = 0; i < 6; i++) {
      keeper.add(() => long);
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(host.batches.filter(({ from }) => from === 0)).toHaveLength(2);
    expect(host.journal.length).toBeLessThan(6);
  });

  it('is sent no more once the document is done with', async () => {
    const { act, keeper, host } = createHost();
    act();
    void keeper.end();
    act();
    await vi.advanceTimersByTimeAsync(3000);
    expect(host.batches).toHaveLength(1);
  });

  it('goes with the page that ends before the host has answered what it was sent before', async () => {
    for (const wholes of [false, true]) {
      const { act, host, keeper, known, done } = createHost(400);
      act();
      await vi.advanceTimersByTimeAsync(500);
      act();
      await vi.advanceTimersByTimeAsync(300);
      act();
      if (wholes) keeper.renew();
      const before = host.batches.length;
      void keeper.flushLast();
      // Nothing of the page runs from here on, where it does end.
      expect(host.batches.length).toBe(before + 1);
      await vi.advanceTimersByTimeAsync(5000);
      expect(known()).toBe(done());
      // And where it does not, nothing is there twice by what the host makes of it.
      expect(host.batches.at(-1)?.from).toBe(host.batches.at(-2)?.from);
    }
  });
});
