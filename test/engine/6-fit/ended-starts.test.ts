/** The ends of many starts, and what is said of them once the best has been looked at again. */
import { describe, expect, it } from 'vitest';
import { endedStarts, type StartEnding } from '../../../engine/6-fit/ended-starts.ts';
import type { FitStatus } from '../../../engine/6-fit/problem.ts';

const end = (start: number, energy: number, status: FitStatus = 'converged'): StartEnding => ({
  ...{ start, status, reason: 'as it was', point: Float64Array.of(energy), iterations: 1, history: [10, energy] },
});

function endedAt(...ends: readonly StartEnding[]) {
  const ended = endedStarts();
  for (const each of ends) ended.add(each);
  return ended;
}

describe('the last word on the best of the starts', () => {
  it('counts one that has come to a minimum since', () => {
    const ended = endedAt(end(0, 2), end(1, 1, 'not-converged'), end(2, 1, 'not-converged'));
    expect(ended.atBest()).toBe(0);
    ended.lastWord(end(1, 0.9));
    expect(ended.atBest()).toBe(1);
    expect(ended.levels().map(({ energy, ends }) => [energy, ends.length])).toEqual([
      [0.9, 1],
      [2, 1],
    ]);
    expect(ended.lowest().map(({ start, status, energy }) => [start, status, energy])).toEqual([
      [1, 'converged', 0.9],
      [2, 'not-converged', 1],
      [0, 'converged', 2],
    ]);
  });

  it('counts none of those at an end that is no minimum after all', () => {
    const ended = endedAt(end(0, 1), end(1, 1 + 1e-9), end(2, 3), end(3, 1, 'not-converged'));
    expect(ended.atBest()).toBe(2);
    ended.lastWord(end(0, 1, 'not-converged'));
    expect(ended.atBest()).toBe(0);
    expect(ended.levels().map(({ energy }) => energy)).toEqual([3]);
    expect(ended.lowest().map(({ status }) => status)).toEqual([
      ...Array<string>(3).fill('not-converged'),
      'converged',
    ]);
  });

  it('leaves the count as it is where it says the same', () => {
    const ended = endedAt(end(0, 1), end(1, 1), end(2, 3));
    ended.lastWord(end(0, 1));
    expect(ended.atBest()).toBe(2);
    expect(ended.levels().map(({ ends }) => ends.map(({ starts }) => starts))).toEqual([[2], [1]]);
  });
});
