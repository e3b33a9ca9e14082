import { describe, expect, it } from 'vitest';
import { formatDuration, formatEstimate, formatNumber } from '../../../../src-renderer/state/words/number-format.ts';

describe('numbers for people', () => {
  it.each([
    [0, '0'],
    [-1.5, '−1.5'],
    [12345.6, '12\u2009346'],
    [0.00055, '5.5·10⁻⁴'],
    [NaN, '–'],
    [-Infinity, '−∞'],
  ])('%f is %s', (x, text) => {
    expect(formatNumber(x)).toBe(text);
  });

  it('show an estimate with the digits that its error leaves', () => {
    expect(formatEstimate(238.94, 2.707, 233.04, 244.84)).toEqual({
      value: '238.9',
      error: '2.7',
      lower: '233.0',
      upper: '244.8',
      power: '',
    });
    expect(formatEstimate(5.5e-4, 7.3e-6, 5.34e-4, 5.66e-4)).toMatchObject({
      value: '5.500',
      error: '0.073',
      power: '10⁻⁴',
    });
  });

  it('say how long', () => {
    expect(formatDuration(31)).toBe('31 ms');
    expect(formatDuration(2500)).toBe('2.50 s');
  });
});
