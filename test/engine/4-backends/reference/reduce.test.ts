import { describe, expect, test } from 'vitest';
import { runText } from '../../../support/run-text.ts';

const matrix = { x: [1, 2, 3, 4, 5, 6] };

describe('reduce', () => {
  test('acts along its axis', () => {
    const body = `%1: real[3] = reduce[n, 3] along 0 add (%0)
                  %2: real[n] = reduce[n, 3] along 1 multiply (%0)
                  yield columns = %1, rows = %2`;
    expect(runText('%0 x: real[n, 3]', body, matrix, { n: 2 })).toEqual({ columns: [5, 7, 9], rows: [6, 120] });
  });

  test('in the order of the axis: x ↦ a + bx composed from the first to the last', () => {
    const body = `%2: real, %3: real = reduce[n] along 0 operator neutral (0.0, 1.0)
                    (x0: real, x1: real, x2: real, x3: real) { x4 = x3 * x0; x5 = x2 + x4; x6 = x1 * x3; yield x5, x6 }
                    (%0, %1)
                  yield a = %2, b = %3`;
    // ((x·2 + 1)·3 + 10)·5 + 100 = 30x + 165
    const inputs = { a: [1, 10, 100], b: [2, 3, 5] };
    expect(runText('%0 a: real[n], %1 b: real[n]', body, inputs, { n: 3 })).toEqual({ a: 165, b: 30 });
    expect(runText('%0 a: real[n], %1 b: real[n]', body, { a: [], b: [] }, { n: 0 })).toEqual({ a: 0, b: 1 });
  });

  test('gives the neutral element for nothing, and the element itself for one', () => {
    const body = '%1: real = reduce[n] along 0 max (%0) %2: real = reduce[n] along 0 add (%0) yield max = %1, sum = %2';
    expect(runText('%0 x: real[n]', body, { x: [] }, { n: 0 })).toEqual({ max: -Infinity, sum: 0 });
    // -0 shows that 0 + -0 was not formed.
    expect(runText('%0 x: real[n]', body, { x: [-0] }, { n: 1 })).toEqual({ max: -0, sum: -0 });
  });

  test('never combines the neutral element: with it this mean would be 0/0', () => {
    const body = `%1: real, %2: real = reduce[n] along 0 operator neutral (0.0, 0.0) commutative
                    (x0: real, x1: real, x2: real, x3: real) {
                      x4 = x0 + x2; x5 = x0 * x1; x6 = x2 * x3; x7 = x5 + x6; x8 = x7 / x4; yield x4, x8
                    } prologue (x0: real) { yield 0.0, x0 } (%0)
                  yield count = %1, mean = %2`;
    expect(runText('%0 x: real[n]', body, { x: [7] }, { n: 1 })).toEqual({ count: 0, mean: 7 });
  });

  test('a prologue makes components of another type from broadcast inputs', () => {
    const body = `%2: int[n] = reduce[n, 3] along 1 add:int
                    prologue (x0: real, x1: real) { x2 = x0 < x1; x3 = int(x2); yield x3 } (%0, %1)
                  yield count = %2`;
    const inputs = { ...matrix, limit: [3.5] };
    expect(runText('%0 x: real[n, 3], %1 limit: real', body, inputs, { n: 2 })).toEqual({ count: [3, 0] });
  });

  test('NaN propagates through min, and the int min of nothing is the largest int', () => {
    const body = `%2: real = reduce[3] along 0 min (%0) %3: int = reduce[n] along 0 min:int (%1) yield a = %2, b = %3`;
    expect(runText('%0 x: real[3], %1 k: int[n]', body, { x: [1, NaN, 0], k: [] }, { n: 0 })).toEqual({
      a: NaN,
      b: 2147483647,
    });
  });
});
