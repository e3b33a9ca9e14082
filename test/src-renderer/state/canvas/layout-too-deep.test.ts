import { expect, it, vi } from 'vitest';
import { layOut } from '../../../../src-renderer/state/canvas/layout.ts';

/** As elkjs does on a chain of 4,000 blocks: it calls itself along it. */
vi.mock('elkjs/lib/elk-api.js', () => ({
  default: class {
    layout(): Promise<never> {
      return Promise.reject(new RangeError('Maximum call stack size exceeded'));
    }
  },
}));
vi.mock('elkjs/lib/elk-worker.min.js?worker', () => ({ default: vi.fn() }));

it('a chain that is too long for the layers is laid out all the same, in rows, no block on another', async () => {
  const count = 400;
  const blocks = Array.from({ length: count }, (_, i) => ({ id: `b${i}`, width: 120, height: 60, above: false }));
  const wires = blocks.slice(1).map(({ id }, i) => ({
    from: `b${i}`,
    to: id,
    fromPort: [120, 30] as const,
    toPort: [0, 30] as const,
  }));
  const places = await layOut(blocks, wires, { width: 1104, height: 492 });
  const spots = [...places.values()].map(([x, y]) => `${x} ${y}`);
  expect(new Set(spots).size).toBe(count);
  expect(new Set([...places.values()].map(([, y]) => y)).size).toBeGreaterThan(5);
});
