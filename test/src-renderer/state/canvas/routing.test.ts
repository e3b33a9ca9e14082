import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Route, WireEnds } from '../../../../src-renderer/state/canvas/routing.ts';
import type { Rectangle } from '../../../../src-renderer/state/document/rectangle.ts';
import {
  branchPoints,
  middleOf,
  overlapping,
  roundedPath,
  routeWires,
} from '../../../../src-renderer/state/canvas/routing.ts';

function wire(key: string, from: [number, number], to: [number, number], source = key, top = false): WireEnds {
  return { key, source, from, to, fromSide: top ? 'bottom' : 'right', toSide: top ? 'top' : 'left' };
}

function isOrthogonal(route: Route): boolean {
  return route.slice(1).every(([x, y], i) => x === route[i]![0] || y === route[i]![1]);
}

function crossesInside(route: Route, block: Rectangle): boolean {
  return route.slice(1).some(([x, y], i) => {
    const [u, v] = route[i]!;
    return (
      Math.max(x, u) > block.x &&
      Math.min(x, u) < block.x + block.width &&
      Math.max(y, v) > block.y &&
      Math.min(y, v) < block.y + block.height
    );
  });
}

describe('routing', () => {
  it('draws a straight line where one will do', () => {
    expect(routeWires([wire('a', [0, 10], [100, 10])], []).get('a')).toEqual([
      [0, 10],
      [100, 10],
    ]);
  });

  it('goes around a block that stands in the way', () => {
    const block = { x: 80, y: -40, width: 60, height: 100 };
    const route = routeWires([wire('a', [0, 10], [220, 10])], [block]).get('a')!;
    expect(isOrthogonal(route)).toBe(true);
    expect(crossesInside(route, block)).toBe(false);
  });

  it('gives wires of different sources lanes of their own', () => {
    const routes = routeWires([wire('a', [0, 0], [200, 60]), wire('b', [0, 20], [200, 80])], []);
    const verticals = ['a', 'b'].map((key) => routes.get(key)![1]![0]);
    expect(Math.abs(verticals[0]! - verticals[1]!)).toBeGreaterThanOrEqual(7);
  });

  it('always leaves and arrives at the ports, at right angles', () => {
    const coordinate = fc.integer({ min: -400, max: 400 });
    const ends = fc.record({
      from: fc.tuple(coordinate, coordinate),
      to: fc.tuple(coordinate, coordinate),
      top: fc.boolean(),
    });
    const block = fc.record({
      x: coordinate,
      y: coordinate,
      width: fc.integer({ min: 40, max: 200 }),
      height: fc.integer({ min: 40, max: 120 }),
    });
    fc.assert(
      fc.property(fc.array(ends, { minLength: 1, maxLength: 5 }), fc.array(block, { maxLength: 4 }), (list, blocks) => {
        const wires = list.map(({ from, to, top }, i) => wire(String(i), from, to, String(i), top));
        const routes = routeWires(wires, blocks);
        for (const { key, from, to } of wires) {
          const route = routes.get(key)!;
          expect(route[0]).toEqual(from);
          expect(route.at(-1)).toEqual(to);
          expect(isOrthogonal(route)).toBe(true);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('rounds corners and finds the middle and the branches', () => {
    const one: Route = [
      [0, 0],
      [40, 0],
      [40, 30],
      [80, 30],
    ];
    const other: Route = [
      [0, 0],
      [80, 0],
    ];
    expect(roundedPath(one)).toBe('M0 0L33 0Q40 0 40 7L40 23Q40 30 47 30L80 30');
    expect(middleOf(one)).toEqual([40, 15]);
    expect(branchPoints([other, one])).toEqual([[40, 0]]);
  });

  it('tells whether blocks lie on each other', () => {
    const block = { x: 0, y: 0, width: 10, height: 10 };
    expect(overlapping([block, { ...block, x: 9 }])).toBe(true);
    expect(overlapping([block, { ...block, x: 10 }])).toBe(false);
  });
});
