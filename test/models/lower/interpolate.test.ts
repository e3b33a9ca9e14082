import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { json, written } from '../../support/command-line.ts';
import { c, evaluate, problemsOf } from '../../support/documents.ts';

const at = (x: unknown, xs: unknown, ys: unknown) =>
  evaluate([c('x', x), c('xs', xs), c('ys', ys), { id: 'y', kind: 'interpolate', x: 'x', xs: 'xs', ys: 'ys' }], 'y');

describe('interpolate is the line between points', () => {
  it('gives points at points, lines between, constants outside, and NaN for NaN', async () => {
    expect(await at([-1, 0, 0.5, 1, 2, 3, 9, 'NaN'], [0, 1, 3], [10, 20, 40])).toEqual([
      10,
      10,
      15,
      20,
      30,
      40,
      40,
      NaN,
    ]);
  });

  it('sends nothing back from a place that is NaN', async () => {
    const blocks = [
      { id: 'x', kind: 'parameter', initial: [0.5, 'NaN'] },
      c('xs', [0, 1]),
      { id: 'ys', kind: 'parameter', initial: [1, 3] },
      { id: 'y', kind: 'interpolate', x: 'x', xs: 'xs', ys: 'ys' },
    ];
    const path = written({ format: 'cotangent/1', blocks });
    const { adjoints } = (await json('differentiate', path, '--of', 'y', '--cotangent', '[1, 10]')) as {
      adjoints: unknown;
    };
    expect(adjoints).toEqual({ x: [2, 0], ys: [0.5, 0.5] });
  });

  it('takes a scalar x, a matrix of x, and one point', async () => {
    expect(await at(2, [0, 4], [0, 8])).toBe(4);
    expect(
      await at(
        [
          [1, 2],
          [3, 4],
        ],
        [0, 4],
        [0, 8],
      ),
    ).toEqual([2, 4, 6, 8]);
    expect(await at([-1, 5, 9], [5], [3])).toEqual([3, 3, 3]);
  });

  it('is continuous from the right at a jump', async () => {
    expect(await at([0.5, 1, 1.5], [0, 1, 1, 2], [0, 0, 5, 5])).toEqual([0, 5, 5]);
  });

  it('is what a search by hand finds, for any number of points', async () => {
    const number = fc.double({ min: -100, max: 100, noNaN: true });
    const points = fc.uniqueArray(number, { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(points, fc.array(number, { minLength: 1, maxLength: 10 }), async (unsorted, x) => {
        const xs = [...unsorted].sort((a, b) => a - b);
        const ys = xs.map((value, i) => Math.sin(value) + i);
        const expected = x.map((place) => {
          const above = xs.findIndex((value) => value > place);
          if (above <= 0) return above === 0 ? ys[0] : ys.at(-1);
          const [x0, x1, y0, y1] = [xs[above - 1], xs[above], ys[above - 1], ys[above]] as number[] as [
            number,
            number,
            number,
            number,
          ];
          return y0 + ((place - x0) / (x1 - x0)) * (y1 - y0);
        });
        expect(await at(x, xs, ys)).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });

  it('refuses points out of order, without coordinates, of different number', async () => {
    const block = { id: 'y', kind: 'interpolate', x: 'x', xs: 'xs', ys: 'ys' };
    const says = async (xs: unknown, ys: unknown) =>
      (await problemsOf([c('x', 1), c('xs', xs), c('ys', ys), block])).map((problem) => problem.message).join();
    expect(await says([0, 2, 1], [1, 2, 3])).toMatch(/"xs" wants ascending numbers, and element 2 is 1 after 2/);
    expect(await says([0, 'NaN'], [1, 2])).toMatch(/element 1 is NaN/);
    expect(await says([], [])).toMatch(/"xs" wants the coordinates of one point or more/);
    expect(await says([0, 1], [1, 2, 3])).toMatch(/each point wants both/);
    expect(await says(0, 1)).toMatch(/"xs" wants the coordinates/);
  });

  it('is NaN where points that move with a parameter have lost their order', async () => {
    const moved = (k: number) => [
      { id: 'k', kind: 'parameter', initial: k },
      c('x', [0.5]),
      c('base', [0, 1, 2]),
      { id: 'xs', kind: 'map', formula: 'k * base' },
      c('ys', [0, 10, 20]),
      { id: 'y', kind: 'interpolate', x: 'x', xs: 'xs', ys: 'ys' },
    ];
    expect(await evaluate(moved(2), 'y')).toEqual([2.5]);
    expect(await evaluate(moved(-1), 'y')).toEqual([NaN]);
  });
});
