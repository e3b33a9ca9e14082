import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutWires, foldings, layersAt, stacked, worth, zoomIn } from '../../../../src-renderer/state/canvas/fold.ts';
import type { LayoutBlock, LayoutWire } from '../../../../src-renderer/state/canvas/layout-graph.ts';
import { boxOf } from '../../../../src-renderer/state/canvas/layout-graph.ts';
import { looseOf, withLoose } from '../../../../src-renderer/state/canvas/loose.ts';
import { overlapping } from '../../../../src-renderer/state/canvas/routing.ts';
import type { Point } from '../../../../src-renderer/state/document/draft.ts';

const room = { width: 1104, height: 492 };

function block(id: string, width = 160, height = 80): LayoutBlock {
  return { id, width, height, above: false };
}
function wire(from: string, to: string): LayoutWire {
  return { from, to, fromPort: [160, 40], toPort: [0, 40] };
}
/** Twelve blocks, each feeding the next: 12 · 160 + 11 · 48 wide, 80 high. */
const chain = Array.from({ length: 12 }, (_, i) => block(`b${i}`));
const chained = chain.slice(1).map(({ id }, i) => wire(`b${i}`, id));

describe('a fold', () => {
  it('finds the layers of what was laid out from left to right', () => {
    const places = new Map<string, Point>([
      ['a', [0, 0]],
      ['b', [10, 100]],
      ['c', [200, 30]],
    ]);
    expect(layersAt([block('c'), block('a'), block('b')], places)).toEqual([['a', 'b'], ['c']]);
  });

  it('breaks a long chain into as many rows as show it at its own size', () => {
    const layers = chain.map(({ id }) => [id]);
    const [whole, best] = foldings(layers, chain, chained, room, 1);
    expect(whole).toEqual([chain.map(({ id }) => id)]);
    expect(best!.map((row) => row.length)).toHaveLength(3);
    expect(best!.flat()).toEqual(chain.map(({ id }) => id));
    expect(cutWires(best!, chained)).toBe(2);
  });

  it('breaks where the fewest wires are cut', () => {
    const layers = [['a'], ['b'], ['c'], ['d'], ['e'], ['f'], ['g'], ['h']];
    const blocks = layers.flat().map((id) => block(id));
    const wires = [...['ab', 'bc', 'cd', 'de', 'ef', 'fg', 'gh', 'be', 'ae', 'ce'].map(([x, y]) => wire(x!, y!))];
    const [, best] = foldings(layers, blocks, wires, room, 1);
    expect(best!.map((row) => row.join(''))).toEqual(['abcde', 'fgh']);
  });

  it('leaves no layer alone in a row', () => {
    const layers = chain.slice(0, 7).map(({ id }) => [id]);
    const ways = foldings(layers, chain.slice(0, 7), chained.slice(0, 6), room, 100);
    expect(ways.length).toBeGreaterThan(3);
    expect(ways.every((rows) => rows.every((row) => row.length > 1))).toBe(true);
  });

  it('breaks a chain of a hundred into even rows, each in order', () => {
    const blocks = Array.from({ length: 100 }, (_, i) => block(`b${i}`));
    const wires = blocks.slice(1).map(({ id }, i) => wire(`b${i}`, id));
    const layers = blocks.map(({ id }) => [id]);
    const [whole, best] = foldings(layers, blocks, wires, room, 1);
    expect(whole).toHaveLength(1);
    expect(best!.flat()).toEqual(blocks.map(({ id }) => id));
    // 20 800 wide and 80 high: at six rows and more the width is no longer what keeps it small.
    expect(best!.length).toBeGreaterThanOrEqual(6);
    const lengths = best!.map((row) => row.length);
    expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(1);
  });

  it('is not made where all is seen in one row', () => {
    expect(worth(zoomIn(room, { width: 1000, height: 300 }), 1, 0)).toBeGreaterThan(
      worth(zoomIn(room, { width: 500, height: 400 }), 2, 1),
    );
  });

  it('puts rows below one another, none on another, and moves each below what feeds it', () => {
    const rows = [
      new Map<string, Point>([
        ['a', [0, 0]],
        ['b', [208, 0]],
        ['c', [416, 0]],
      ]),
      new Map<string, Point>([['d', [0, 0]]]),
    ];
    const blocks = ['a', 'b', 'c', 'd'].map((id) => block(id));
    const places = stacked(rows, blocks, [wire('b', 'd')]);
    expect(places.get('d')![0]).toBe(368);
    expect(places.get('d')![1]).toBeGreaterThan(80 + 20);
    expect(boxOf(blocks, places).width).toBe(576);
  });
});

describe('a block that no wire joins', () => {
  it('goes into the room that the flow leaves, on nothing and before it makes all smaller', () => {
    const sizes = fc.record({ width: fc.integer({ min: 80, max: 300 }), height: fc.integer({ min: 40, max: 200 }) });
    fc.assert(
      fc.property(fc.array(sizes, { minLength: 1, maxLength: 5 }), (list) => {
        const loose = list.map(({ width, height }, i) => block(`loose${i}`, width, height));
        const flow = new Map(chain.slice(0, 4).map(({ id }, i): [string, Point] => [id, [i * 208, (i % 2) * 200]]));
        const blocks = [...chain.slice(0, 4), ...loose];
        const wires = chained.slice(0, 3);
        expect([...looseOf(blocks, wires)]).toEqual(loose.map(({ id }) => id));
        const places = withLoose(flow, loose, blocks, wires, room);
        expect(places.size).toBe(blocks.length);
        const all = blocks.map(({ id, width, height }) => ({
          ...{ x: places.get(id)![0], y: places.get(id)![1] },
          ...{ width, height },
        }));
        expect(overlapping(all)).toBe(false);
      }),
    );
    const alone = block('alone', 150, 100);
    const flow = new Map<string, Point>([
      ['b0', [0, 0]],
      ['b1', [208, 300]],
    ]);
    const tight = { width: 368, height: 380 };
    const places = withLoose(flow, [alone], [...chain.slice(0, 2), alone], chained.slice(0, 1), tight);
    expect(boxOf([...chain.slice(0, 2), alone], places)).toEqual({ x: 0, y: 0, width: 368, height: 380 });
  });
});
