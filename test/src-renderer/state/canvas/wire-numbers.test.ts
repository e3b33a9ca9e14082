import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Route } from '../../../../src-renderer/state/canvas/routing.ts';
import { placeNumbers } from '../../../../src-renderer/state/canvas/wire-numbers.ts';

const number = (key: string, weight: number, ...route: Route) => ({ key, text: '0.12', route, weight });

describe('numbers on wires', () => {
  it('stand on the middle of the longest straight part', () => {
    const placed = placeNumbers([number('a', 1, [0, 0], [20, 0], [20, 100], [40, 100])], [], 10);
    expect(placed).toEqual([{ key: 'a', text: '0.12', at: [20, 50] }]);
  });

  it('move along the wire where a heavier one stands, and are left out where no place is free', () => {
    const long = number('long', 1, [0, 0], [200, 0]);
    const short = number('short', 0.5, [88, 0], [118, 0]);
    const crossing = number('crossing', 2, [100, -50], [100, 50]);
    const placed = placeNumbers([long, short, crossing], [], 10);
    expect(placed).toEqual([
      { key: 'crossing', text: '0.12', at: [100, 0] },
      { key: 'long', text: '0.12', at: [60, 0] },
    ]);
  });

  it('do not stand under a block', () => {
    const wire = number('a', 1, [0, 0], [200, 0]);
    expect(placeNumbers([wire], [{ x: 80, y: -10, width: 40, height: 20 }], 10)[0]?.at).toEqual([60, 0]);
    expect(placeNumbers([wire], [{ x: -10, y: -10, width: 220, height: 20 }], 10)).toEqual([]);
  });

  it('never overlap', () => {
    const coordinate = fc.integer({ min: 0, max: 300 });
    const wires = fc.array(fc.tuple(coordinate, coordinate, coordinate, fc.double({ min: 0, max: 9, noNaN: true })), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(wires, (all) => {
        const numbers = all.map(([x, y, to, weight], i) => number(String(i), weight, [x, y], [to, y], [to, 300]));
        const placed = placeNumbers(numbers, [], 10);
        for (const [i, { at: one }] of placed.entries())
          for (const { at: other } of placed.slice(0, i)) {
            const apart = Math.abs(one[0] - other[0]) >= 24.7 || Math.abs(one[1] - other[1]) >= 11.9;
            expect(apart).toBe(true);
          }
      }),
    );
  });
});
