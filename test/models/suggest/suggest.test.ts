import { describe, expect, it } from 'vitest';
import { parseFormula } from '../../../models/formula/parse.ts';
import { shapes } from '../../../models/suggest/shapes.ts';
import { suggest } from '../../../models/suggest/suggest.ts';

const over = (low: number, high: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => low + ((high - low) * i) / (count - 1));
/** Repeatable, between -1 and 1. */
const noise = (i: number): number => ((((Math.sin(12.9898 * (i + 1)) * 43758.5453) % 1) + 1) % 1) * 2 - 1;

const first = (x: number[], f: (x: number) => number, error = 0.01) => {
  const size = Math.max(...x.map((at) => Math.abs(f(at))));
  return suggest(
    x,
    x.map((at, i) => f(at) + error * size * noise(i)),
  ).shapes[0];
};

describe('the shape suggested first is the one that made the data', () => {
  it.each<[string, number[], (x: number) => number, Record<string, number>]>([
    ['line', over(0, 10, 20), (x) => 3 - 2 * x, { a: 3, b: -2 }],
    ['decay', over(0, 10, 20), (x) => 5 * Math.exp(-0.4 * x), { A: 5, k: 0.4 }],
    ['growth', over(0, 5, 20), (x) => 2 * Math.exp(0.6 * x), { A: 2, k: 0.6 }],
    ['rise', over(0, 10, 20), (x) => 5 * (1 - Math.exp(-0.4 * x)), { A: 5, k: 0.4 }],
    ['saturation', over(0.02, 1.1, 24), (x) => (212 * x) / (0.064 + x), { V: 212, K: 0.064 }],
    ['relaxation', over(0, 10, 30), (x) => 5 * Math.exp(-0.7 * x) + 2, { A: 5, k: 0.7, c: 2 }],
    [
      'absorption',
      over(0, 24, 24),
      (x) => 10 * (Math.exp(-0.09 * x) - Math.exp(-1.5 * x)),
      { A: 10, k: 0.09, ka: 1.5 },
    ],
    ['sigmoid', over(-5, 5, 30), (x) => 1 + 4 / (1 + Math.exp(-(x - 0.5) / 0.6)), { c: 1, d: 4, m: 0.5, s: 0.6 }],
    ['peak', over(0, 100, 101), (x) => 3 + 20 * Math.exp(-(((x - 40) / 5) ** 2) / 2), { c: 3, h: 20, m: 40, w: 5 }],
    ['wave', over(0, 20, 60), (x) => 1 + 2 * Math.sin(1.3 * x), { c: 1, a: 2, w: 1.3 }],
    ['parabola', over(-4, 6, 20), (x) => 1 - 2 * x + 0.5 * x * x, { a: 1, b: -2, c: 0.5 }],
    ['power', over(1, 10, 20), (x) => 3 * x ** 1.7, { A: 3, p: 1.7 }],
  ])('%s', (name, x, f, wanted) => {
    const found = first(x, f);
    expect(found?.name).toBe(name);
    for (const { name: each, initial } of found?.parameters ?? [])
      if (Object.hasOwn(wanted, each))
        expect(Math.abs(initial - wanted[each]!)).toBeLessThan(0.1 * Math.abs(wanted[each]!));
    const worst = Math.max(
      ...(found?.curve.map((value, i) => Math.abs(value - f(x[0]! + ((x.at(-1)! - x[0]!) * i) / 120))) ?? []),
    );
    expect(worst).toBeLessThan(0.05 * Math.max(...x.map((at) => Math.abs(f(at)))));
  });

  it('also where x is far from zero', () => {
    const found = first(over(2000, 2020, 21), (x) => 5 * Math.exp(-0.2 * (x - 2000)));
    expect(found).toMatchObject({ name: 'decay', formula: '{A} * exp(-{k} * ({x} - 2000))' });
  });

  it('and rows with missing cells or a σ are heeded', () => {
    const x = [0, 1, 2, 3, 4, NaN, 6];
    const y = [1, 3, 5, NaN, 9, 11, 100];
    const { shapes: found, x: used } = suggest(x, y, [1, 1, 1, 1, 1, 1, 1e9]);
    expect(used).toEqual([0, 1, 2, 4, 6]);
    expect(found[0]?.name).toBe('line');
    expect(found[0]?.parameters.map(({ initial }) => initial)).toEqual([1, 2]);
  });
});

it('suggests nothing where there is nothing to draw, and a level line where y is constant', () => {
  expect(suggest([1, 1], [1, 2]).shapes).toEqual([]);
  expect(suggest([], []).shapes).toEqual([]);
  expect(suggest([0, 1, 2, 3], [4, 4, 4, 4]).shapes[0]).toMatchObject({
    name: 'line',
    parameters: [{ initial: 4 }, { initial: 0 }],
  });
});

it('writes formulas of documents', () => {
  for (const { formula, coefficients, nonlinear } of shapes) {
    const names = new Set([...formula.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    expect(names).toEqual(new Set(['x', ...coefficients, ...nonlinear.map(({ name }) => name)]));
    expect(parseFormula(formula.replaceAll(/[{}]/g, ''))).toMatchObject({ ok: true });
  }
});
