import { describe, expect, test } from 'vitest';
import { runText } from '../../../support/run-text.ts';

describe('histogram', () => {
  test('sums by key, ignores keys out of range, and leaves empty bins neutral', () => {
    const body = '%2: real[w] = histogram[n] batch 0 bins [w] keys %1 add (%0) yield h = %2';
    const inputs = { x: [1, 2, 4, 8, 16], k: [2, 0, 2, -1, 3] };
    expect(runText('%0 x: real[n], %1 k: int[n]', body, inputs, { n: 5, w: 3 })).toEqual({ h: [2, 0, 5] });
    expect(runText('%0 x: real[n], %1 k: int[n]', body, { x: [], k: [] }, { n: 0, w: 2 })).toEqual({ h: [0, 0] });
    expect(runText('%0 x: real[n], %1 k: int[n]', body, inputs, { n: 5, w: 0 })).toEqual({ h: [] });
  });

  test('in the order of the elements, after the initial contents', () => {
    const body = `%3: real[2] = histogram[4] batch 0 bins [2] keys %1 initial (%2)
                    operator neutral (0.0) (x0: real, x1: real) { x2 = x0 * 10.0; x3 = x2 + x1; yield x3 } (%0)
                  yield h = %3`;
    const inputs = { x: [1, 2, 3, 4], k: [1, 1, 0, 1], h0: [7, 8] };
    expect(runText('%0 x: real[4], %1 k: int[4], %2 h0: real[2]', body, inputs)).toEqual({ h: [73, 8124] });
  });

  test('a bin without elements keeps its initial contents untouched', () => {
    const body = '%3: real[2] = histogram[1] batch 0 bins [2] keys %1 initial (%2) add (%0) yield h = %3';
    const inputs = { x: [1], k: [1], h0: [-0] };
    expect(runText('%0 x: real[1], %1 k: int[1], %2 h0: real', body, inputs)).toEqual({ h: [-0, 1] });
  });

  test('batch and trailing axes; keys of batch size 1 serve every batch', () => {
    const body = '%2: real[2, 2, 3] = histogram[2, 2, 3] batch 1 bins [2] keys %1 add (%0) yield h = %2';
    const inputs = { x: [1, 2, 3, 4, 5, 6, 10, 20, 30, 40, 50, 60], k: [1, 1] };
    expect(runText('%0 x: real[2, 2, 3], %1 k: int[1, 2]', body, inputs)).toEqual({
      h: [
        [
          [0, 0, 0],
          [5, 7, 9],
        ],
        [
          [0, 0, 0],
          [50, 70, 90],
        ],
      ],
    });
  });

  test('keys of their own for each batch; several components and a prologue', () => {
    const body = `%2: real[2, 2], %3: int[2, 2] = histogram[2, 2] batch 1 bins [2] keys %1
                    operator neutral (0.0, 0) commutative (x0: real, x1: int, x2: real, x3: int) {
                      x4 = x0 + x2; x5 = x1 + x3; yield x4, x5
                    } prologue (x0: real) { x1 = x0 * 2.0; yield x1, 1 } (%0)
                  yield sum = %2, count = %3`;
    const inputs = { x: [1, 2, 3, 4], k: [0, 0, 1, 0] };
    expect(runText('%0 x: real[2, 2], %1 k: int[2, 2]', body, inputs)).toEqual({
      sum: [
        [6, 0],
        [8, 6],
      ],
      count: [
        [2, 0],
        [1, 1],
      ],
    });
  });
});
