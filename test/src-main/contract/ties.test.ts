/** Minima that are as low as each other, and what of a parameter is then said. */
import { expect, it } from 'vitest';
import { untied } from '../../../src-main/contract/ties.ts';
import type { Estimate } from '../../../engine/index.ts';

const estimate = (parameter: string, value: number, more: Partial<Estimate> = {}): Estimate => ({
  ...{
    name: parameter,
    parameter,
    value,
    standardError: 0.1,
    lower95: value - 0.2,
    upper95: value + 0.2,
    fixed: false,
  },
  ...{ verdict: { status: 'determined', reason: 'determined' }, ...more },
});
const minimum = (asLow: boolean, a: number, k: readonly number[]) => ({
  asLow,
  parameters: new Map([
    ['a', [a]],
    ['k', k],
  ]),
});
const estimates = [estimate('a', 1), estimate('k', 2, { name: 'k[0]' }), estimate('k', 3, { name: 'k[1]' })];

it('a parameter that is another in a minimum as low is not determined', () => {
  const found = untied(estimates, [minimum(true, 1, [2, 3]), minimum(true, 1.05, [5, 3]), minimum(false, 9, [9, 9])]);
  expect(found.map(({ verdict, tied }) => [verdict.status, tied])).toEqual([
    ['determined', undefined],
    ['none', true],
    ['determined', undefined],
  ]);
  expect(found[1]?.verdict.reason).toBe('not determined: 2 minima are as low as each other, with values from 2 to 5');
});

it('beside minima that are higher everything stays', () => {
  expect(untied(estimates, [minimum(true, 1, [2, 3]), minimum(false, 4, [5, 6])])).toEqual(estimates);
  expect(untied(estimates, [])).toEqual(estimates);
});

it('what is fixed or at its bound stays', () => {
  const held = [estimate('a', 1, { fixed: true }), estimate('k', 2, { atBound: 'lower' })];
  expect(untied(held, [minimum(true, 1, [2]), minimum(true, 4, [5])])).toEqual(held);
});
