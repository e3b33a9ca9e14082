import { describe, expect, it, vi } from 'vitest';
import { RouteFinder } from '../../../../src-renderer/state/canvas/route-finder.ts';
import type { WireEnds } from '../../../../src-renderer/state/canvas/routing.ts';
import type { Rectangle } from '../../../../src-renderer/state/document/rectangle.ts';
import { manyWires, plainRoute, routeWires } from '../../../../src-renderer/state/canvas/routing.ts';

function strands(count: number): { ends: WireEnds[]; rectangles: Map<string, Rectangle> } {
  const ends = Array.from({ length: count }, (_, i): WireEnds => {
    const key = String(i);
    return { key, source: key, from: [0, 40 * i], fromSide: 'right', to: [300, 40 * (i + 3)], toSide: 'left' };
  });
  return { ends, rectangles: new Map([['wall', { x: 100, y: 0, width: 60, height: 200 }]]) };
}

describe('the routes of a canvas', () => {
  it('are all there at once where they are few', () => {
    const { ends, rectangles } = strands(5);
    const routes = new RouteFinder(() => undefined).routes(ends, rectangles, false);
    expect(routes).toEqual(routeWires([...ends], [...rectangles.values()]));
  });

  it('are plain at first where they are many, and then those that the search finds', async () => {
    const { ends, rectangles } = strands(manyWires + 1);
    const ended = vi.fn<() => void>();
    const finder = new RouteFinder(ended);
    const first = finder.routes(ends, rectangles, false);
    expect(first.get('7')).toEqual(plainRoute(ends[7]!));
    const searched = routeWires([...ends], [...rectangles.values()]);
    await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce());
    expect(finder.routes(ends, rectangles, false)).toEqual(searched);
  });

  it('stay the same map while nothing changes, and keep the wires that a move does not touch', () => {
    const { ends, rectangles } = strands(5);
    const finder = new RouteFinder(() => undefined);
    const before = finder.routes(ends, rectangles, true);
    expect(finder.routes([...ends], rectangles, true)).toBe(before);
    const moved = ends.with(0, { ...ends[0]!, from: [0, -100] });
    const after = finder.routes(moved, rectangles, true);
    expect(after.get('4')).toBe(before.get('4'));
    expect(after.get('0')![0]).toEqual([0, -100]);
  });
});
