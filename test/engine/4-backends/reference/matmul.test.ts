import { expect, test } from 'vitest';
import { runText } from '../../../support/run-text.ts';

test('a product of matrices', () => {
  const body = '%2: real[2, 2] = matmul (%0, %1) yield y = %2';
  expect(
    runText('%0 a: real[2, n], %1 b: real[n, 2]', body, { a: [1, 2, 3, 4, 5, 6], b: [1, 0, 0, 1, 1, 1] }, { n: 3 }),
  ).toEqual({
    y: [
      [4, 5],
      [10, 11],
    ],
  });
  expect(runText('%0 a: real[2, n], %1 b: real[n, 2]', body, { a: [], b: [] }, { n: 0 })).toEqual({
    y: [
      [0, 0],
      [0, 0],
    ],
  });
});

test('batch axes of size 1 serve every batch', () => {
  const body = '%2: real[2, 1, 2] = matmul (%0, %1) yield y = %2';
  expect(
    runText('%0 a: real[1, 1, 2], %1 b: real[2, 2, 2]', body, { a: [1, 10], b: [1, 2, 3, 4, 5, 6, 7, 8] }),
  ).toEqual({
    y: [[[31, 42]], [[75, 86]]],
  });
});
