import { describe, expect, it } from 'vitest';
import { freePlace } from '../../../../src-renderer/state/canvas/free-place.ts';

const size = [120, 60] as const;
const block = (x: number, y: number, width = 120, height = 60) => ({ x, y, width, height });
const meets = ([x, y]: readonly [number, number], r: ReturnType<typeof block>) =>
  x < r.x + r.width && r.x < x + size[0] && y < r.y + r.height && r.y < y + size[1];

describe('a new block', () => {
  it('stands where it is wanted if nothing is there', () => {
    expect(freePlace([40, 40], size, [])).toEqual([40, 40]);
    expect(freePlace([40, 40], size, [block(400, 400)])).toEqual([40, 40]);
  });

  it('goes on in the direction of the flow where something is', () => {
    const place = freePlace([0, 0], size, [block(0, 0)]);
    expect(place[0]).toBeGreaterThanOrEqual(0);
    expect(place[1]).toBeGreaterThanOrEqual(0);
    expect(meets(place, block(0, 0))).toBe(false);
  });

  it('stands in view as long as there is room, and beyond it else', () => {
    const within = { x: 0, y: 0, width: 300, height: 200 };
    const isSeen = ([x, y]: readonly [number, number]) => x >= 0 && y >= 0 && x + 120 <= 300 && y + 60 <= 200;
    expect(freePlace([290, 190], size, [], { within })).toEqual([180, 140]);
    expect(isSeen(freePlace([200, 130], size, [block(160, 120)], { within }))).toBe(true);
    // Between two rows, where no edge leads.
    const rows = [block(0, 0, 260, 60), block(40, 140, 260, 60), block(-400, 72, 380, 56), block(320, 72, 300, 56)];
    expect(isSeen(freePlace([20, 20], [120, 50], rows, { within }))).toBe(true);
    const beyond = freePlace([10, 10], size, [block(0, 0, 300, 200)], { within });
    expect(isSeen(beyond)).toBe(false);
    expect(meets(beyond, block(0, 0, 300, 200))).toBe(false);
  });

  it('stands where it is wanted, over what is there, where a free place is farther than it may be', () => {
    const crowd = Array.from({ length: 81 }, (_, i) => block(130 * ((i % 9) - 4), 70 * (Math.floor(i / 9) - 4)));
    expect(meets(freePlace([0, 0], size, crowd), block(0, 0))).toBe(false);
    expect(freePlace([0, 0], size, crowd, { most: 200 })).toEqual([0, 0]);
    expect(freePlace([0, 0], size, [block(0, 0)], { most: 200 })).toEqual(freePlace([0, 0], size, [block(0, 0)]));
  });

  it('covers none of many that are put at one point', () => {
    const taken: ReturnType<typeof block>[] = [];
    for (let i = 0; i < 40; i++) {
      const [x, y] = freePlace([10, 10], size, taken);
      expect(taken.some((r) => meets([x, y], r))).toBe(false);
      taken.push(block(x, y));
    }
  });
});
