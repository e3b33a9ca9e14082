import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  aligned,
  alignments,
  distributed,
  distributions,
  neighbour,
} from '../../../../src-renderer/state/canvas/arranging.ts';
import type { Rectangle } from '../../../../src-renderer/state/document/rectangle.ts';

const rectangle: fc.Arbitrary<Rectangle> = fc.record({
  x: fc.integer({ min: -500, max: 500 }),
  y: fc.integer({ min: -500, max: 500 }),
  width: fc.integer({ min: 1, max: 60 }).map((half) => 2 * half),
  height: fc.integer({ min: 1, max: 40 }).map((half) => 2 * half),
});
const blocks = fc
  .array(rectangle, { minLength: 3, maxLength: 8 })
  .map((list) => list.map((r, i): readonly [string, Rectangle] => [`b${i}`, r]));

describe('aligning', () => {
  it('moves along one axis only, stays in the common box, and changes nothing a second time', () => {
    fc.assert(
      fc.property(blocks, fc.constantFrom(...alignments), (list, alignment) => {
        const places = new Map(aligned(list, alignment));
        const across = ['left', 'center', 'right'].includes(alignment);
        const moved = list.map(([id, r]) => {
          const [x, y] = places.get(id)!;
          expect(across ? y : x).toBe(across ? r.y : r.x);
          return [id, { ...r, x, y }] as const;
        });
        const middle = (r: Rectangle) => (across ? r.x + r.width / 2 : r.y + r.height / 2);
        if (alignment === 'center' || alignment === 'middle')
          for (const [, r] of moved) expect(Math.abs(middle(r) - middle(moved[0]![1]))).toBeLessThanOrEqual(1);
        if (alignment === 'left') expect(new Set(moved.map(([, r]) => r.x)).size).toBe(1);
        if (alignment === 'bottom') expect(new Set(moved.map(([, r]) => r.y + r.height)).size).toBe(1);
        if (alignment !== 'center' && alignment !== 'middle')
          expect(new Map(aligned(moved, alignment))).toEqual(places);
      }),
    );
  });
});

describe('distributing', () => {
  it('makes the gaps equal, to a pixel, and leaves the outermost where they are', () => {
    fc.assert(
      fc.property(blocks, fc.constantFrom(...distributions), (list, distribution) => {
        const places = distributed(list, distribution);
        const axis = distribution === 'across' ? 0 : 1;
        const length = new Map<string, number>(
          list.map(([id, r]) => [id, distribution === 'across' ? r.width : r.height]),
        );
        const gaps = places.slice(1).map(([, at], i) => {
          const [before, from] = places[i]!;
          return at[axis] - from[axis] - length.get(before)!;
        });
        for (const gap of gaps) expect(Math.abs(gap - gaps[0]!)).toBeLessThanOrEqual(2);
        const start = (r: Rectangle) => (distribution === 'across' ? r.x : r.y);
        expect(places[0]![1][axis]).toBe(Math.min(...list.map(([, r]) => start(r))));
      }),
    );
  });

  it('does nothing with two', () => {
    expect(distributed([['a', { x: 0, y: 0, width: 10, height: 10 }]], 'across')).toEqual([]);
  });
});

describe('going from block to block', () => {
  const at = (x: number, y: number): Rectangle => ({ x, y, width: 100, height: 50 });
  const others = new Map([
    ['near', at(200, 20)],
    ['far', at(600, 0)],
    ['above', at(20, -200)],
    ['behind', at(-300, 0)],
  ]);

  it('takes the nearest that lies that way', () => {
    const from = at(0, 0);
    expect(neighbour(from, others, 'right')).toBe('near');
    expect(neighbour(from, others, 'up')).toBe('above');
    expect(neighbour(from, others, 'left')).toBe('behind');
    expect(neighbour(from, others, 'down')).toBeUndefined();
  });
});
