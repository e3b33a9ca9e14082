import { expect, it } from 'vitest';
import { cardSize, placeCard } from '../../../../src-renderer/state/canvas/probe-place.ts';

const covers = ([x, y]: readonly [number, number], r: { x: number; y: number; width: number; height: number }) =>
  x < r.x + r.width && r.x < x + cardSize[0] && y < r.y + r.height && r.y < y + cardSize[1];

it('stands near its wire, and beside the blocks', () => {
  const alone = placeCard([0, 0], []);
  expect(Math.hypot(...alone)).toBeLessThan(cardSize[0]);
  const block = { x: -200, y: 10, width: 400, height: 60 };
  expect(covers(placeCard([0, 0], [block]), block)).toBe(false);
  const both = [block, { x: -200, y: -190, width: 400, height: 180 }];
  expect(both.some((r) => covers(placeCard([0, 0], both), r))).toBe(false);
});
