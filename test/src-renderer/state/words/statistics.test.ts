import fc from 'fast-check';
import { expect, it } from 'vitest';
import { binsOf, placeText, statisticsOf } from '../../../../src-renderer/state/words/statistics.ts';

it('counts what is not finite apart from the rest', () => {
  expect(statisticsOf([1, NaN, 3, -Infinity, 8])).toEqual({
    count: 5,
    least: 1,
    mean: 4,
    greatest: 8,
    missing: 1,
    infinite: 1,
  });
  expect(statisticsOf([NaN])).toMatchObject({ least: NaN, mean: NaN, greatest: NaN, missing: 1 });
});

it('puts every finite value into one bin', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 }), (values) => {
      const bins = binsOf([...values, NaN, Infinity].slice(0, values.length), 8);
      expect(bins.reduce((sum, n) => sum + n, 0)).toBe(values.length);
    }),
  );
  expect(binsOf([0, 1, 2, 3, NaN, Infinity], 2)).toEqual([2, 2]);
  expect(binsOf([5, 5], 4)).toEqual([2]);
  expect(binsOf([NaN], 4)).toEqual([]);
});

it('names an element by its place in every axis', () => {
  expect(placeText([], 0)).toBe('');
  expect(placeText([5], 3)).toBe('[3]');
  expect(placeText([2, 3], 4)).toBe('[1, 1]');
  expect(placeText([2, 3, 4], 23)).toBe('[1, 2, 3]');
});
