/** Binomial observations where the probability has been rounded to 0 or 1, and its log-odds have not. */
import { afterAll, describe, expect, it } from 'vitest';
import { cpuDevice } from '../../../engine/5-runtime/cpu/cpu-device.ts';
import { fitModel } from '../../../src-main/compute/fit/fit.ts';
import { evaluate, model, type PlainBlock } from '../../support/documents.ts';

const device = cpuDevice();
afterAll(() => device.close());

const written = { logistic: 'logistic(a + b*x)', 'as a fraction': '1/(1 + exp(-(a + b*x)))' };
const regression = (
  formula: string,
  x: readonly number[],
  y: readonly number[],
  a: number,
  b: number,
): PlainBlock[] => [
  { id: 'x', kind: 'constant', value: x },
  { id: 'y', kind: 'constant', value: y },
  { id: 'a', kind: 'parameter', initial: a },
  { id: 'b', kind: 'parameter', initial: b },
  { id: 'p', kind: 'map', formula },
  { id: 'l', kind: 'likelihood', family: 'binomial', observed: 'y', probability: 'p', trials: 20 },
];

describe.each(Object.entries(written))('%s', (_, formula) => {
  // log C(20, 3) = log 1140.
  it.each([
    [100, 3, 17 * 100 - Math.log(1140)],
    [-100, 3, 3 * 100 - Math.log(1140)],
    [800, 20, 0],
    [800, 19, 800 - Math.log(20)],
    [-800, 0, 0],
    [12, 3, 17 * 12 + 20 * Math.log1p(Math.exp(-12)) - Math.log(1140)],
  ])('of log-odds %d and %d of 20', async (z, y, wanted) => {
    const found = (await evaluate(regression(formula, [0], [y], z, 0), 'l')) as number;
    expect(Math.abs(found - wanted)).toBeLessThan(1e-12 * Math.max(1, wanted));
  });

  const years = Array.from({ length: 30 }, (_, i) => 1990 + i);
  const yes = [
    4, 7, 6, 6, 7, 5, 5, 6, 4, 4, 13, 10, 9, 10, 11, 9, 11, 8, 13, 13, 11, 15, 16, 13, 14, 16, 16, 17, 15, 18,
  ];
  // Fisher scoring on centred years, to rounding.
  it.each([
    [0, 0.05],
    [1, 1],
    [-100, 0.05],
  ])('is fitted on calendar years from %d and %d', async (a, b) => {
    const drawn = await model(regression(formula, years, yes, a, b), { objective: 'l' });
    const { status, reason, estimates } = await fitModel(drawn, device, { parameters: {} });
    expect(status, reason).toBe('converged');
    const [first, second] = estimates.map(({ value }) => value);
    expect(first).toBeCloseTo(-198.377545143454, 7);
    expect(second).toBeCloseTo(0.0990131041203094, 10);
  });
});
