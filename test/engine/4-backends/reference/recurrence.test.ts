import { describe, expect, test } from 'vitest';
import { runText } from '../../../support/run-text.ts';

const parameters = '%0 s0: real, %1 u: real[n], %2 k: real';
const step = '(x0: real, x1: real, x2: real) { x3 = x0 * x2; x4 = x3 + x1; x5 = x4 * 100.0; yield x4, x5 }';

describe('recurrence', () => {
  test.each([
    // 0.5·2 + 1 = 2, 2·2 + 6 = 10, 10·2 + 13 = 33
    ['', { last: 33, all: [200, 1000, 3300] }],
    // 0.5·2 + 13 = 14, 14·2 + 6 = 34, 34·2 + 1 = 69
    ['reverse', { last: 69, all: [6900, 3400, 1400] }],
  ])('carries, stacked outputs, invariants %s', (mode, expected) => {
    const body = `%3: real, %4: real[n] = recurrence[n] along 0 ${mode} ${step} initial (%0) inputs (%1) invariants (%2)
                  yield last = %3, all = %4`;
    expect(runText(parameters, body, { s0: [0.5], u: [1, 6, 13], k: [2] }, { n: 3 })).toEqual(expected);
  });

  test('with no steps the last carries are the initial ones', () => {
    const body = `%3: real, %4: real[n] = recurrence[n] along 0 ${step} initial (%0) inputs (%1) invariants (%2)
                  yield last = %3, all = %4`;
    expect(runText(parameters, body, { s0: [0.5], u: [], k: [2] }, { n: 0 })).toEqual({ last: 0.5, all: [] });
  });

  test('every line along the axis has carries of its own; inputs broadcast', () => {
    const body = `%2: real[2], %3: int[2, 3] = recurrence[2, 3] along 1
                    (x0: real, x1: real) { x2 = x0 + x1; x3 = int(x2); yield x2, x3 }
                    initial (%0) inputs (%1) invariants ()
                  yield last = %2, all = %3`;
    expect(runText('%0 s0: real[2], %1 u: real[3]', body, { s0: [0, 100], u: [1, 2, 3] })).toEqual({
      last: [6, 106],
      all: [
        [1, 3, 6],
        [101, 103, 106],
      ],
    });
  });
});
