import { expect, test } from 'vitest';
import { runText } from '../../../support/run-text.ts';

test('a map applies its function at every point, to inputs that broadcast', () => {
  const run = runText(
    '%0 x: real[n, 3], %1 row: real[3], %2 column: real[n, 1], %3 a: real',
    `%4: real[n, 3], %5: bool[n, 3] = map[n, 3] (x0: real, x1: real, x2: real, x3: real) {
       x4 = x0 + x1; x5 = x4 + x2; x6 = x5 * x3; x7 = x6 < 40.0; yield x6, x7
     } (%0, %1, %2, %3)
     yield y = %4, small = %5`,
    { x: [1, 2, 3, 4, 5, 6], row: [10, 20, 30], column: [100, 200], a: [0.5] },
    { n: 2 },
  );
  expect(run).toEqual({
    y: [
      [55.5, 61, 66.5],
      [107, 112.5, 118],
    ],
    small: [
      [0, 0, 0],
      [0, 0, 0],
    ],
  });
});

test('a map over nothing, and one without inputs', () => {
  const body = '%1: real[n, 2] = map[n, 2] () { yield 1.5 } () yield y = %1';
  expect(runText('%0 x: real[n]', body, { x: [] }, { n: 0 })).toEqual({ y: [] });
  expect(runText('%0 x: real[n]', body, { x: [7] }, { n: 1 })).toEqual({ y: [[1.5, 1.5]] });
});

test('ints wrap at 32 bits', () => {
  const run = runText(
    '%0 k: int[2]',
    '%1: int[2] = map[2] (x0: int) { x1 = x0 * x0; x2 = x1 + 2147483647; yield x2 } (%0) yield y = %1',
    { k: [65537, 1] },
  );
  expect(run).toEqual({ y: [(131073 + 2147483647) | 0, -2147483648] });
});
