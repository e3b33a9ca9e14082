import { describe, expect, test } from 'vitest';
import { runText } from '../../../support/run-text.ts';

const concatenateDigits = 'operator neutral (0.0) (x0: real, x1: real) { x2 = x0 * 10.0; x3 = x2 + x1; yield x3 }';

function scanDigits(modes: string, digits: number[]): unknown {
  const body = `%1: real[n] = scan[n] along 0 ${modes} ${concatenateDigits} (%0) yield y = %1`;
  return runText('%0 x: real[n]', body, { x: digits }, { n: digits.length })['y'];
}

describe('scan', () => {
  test.each([
    ['', [1, 12, 123]],
    ['exclusive', [0, 1, 12]],
    ['reverse', [321, 32, 3]],
    ['exclusive reverse', [32, 3, 0]],
  ])('%s', (modes, expected) => {
    expect(scanDigits(modes, [1, 2, 3])).toEqual(expected);
  });

  test.each([
    ['', [], [5]],
    ['exclusive', [], [0]],
    ['reverse', [], [5]],
    ['exclusive reverse', [], [0]],
  ])('%s over nothing and over one element', (modes, none, one) => {
    expect(scanDigits(modes, [])).toEqual(none);
    expect(scanDigits(modes, [5])).toEqual(one);
  });

  test('the neutral element begins an exclusive scan and is never combined', () => {
    const body = '%1: real[2] = scan[2] along 0 exclusive add (%0) yield y = %1';
    expect(runText('%0 x: real[2]', body, { x: [-0, 1] })).toEqual({ y: [0, -0] });
  });

  test('along an outer axis, with a broadcast input and a prologue', () => {
    const body = `%1: real[3, 2] = scan[3, 2] along 0 reverse add
                    prologue (x0: real) { x1 = neg(x0); yield x1 } (%0)
                  yield y = %1`;
    expect(runText('%0 x: real[2]', body, { x: [1, 10] })).toEqual({
      y: [
        [-3, -30],
        [-2, -20],
        [-1, -10],
      ],
    });
  });
});
