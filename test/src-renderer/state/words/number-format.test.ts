import { afterEach, describe, expect, it } from 'vitest';
import { chipValue } from '../../../../src-renderer/parts/canvas/chips/chip-value.ts';
import { chipsWidth } from '../../../../src-renderer/state/canvas/chips.ts';
import {
  formatDuration,
  formatEstimate,
  formatInterval,
  formatNumber,
  formatPercent,
  formatWithin,
  setUsualDigits,
} from '../../../../src-renderer/state/words/number-format.ts';

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

  it('tell the ends of an interval apart, and what lies between them, however narrow it is', () => {
    expect(formatInterval(1234.11512, 1234.14316)).toBe('1234.115 to 1234.143');
    expect(formatWithin(1234.12914, 1234.11512, 1234.14316)).toBe('1234.129');
    expect(formatInterval(99999998.31, 100000006.9)).toBe('99\u2009999\u2009998.31 to 100\u2009000\u2009006.90');
    expect(formatInterval(0.12, 0.1369)).toBe('0.1200 to 0.1369');
    expect(formatInterval(0.09511, 20149.68719)).toBe('0.09511 to 20\u2009150');
    expect(formatInterval(0.5, 15000)).toBe('0.5 to 15\u2009000');
    expect(formatInterval(5.188, 11.6191)).toBe('5.188 to 11.619');
  });

  it('show no error as zero', () => {
    expect(formatEstimate(100000002.6, 0.1307, 100000002.33, 100000002.87)).toMatchObject({
      value: '100\u2009000\u2009002.60',
      error: '0.13',
      lower: '100\u2009000\u2009002.33',
      upper: '100\u2009000\u2009002.87',
      power: '',
    });
    expect(formatEstimate(1.5e8, 2e5, 1.496e8, 1.504e8)).toMatchObject({
      value: '1.5000',
      error: '0.0020',
      power: '10⁸',
    });
    expect(formatEstimate(3, 2e-15, 3 - 4e-15, 3 + 4e-15)).toMatchObject({ value: '3.00000000', error: '2·10⁻¹⁵' });
  });

  it('say how long', () => {
    expect(formatDuration(31)).toBe('31 ms');
    expect(formatDuration(2500)).toBe('2.50 s');
  });
});

describe('digits as the settings ask for them', () => {
  afterEach(() => setUsualDigits(4));
  const chip = () => chipValue({ id: 'b1', kind: 'parameter' }, [238.94212918]);
  const shown = () => [
    chip(),
    formatNumber(1 / 7, 'rough'),
    formatNumber(1 / 7, 'fine'),
    formatNumber(1 / 7, 'finest'),
  ];
  const estimate = () => formatEstimate(238.94212918, 2.7070075, 233.0432, 244.8411);

  it('are those of every figure, somewhat more or less where it is compared or sums up', () => {
    expect(shown()).toEqual(['238.9', '0.143', '0.14286', '0.142857']);
    setUsualDigits(8);
    expect(shown()).toEqual(['238.94213', '0.1428571', '0.142857143', '0.1428571429']);
  });

  it('show two to four of an error', () => {
    setUsualDigits(8);
    expect(estimate()).toMatchObject({ value: '238.942', error: '2.707', lower: '233.043', upper: '244.841' });
    setUsualDigits(3);
    expect(estimate()).toMatchObject({ value: '238.9', error: '2.7' });
  });

  it('leave alone what has as many as mean something', () => {
    setUsualDigits(10);
    expect(formatPercent(1 / 7)).toBe('14 %');
  });

  it('have room on the canvas', () => {
    const width = () => chipsWidth([{ name: 'b1', unit: '' }]);
    const before = width();
    setUsualDigits(8);
    expect(width()).toBeGreaterThan(before);
  });
});
