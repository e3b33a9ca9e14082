import { describe, expect, test } from 'vitest';
import { runText } from '../../../support/run-text.ts';

const digits = 'operator neutral (0.0) (x0: real, x1: real) { x2 = x0 * 10.0; x3 = x2 + x1; yield x3 }';

describe('keyed scan', () => {
  test.each([
    ['', [1, 2, 13, 0, 0, 26], [13, 26, 0]],
    ['exclusive', [0, 0, 1, 0, 0, 2], [13, 26, 0]],
    ['reverse', [31, 62, 3, 0, 0, 6], [31, 62, 0]],
    ['exclusive reverse', [3, 6, 0, 0, 0, 0], [31, 62, 0]],
  ])('%s: what stands in the bins, and at the end; keys out of range show nothing', (modes, running, totals) => {
    const body = `%2: real[n], %3: real[3] = keyed-scan[n] batch 0 bins [3] ${modes} keys %1 ${digits} (%0)
                  yield r = %2, t = %3`;
    const inputs = { x: [1, 2, 3, 4, 5, 6], k: [0, 1, 0, -1, 3, 1] };
    expect(runText('%0 x: real[n], %1 k: int[n]', body, inputs, { n: 6 })).toEqual({ r: running, t: totals });
  });

  test('bins begin with their initial contents', () => {
    const body = `%3: real[3], %4: real[2] = keyed-scan[3] batch 0 bins [2] exclusive keys %1 initial (%2) ${digits} (%0)
                  yield r = %3, t = %4`;
    const inputs = { x: [1, 2, 3], k: [1, 1, 2], h: [7, 8] };
    expect(runText('%0 x: real[3], %1 k: int[3], %2 h: real[2]', body, inputs)).toEqual({ r: [8, 81, 0], t: [7, 812] });
  });

  test('batch and trailing axes', () => {
    const body = `%2: real[2, 2, 2], %3: real[2, 1, 2] = keyed-scan[2, 2, 2] batch 1 bins [1] keys %1 add (%0)
                  yield r = %2, t = %3`;
    expect(
      runText('%0 x: real[2, 2, 2], %1 k: int[1, 2]', body, { x: [1, 2, 3, 4, 10, 20, 30, 40], k: [0, 0] }),
    ).toEqual({
      r: [
        [
          [1, 2],
          [4, 6],
        ],
        [
          [10, 20],
          [40, 60],
        ],
      ],
      t: [[[4, 6]], [[40, 60]]],
    });
  });

  test('over nothing', () => {
    const body = '%2: real[n], %3: real[2] = keyed-scan[n] batch 0 bins [2] keys %1 add (%0) yield r = %2, t = %3';
    expect(runText('%0 x: real[n], %1 k: int[n]', body, { x: [], k: [] }, { n: 0 })).toEqual({ r: [], t: [0, 0] });
  });
});
