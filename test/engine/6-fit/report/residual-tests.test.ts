/** Runs of signs: against the counts by enumeration, and against shapes that are missed. */
import { describe, expect, it } from 'vitest';
import { missedShape } from '../../../../engine/6-fit/report/residual-tests.ts';

const bend = Array.from({ length: 24 }, (_, i) => (i / 23 - 0.5) ** 2 - 0.09);
const alternating = Array.from({ length: 24 }, (_, i) => (i % 2 === 0 ? 1 : -1));

describe('a missed shape', () => {
  it('is where residuals keep their sign, and says from where to where', () => {
    const found = missedShape([bend]);
    expect(found?.p).toBeLessThan(1e-4);
    const inner = bend.flatMap((r, i) => (r < 0 ? [i] : []));
    expect(found?.runs).toContainEqual({ group: 0, from: inner[0], to: inner.at(-1) });
  });

  it('is none where they change it as often as noise, or more often', () => {
    expect(missedShape([alternating])).toBeUndefined();
    expect(missedShape([[1, -1, -1, 1, 1, -1, 1, -1, 1, 1, -1, -1]])).toBeUndefined();
    expect(missedShape([[]])).toBeUndefined();
    expect(missedShape([[1, 1, 1, 1, 1, 1, 1, 1]])).toBeUndefined();
  });

  it('adds the runs of groups up, and runs over no end of one', () => {
    const halves = [bend.slice(0, 12), bend.slice(12)];
    const found = missedShape(halves);
    expect(found).toBeDefined();
    for (const { group, from, to } of found!.runs)
      expect(new Set(halves[group]!.slice(from, to + 1).map(Math.sign)).size).toBe(1);
  });

  it('alarms of noise about as often as it says: one time in a hundred at most', () => {
    // All sequences of twelve signs: the share that is doubted is at most that of the test.
    let alarms = 0;
    for (let bits = 0; bits < 4096; bits++)
      if (missedShape([Array.from({ length: 12 }, (_, i) => ((bits >> i) & 1 ? 1 : -1))])) alarms++;
    expect(alarms / 4096).toBeLessThan(0.01);
    expect(alarms).toBeGreaterThan(0);
  });
});
