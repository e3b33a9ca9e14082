import { expect, it } from 'vitest';
import { verdictOf, type Known } from '../../../../engine/6-fit/report/verdict.ts';

it.each([
  [0.09, 'determined', 'well determined, to ±9 %'],
  [0.11, 'determined', 'determined, to ±11 %'],
  [0.5, 'determined', 'determined, to ±50 %'],
  [0.51, 'weak', 'weakly determined, between 0.98 and 3.02'],
  [1.2, 'weak', 'weakly determined, between -0.4 and 4.4, which includes 0'],
])('half of an interval over the value of %d', (share, status, reason) => {
  const value = 2;
  const [lower, upper] = [value - share * value, value + share * value];
  expect(verdictOf({ value, lower, upper, partners: [] })).toEqual({ status, reason });
});

it('sends a symmetric interval of what is positive on to its profile, where it is wide', () => {
  const reason = (half: number, symmetricThoughPositive: boolean): string =>
    verdictOf({ value: 2, lower: 2 - half, upper: 2 + half, partners: [], symmetricThoughPositive }).reason;
  expect(reason(1.2, true)).toMatch(/^weakly determined, between 0.8 and 3.2; .*profile/);
  expect(reason(1.2, false)).toBe('weakly determined, between 0.8 and 3.2');
  expect(reason(1, true)).toBe('determined, to ±50 %');
});

it('names no end at which the parameter cannot be', () => {
  const reason = (known: Partial<Known>): string =>
    verdictOf({ value: 2, lower: -3, upper: 7, partners: [], ...known }).reason;
  expect(reason({ symmetricThoughPositive: true })).toBe(
    'weakly determined, up to 7; symmetric by its making, though it cannot be negative: take its profile',
  );
  expect(reason({ passed: 6 })).toMatch(/^weakly determined, from -3 on; .* it cannot pass 6: take its profile$/);
  expect(reason({ passed: -1 })).toMatch(/^weakly determined, up to 7; .* it cannot pass -1/);
});

it('says of an end that is not known that it is not, where the other one is not there', () => {
  expect(verdictOf({ value: 2, lower: NaN, upper: Infinity, partners: [] })).toEqual({
    status: 'none',
    reason: 'not determined: nothing is excluded above, and its end below is not known',
  });
  expect(verdictOf({ value: 2, lower: -Infinity, upper: NaN, partners: [], why: 'it jumps' }).reason).toBe(
    'not determined: nothing is excluded below, and its end above is not known (it jumps)',
  );
});

it('sends an interval that passes where its parameter cannot be on to its profile, however well it is determined', () => {
  const known = { value: -0.99, lower: -1.05, upper: -0.93, partners: [], passed: -1 };
  expect(verdictOf(known).reason).toBe(
    'well determined, to ±6.1 %; symmetric by its making, though it cannot pass -1: take its profile',
  );
  expect(verdictOf({ ...known, passed: undefined }).reason).toBe('well determined, to ±6.1 %');
});
