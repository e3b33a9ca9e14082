import { describe, expect, test } from 'vitest';
import { leastReadable, openingView } from '../../../../src-renderer/state/canvas/opening-view.ts';

const room = { width: 1100, height: 490 };
const at = (x: number, y: number) => ({ x, y, width: 150, height: 100 });

describe('where a canvas opens', () => {
  test('what can be read at once is shown at once', () => {
    const box = { x: 0, y: 0, width: room.width / leastReadable, height: room.height / leastReadable };
    expect(openingView(room, box, at(0, 0))).toBeUndefined();
  });

  test('a high model opens as wide as it is, at the height of its objective', () => {
    const view = openingView(room, { x: 20, y: -300, width: 1540, height: 5000 }, at(1400, 1000))!;
    expect(view.zoom).toBeCloseTo(1100 / 1540, 12);
    expect(view.center).toEqual([20 + 1540 / 2, 1050]);
  });

  test('one that is wide and high opens at the end where its objective is, and shows nothing beyond', () => {
    const box = { x: 0, y: 0, width: 9000, height: 6000 };
    const { zoom, center } = openingView(room, box, at(8850, 0))!;
    expect(zoom).toBe(leastReadable);
    expect(center[0] + room.width / zoom / 2).toBeCloseTo(9000, 9);
    expect(center[1] - room.height / zoom / 2).toBeCloseTo(0, 9);
  });

  test('a narrow one is drawn no larger than it must be', () => {
    const { zoom } = openingView(room, { x: 0, y: 0, width: 300, height: 2000 }, at(0, 0))!;
    expect(zoom).toBe(0.8);
  });
});
