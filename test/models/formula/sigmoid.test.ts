/** A sigmoid written out: where its exponential overflows its value is 0, and its derivatives are 0 and not 0·∞. */
import { expect, it } from 'vitest';
import { constant, documentOf, expectClose, json, parameter, written } from '../../support/command-line.ts';

it.each(['3/(1 + exp(-k*(x - 0.5)))', '3/(exp(-k*(x - 0.5)) + 1)'])('%s', async (formula) => {
  const path = written(
    documentOf([
      parameter('k', 20),
      constant('x', [0, 0.3, 0.5, 1]),
      { id: 'y', kind: 'map', formula },
      { id: 's', kind: 'reduce', operator: 'add', values: 'y' },
    ]),
  );
  const at = (x: number): number => 3 / (1 + Math.exp(-20 * (x - 0.5)));
  const slope = (x: number): number => ((x - 0.5) * at(x) * (3 - at(x))) / 3;
  const sum = (f: (x: number) => number): number => [0, 0.3, 0.5, 1].reduce((total, x) => total + f(x), 0);
  const { value, adjoints } = (await json('differentiate', path, '--of', 's')) as {
    value: number;
    adjoints: { k: number };
  };
  expectClose(value, sum(at));
  expectClose(adjoints.k, sum(slope));
});

it('is steep without an end', async () => {
  const path = written(
    documentOf([
      parameter('k', 2000),
      constant('x', [0, 0.3, 0.5, 1]),
      { id: 'y', kind: 'map', formula: '3/(1 + exp(-k*(x - 0.5)))' },
      { id: 's', kind: 'reduce', operator: 'add', values: 'y' },
    ]),
  );
  const { value, adjoints } = (await json('differentiate', path, '--of', 's')) as {
    value: number;
    adjoints: { k: number };
  };
  expect(value).toBe(4.5);
  expect(Math.abs(adjoints.k)).toBeLessThan(1e-100);
});
