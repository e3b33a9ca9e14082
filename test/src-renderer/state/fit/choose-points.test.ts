/** What a line drawn around points encloses. */
import { describe, expect, it } from 'vitest';
import { encloses } from '../../../../src-renderer/parts/charts/choose-points.ts';

describe('a line around points', () => {
  // A U, open at the top: what stands between its arms is outside.
  const line = [
    [0, 0],
    [2, 0],
    [2, 6],
    [4, 6],
    [4, 0],
    [6, 0],
    [6, 8],
    [0, 8],
  ].map(([x, y]) => ({ x: x!, y: y! }));
  it.each([
    [1, 1, true],
    [3, 3, false],
    [5, 1, true],
    [3, 7, true],
    [3, 9, false],
    [-1, 7, false],
    [7, 7, false],
  ])('(%d, %d): %s', (x, y, inside) => expect(encloses(line, { x, y })).toBe(inside));

  it('of no length encloses nothing', () => expect(encloses([{ x: 1, y: 1 }], { x: 1, y: 1 })).toBe(false));
});
