import { describe, expect, test } from 'vitest';
import { runText } from '../../../support/run-text.ts';

const matrix = { x: [1, 2, 3, 4, 5, 6] };
const one = (body: string, sizes = {}) => runText('%0 x: int[2, 3]', `${body} yield y = %1`, matrix, sizes)['y'];

describe('constructs that only move elements', () => {
  test('literal and iota', () => {
    expect(one('%1: real = literal -Infinity')).toBe(-Infinity);
    expect(one('%1: bool = literal true')).toBe(1);
    expect(one('%1: int[2*n - 1] = iota [2*n - 1]', { n: 2 })).toEqual([0, 1, 2]);
    expect(one('%1: int[n] = iota [n]', { n: 0 })).toEqual([]);
  });

  test('replicate adds axes at the left and stretches those of size 1', () => {
    const body = '%1: int[2, 3, 2] = replicate %0 to [2, 3, 2] yield y = %1';
    const pair = [
      [1, 1],
      [2, 2],
      [3, 3],
    ];
    expect(runText('%0 x: int[3, 1]', body, { x: [1, 2, 3] })).toEqual({ y: [pair, pair] });
  });

  test('reverse', () => {
    expect(one('%1: int[2, 3] = reverse %0 along 0')).toEqual([
      [4, 5, 6],
      [1, 2, 3],
    ]);
    expect(one('%1: int[2, 3] = reverse %0 along 1')).toEqual([
      [3, 2, 1],
      [6, 5, 4],
    ]);
  });

  test('transpose: axis i of the result is axis permutation[i] of the value', () => {
    const body = '%1: int[3, 1, 2] = transpose %0 by [2, 0, 1] yield y = %1';
    expect(runText('%0 x: int[1, 2, 3]', body, matrix)).toEqual({ y: [[[1, 4]], [[2, 5]], [[3, 6]]] });
  });

  test('reshape keeps the row-major order, and refuses another number of elements', () => {
    expect(one('%1: int[n, 2] = reshape %0 to [n, 2]', { n: 3 })).toEqual([
      [1, 2],
      [3, 4],
      [5, 6],
    ]);
    expect(() => one('%1: int[n, 2] = reshape %0 to [n, 2]', { n: 4 })).toThrow('[2, 3] and [4, 2]');
  });

  test('slice, with a step, backwards and of nothing', () => {
    expect(one('%1: int[2, 2] = slice %0 along 1 from [0] length [2] step [2]')).toEqual([
      [1, 3],
      [4, 6],
    ]);
    expect(one('%1: int[2, 3] = slice %0 along 1 from [2] length [3] step [-1]')).toEqual([
      [3, 2, 1],
      [6, 5, 4],
    ]);
    expect(one('%1: int[0, 3] = slice %0 along 0 from [5] length [0] step [1]')).toEqual([]);
    expect(() => one('%1: int[2, 3] = slice %0 along 1 from [1] length [3] step [1]')).toThrow(
      '1 to 3 of an axis of 3',
    );
  });

  test('concatenate, empty parts too', () => {
    const body = '%2: int[2, n + 4] = concatenate (%1, %0, %1) along 1 yield y = %2';
    const parameters = '%0 x: int[2, n], %1 z: int[2, 2]';
    expect(runText(parameters, body, { x: [5, 6], z: [1, 2, 3, 4] }, { n: 1 })).toEqual({
      y: [
        [1, 2, 5, 1, 2],
        [3, 4, 6, 3, 4],
      ],
    });
    expect(runText(parameters, body, { x: [], z: [1, 2, 3, 4] }, { n: 0 })).toEqual({
      y: [
        [1, 2, 1, 2],
        [3, 4, 3, 4],
      ],
    });
  });
});
