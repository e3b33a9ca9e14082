import { describe, expect, test } from 'vitest';
import { leastReadable, openingView } from '../../../../src-renderer/state/canvas/opening-view.ts';

const room = { width: 1100, height: 490 };
const at = (x: number, y: number) => ({ x, y, width: 150, height: 100 });

describe('where a canvas opens', () => {
  test('what can be read at once is shown at once', () => {
    const [right, bottom] = [room.width / leastReadable, room.height / leastReadable];
    expect(openingView(room, [at(0, 0), at(right - 150, bottom - 100)])).toBeUndefined();
  });

  test('a high model opens as wide as it is, at its top', () => {
    const view = openingView(room, [at(20, -300), at(1410, -300), at(20, 4600)])!;
    expect(view.zoom).toBeCloseTo(1100 / 1540, 12);
    expect(view.center).toEqual([20 + 1540 / 2, -300 + 490 / view.zoom / 2]);
  });

  test('one that is wide and high opens where the flow begins, at its upper left', () => {
    const { zoom, center } = openingView(room, [at(0, 0), at(0, 200), at(8850, 5900)])!;
    expect(zoom).toBe(leastReadable);
    expect(center[0] - room.width / zoom / 2).toBeCloseTo(0, 9);
    expect(center[1] - room.height / zoom / 2).toBeCloseTo(0, 9);
  });

  test('one whose upper left is all but empty opens where its blocks are', () => {
    const crowd = Array.from({ length: 12 }, (_, i) => at((i % 4) * 200, 3000 + 120 * Math.floor(i / 4)));
    const { zoom, center } = openingView(room, [at(900, 0), ...crowd, at(8850, 5900)])!;
    const top = center[1] - room.height / zoom / 2;
    expect(top).toBeLessThanOrEqual(3120);
    expect(top + room.height / zoom).toBeGreaterThan(3340);
  });

  test('a narrow one is drawn no larger than it must be', () => {
    expect(openingView(room, [at(0, 0), at(150, 1900)])!.zoom).toBe(9 / 11);
  });
});
