import { describe, expect, test } from 'vitest';
import { Fault } from '../../../../engine/0-ir/errors.ts';
import { runText } from '../../../support/run-text.ts';

describe('gather', () => {
  test.each([
    ['nan', [30, NaN, 10, NaN]],
    ['zero', [30, 0, 10, 0]],
  ])('outside the range: %s', (outside, expected) => {
    const body = `%2: real[4] = gather %0 at %1 batch 0 outside ${outside} yield y = %2`;
    const inputs = { x: [10, 20, 30], k: [2, 3, 0, -1] };
    expect(runText('%0 x: real[3], %1 k: int[4]', body, inputs)).toEqual({ y: expected });
  });

  test('outside the range: a fault that names block, index and element', () => {
    const body = '%2: real[2, 2] = gather %0 at %1 batch 0 outside fault @ "lookup" yield y = %2';
    const run = (k: number[]) => runText('%0 x: real[3, 2], %1 k: int[2]', body, { x: [1, 2, 3, 4, 5, 6], k });
    expect(run([2, 0])).toEqual({
      y: [
        [5, 6],
        [1, 2],
      ],
    });
    const fault = catching(() => run([0, 3]));
    expect(fault).toBeInstanceOf(Fault);
    expect(fault).toMatchObject({ message: 'gather: the index 3 is not within 0..2', origin: 'lookup', element: 2 });
  });

  test('whole rows, by indices of rank 2, and by one index', () => {
    const body = `%3: real[2, 2, 3] = gather %0 at %1 batch 0 outside zero
                  %4: real[3] = gather %0 at %2 batch 0 outside zero
                  yield many = %3, one = %4`;
    const inputs = { x: [1, 2, 3, 4, 5, 6], k: [1, 0, 5, 1], i: [1] };
    expect(runText('%0 x: real[2, 3], %1 k: int[2, 2], %2 i: int', body, inputs)).toEqual({
      many: [
        [
          [4, 5, 6],
          [1, 2, 3],
        ],
        [
          [0, 0, 0],
          [4, 5, 6],
        ],
      ],
      one: [4, 5, 6],
    });
  });

  test.each([
    [
      'both batched',
      '%0 x: int[2, 3], %1 k: int[2, 2]',
      [1, 2, 3, 4, 5, 6],
      [2, 0, 1, 3],
      [
        [3, 1],
        [5, 0],
      ],
    ],
    [
      'one array for all batches',
      '%0 x: int[1, 3], %1 k: int[2, 2]',
      [1, 2, 3],
      [2, 0, 1, 3],
      [
        [3, 1],
        [2, 0],
      ],
    ],
    [
      'one list of indices for all batches',
      '%0 x: int[2, 3], %1 k: int[1, 2]',
      [1, 2, 3, 4, 5, 6],
      [2, 0],
      [
        [3, 1],
        [6, 4],
      ],
    ],
  ])('batch axes: %s; a range is that of one batch', (_, parameters, x, k, expected) => {
    const body = '%2: int[2, 2] = gather %0 at %1 batch 1 outside zero yield y = %2';
    expect(runText(parameters, body, { x, k })).toEqual({ y: expected });
  });

  test('from nothing', () => {
    const body = '%2: real[2] = gather %0 at %1 batch 0 outside nan yield y = %2';
    expect(runText('%0 x: real[n], %1 k: int[2]', body, { x: [], k: [0, 1] }, { n: 0 })).toEqual({ y: [NaN, NaN] });
  });
});

function catching(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    return error;
  }
}
