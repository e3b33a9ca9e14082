import { describe, expect, test } from 'vitest';
import { Fault } from '../../../../engine/0-ir/errors.ts';
import { runText } from '../../../support/run-text.ts';

describe('scatter', () => {
  test('replaces rows and ignores indices out of range; what it writes into is left as it was', () => {
    const body = '%3: real[3, 2] = scatter %2 into %0 at %1 batch 0 checked yield y = %3, x = %0';
    const inputs = { x: [1, 2, 3, 4, 5, 6], k: [2, -1, 0, 3], v: [10, 11, 20, 21, 30, 31, 40, 41] };
    expect(runText('%0 x: real[3, 2], %1 k: int[4], %2 v: real[4, 2]', body, inputs)).toEqual({
      y: [
        [30, 31],
        [3, 4],
        [10, 11],
      ],
      x: [
        [1, 2],
        [3, 4],
        [5, 6],
      ],
    });
  });

  test('a repeated index is a fault when checked, in one batch only', () => {
    const body = '%3: real[2, 3] = scatter %2 into %0 at %1 batch 1 checked @ "place" yield y = %3';
    const run = (k: number[]) =>
      runText('%0 x: real[1, 3], %1 k: int[2, 2], %2 v: real[2, 2]', body, { x: [0, 0, 0], k, v: [1, 2, 3, 4] });
    expect(run([1, 0, 0, 1])).toEqual({
      y: [
        [2, 1, 0],
        [3, 4, 0],
      ],
    });
    expect(run([5, 5, 0, 1])).toEqual({
      y: [
        [0, 0, 0],
        [3, 4, 0],
      ],
    });
    expect(() => run([1, 0, 2, 2])).toThrow(Fault);
    expect(() => run([1, 0, 2, 2])).toThrow('scatter: the index 2 occurs twice');
  });

  test('indices and values shared by all batches', () => {
    const body = '%3: int[2, 2] = scatter %2 into %0 at %1 batch 1 yield y = %3';
    const inputs = { x: [1, 2, 3, 4], k: [1], v: [9] };
    expect(runText('%0 x: int[2, 2], %1 k: int[1, 1], %2 v: int[1, 1]', body, inputs)).toEqual({
      y: [
        [1, 9],
        [3, 9],
      ],
    });
  });
});
