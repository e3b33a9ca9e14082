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

it.each([NaN, Infinity])('tells minima apart as ever where the first start has no value, but %d', (began) => {
  const from = (start: number, energy: number) => ({ ...end(start, energy), history: [began, energy] });
  const failed: StartEnding = { ...from(0, began), status: 'failed', history: [began] };
  const ended = endedAt(failed, from(1, 1), from(2, 1), from(3, 2));
  expect(ended.atBest()).toBe(2);
  expect(ended.levels().map(({ energy, ends }) => [energy, ends.length])).toEqual([
    [1, 1],
    [2, 1],
  ]);
});

it('takes for rounding what is so beside where most began, and not beside one that is far off', () => {
  const from = (start: number, began: number, energy: number) => ({ ...end(start, energy), history: [began, energy] });
  const far = endedAt(from(0, 1e30, 3), from(1, 50, 1), from(2, 80, 1), from(3, 1e29, 3));
  expect(far.levels().map(({ energy }) => energy)).toEqual([1, 3]);
  // Of equations that are solved exactly what is left is rounding; the user's start may be the solution.
  const exact = endedAt(from(0, 0, 0), from(1, 50, 3e-20), from(2, 80, 1e-28));
  expect(exact.levels()).toHaveLength(1);
  expect(exact.atBest()).toBe(3);
});

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
