import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { zoomIn } from '../../../../src-renderer/state/canvas/fold.ts';
import { boxOf, type LayoutBlock, type LayoutWire } from '../../../../src-renderer/state/canvas/layout-graph.ts';
import { provisionalLayout } from '../../../../src-renderer/state/canvas/layout.ts';
import { overlapping } from '../../../../src-renderer/state/canvas/routing.ts';

function block(id: string, width = 120, height = 60, above = false): LayoutBlock {
  return { id, width, height, above };
}

function wire(from: string, to: string): LayoutWire {
  return { from, to, fromPort: [120, 30], toPort: [0, 30] };
}

const room = { width: 1104, height: 492 };

describe('the provisional layout', () => {
  it('puts a block after all that feed it, level with the one that does', () => {
    const places = provisionalLayout(
      [block('c'), block('b'), block('a')],
      [wire('a', 'b'), wire('b', 'c'), wire('a', 'c')],
      room,
    );
    const [a, b, c] = ['a', 'b', 'c'].map((id) => places.get(id)!);
    expect(a![0] + 120).toBeLessThan(b![0]);
    expect(b![0] + 120).toBeLessThan(c![0]);
    expect(new Set([a![1], b![1], c![1]]).size).toBe(1);
  });

  it('folds a long chain, so that more than a strip of it is seen', () => {
    const chain = Array.from({ length: 100 }, (_, i) => block(`b${i}`));
    const wires = chain.slice(1).map(({ id }, i) => wire(`b${i}`, id));
    const places = [...provisionalLayout(chain, wires, room).values()];
    expect(new Set(places.map(([, y]) => y)).size).toBeGreaterThanOrEqual(6);
    expect(Math.max(...places.map(([x]) => x))).toBeLessThan(17_000 / 5);
  });

  it('places every block of any graph, circles too, and none on another', () => {
    const sizes = fc.record({
      width: fc.integer({ min: 100, max: 300 }),
      height: fc.integer({ min: 30, max: 200 }),
      above: fc.boolean(),
    });
    const graph = fc.array(sizes, { minLength: 1, maxLength: 14 }).chain((list) => {
      const index = fc.nat(list.length - 1).map(String);
      return fc.record({ list: fc.constant(list), wires: fc.array(fc.tuple(index, index), { maxLength: 20 }) });
    });
    fc.assert(
      fc.property(graph, ({ list, wires }) => {
        const blocks = list.map(({ width, height, above }, i) => block(String(i), width, height, above));
        const places = provisionalLayout(
          blocks,
          wires.map(([from, to]) => wire(from, to)),
          room,
        );
        const rectangles = blocks.map(({ id, width, height }) => {
          const [x, y] = places.get(id)!;
          return { x, y, width, height };
        });
        expect(rectangles.every(({ x, y }) => Number.isInteger(x) && Number.isInteger(y))).toBe(true);
        expect(overlapping(rectangles)).toBe(false);
      }),
      { numRuns: 60 },
    );
  });
});

describe('many parts that no wire joins', () => {
  const parts = Array.from({ length: 60 }, (_, i) => i);
  const blocks = parts.flatMap((i) => ['x', 'f', 'y', 'l'].map((kind) => block(`${kind}${i}`)));
  const joined = [
    ['x', 'f'],
    ['f', 'l'],
    ['y', 'l'],
  ];
  const wires = parts.flatMap((i) => joined.map(([from, to]) => wire(`${from}${i}`, `${to}${i}`)));

  it('stand in lines, so that all are seen', () => {
    const places = provisionalLayout(blocks, wires, room);
    // In a column they would be drawn at 0.06: the canvas zooms out to 0.2.
    expect(zoomIn(room, boxOf(blocks, places))).toBeGreaterThan(0.2);
    const rectangles = blocks.map(({ id, width, height }) => {
      const [x, y] = places.get(id)!;
      return { x, y, width, height };
    });
    expect(overlapping(rectangles)).toBe(false);
  });
});
