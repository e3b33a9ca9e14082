import { expect, test } from 'vitest';
import { runText } from '../../../support/run-text.ts';

const body = `
  %2: int = literal 0
  %3: real[n], %4: int = loop [steps] program (%0 t: int, %1 x: real[n], %2 sum: int, %3 a: real) {
    %4: real[n] = reverse %1 along 0
    %5: real[n] = map[n] (x0: real, x1: real) { x2 = x0 + x1; yield x2 } (%4, %3)
    %6: int = map[] (x0: int, x1: int) { x2 = x0 + x1; yield x2 } (%2, %0)
    yield x = %5, sum = %6
  } initial (%0, %2) invariants (%1)
  yield x = %3, sum = %4`;

test.each([
  [0, { x: [1, 2, 3], sum: 0 }],
  [1, { x: [13, 12, 11], sum: 0 }],
  [4, { x: [41, 42, 43], sum: 6 }],
])('a loop runs its body on the carries %i times', (steps, expected) => {
  expect(runText('%0 x: real[n], %1 a: real', body, { x: [1, 2, 3], a: [10] }, { n: 3, steps })).toEqual(expected);
});
