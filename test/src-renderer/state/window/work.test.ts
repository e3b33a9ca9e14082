import { describe, expect, it } from 'vitest';
import { extended, resumed, secondsLeft } from '../../../../src-renderer/state/window/work.ts';
import type { HistoryPoint } from '../../../../src-renderer/state/window/work.ts';

const work = { stage: 'sampling', share: 0.25, startedAt: 1000 };

describe('long work', () => {
  it('takes as long for the rest as it took for its share', () => {
    expect(secondsLeft(work, 10)).toBe(30);
  });

  it('says nothing before enough is done, or where no share is known', () => {
    expect(secondsLeft({ ...work, share: 0.01 }, 10)).toBeUndefined();
    expect(secondsLeft(work, 0.5)).toBeUndefined();
    expect(secondsLeft({ stage: 'iteration 3', startedAt: 1000 }, 10)).toBeUndefined();
  });

  it('does not count a pause', () => {
    const after = resumed({ ...work, pausedAt: 4000 }, 9000);
    expect(after).toMatchObject({ startedAt: 6000, pausedAt: undefined });
    expect(resumed(work, 9000)).toBe(work);
  });

  it('keeps first and last of a long history, and their order', () => {
    let history: readonly HistoryPoint[] = [];
    for (let x = 0; x < 9000; x++) history = extended(history, { x, y: -x });
    expect(history.length).toBeLessThanOrEqual(2000);
    expect(history[0]).toEqual({ x: 0, y: -0 });
    expect(history.at(-1)).toEqual({ x: 8999, y: -8999 });
    expect([...history].sort((a, b) => a.x - b.x)).toEqual(history);
  });
});
