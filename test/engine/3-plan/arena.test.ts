import fc from 'fast-check';
import { expect, test } from 'vitest';
import { layout } from '../../../engine/3-plan/arena.ts';
import type { PlanBuffer } from '../../../engine/3-plan/plan.ts';

const bytes = { real: 8, int: 4, bool: 1 };

const buffers = fc.array(
  fc
    .record({
      element: fc.constantFrom('real', 'int', 'bool'),
      length: fc.constantFrom<PlanBuffer['length']>(0, 1, 5, 'n', '3*n + 1'),
      from: fc.nat({ max: 9 }),
      steps: fc.nat({ max: 5 }),
    })
    .map(({ element, length, from, steps }): PlanBuffer => ({
      element,
      length,
      role: 'temporary',
      lifetime: [from, from + steps],
    })),
  { maxLength: 20 },
);

const lengthOf = (buffer: PlanBuffer, n: number) =>
  ({ n, '3*n + 1': 3 * n + 1 })[buffer.length as string] ?? Number(buffer.length);

test('buffers that are alive together do not overlap, and all lie in the arena, aligned', () => {
  fc.assert(
    fc.property(
      buffers,
      fc.nat({ max: 40 }),
      fc.constantFrom(16, 256),
      fc.constantFrom(0, 32),
      (list, n, alignment, padding) => {
        const { offsets, total } = layout({ buffers: list }, { n }, bytes, { alignment, padding });
        const ranges = list.map((buffer, id) => {
          const from = offsets[id]!;
          return { from, to: from + lengthOf(buffer, n) * bytes[buffer.element] + padding, lifetime: buffer.lifetime };
        });
        for (const { from, to } of ranges) {
          expect(from % alignment).toBe(0);
          expect(to).toBeLessThanOrEqual(total);
        }
        for (const a of ranges)
          for (const b of ranges)
            if (a !== b && a.from < b.to && b.from < a.to)
              expect(a.lifetime[1] < b.lifetime[0] || b.lifetime[1] < a.lifetime[0]).toBe(true);
      },
    ),
  );
});

test('a chain of temporaries needs the room of two', () => {
  const chain = Array.from({ length: 10 }, (_, i): PlanBuffer => ({
    element: 'real',
    length: 'n',
    role: 'temporary',
    lifetime: [i, i + 1],
  }));
  expect(layout({ buffers: chain }, { n: 100 }, bytes).total).toBe(16 + 2 * 800);
});

test('a negative size is refused', () => {
  const buffer: PlanBuffer = { element: 'real', length: 'n - 1', role: 'temporary', lifetime: [0, 0] };
  expect(() => layout({ buffers: [buffer] }, { n: 0 }, bytes)).toThrow('a buffer of n - 1 elements has length -1');
});
