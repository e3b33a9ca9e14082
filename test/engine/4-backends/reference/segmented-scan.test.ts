import { describe, expect, test } from 'vitest';
import { runText } from '../../../support/run-text.ts';

const digits = 'operator neutral (0.0) (x0: real, x1: real) { x2 = x0 * 10.0; x3 = x2 + x1; yield x3 }';

describe('segmented scan', () => {
  test.each([
    ['', [1, 12, 3, 34, 345]],
    ['exclusive', [0, 1, 0, 3, 34]],
    // Read from the end, the flag at 3 begins the segment 3, 2, 1.
    ['reverse', [321, 32, 3, 54, 5]],
    ['exclusive reverse', [32, 3, 0, 5, 0]],
  ])('%s', (modes, expected) => {
    const body = `%2: real[n] = segmented-scan[n] along 0 ${modes} flags %1 ${digits} (%0) yield y = %2`;
    const inputs = { x: [1, 2, 3, 4, 5], starts: [0, 0, 1, 0, 0] };
    expect(runText('%0 x: real[n], %1 starts: bool[n]', body, inputs, { n: 5 })).toEqual({ y: expected });
  });

  test('flags broadcast, and one at the very beginning changes nothing', () => {
    const body = `%2: real[2, 3] = segmented-scan[2, 3] along 1 flags %1 add (%0) yield y = %2`;
    const inputs = { x: [1, 2, 3, 4, 5, 6], starts: [1, 0, 1] };
    expect(runText('%0 x: real[2, 3], %1 starts: bool[3]', body, inputs)).toEqual({
      y: [
        [1, 3, 3],
        [4, 9, 6],
      ],
    });
  });

  test('over nothing', () => {
    const body = '%2: real[n] = segmented-scan[n] along 0 flags %1 add (%0) yield y = %2';
    expect(runText('%0 x: real[n], %1 starts: bool', body, { x: [], starts: [1] }, { n: 0 })).toEqual({ y: [] });
  });
});
