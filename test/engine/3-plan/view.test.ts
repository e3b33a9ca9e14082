import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sizeProduct, sizeValue, type Size } from '../../../engine/0-ir/sizes.ts';
import {
  denseStrides,
  isDense,
  reshapeView,
  reverseView,
  transposeView,
  type View,
} from '../../../engine/3-plan/view.ts';

const home = { depth: 0, steps: [] };

function view(shape: readonly Size[], strides: readonly Size[] = denseStrides(shape)): View {
  return { kind: 'view', element: 'real', shape, home, base: 0, offset: 0, strides };
}

test('strides of a dense array', () => {
  expect(denseStrides(['n', 'm', 3])).toEqual(['3*m', 3, 1]);
  expect(isDense(['n', 1, 3], [3, 77, 1])).toBe(true);
  expect(isDense(['n', 'm'], [1, 'n'])).toBe(false);
});

test.each([
  { from: ['n', 'm'], to: ['m*n'], strides: [1] },
  { from: ['m*n'], to: ['n', 'm'], strides: ['m', 1] },
  { from: ['n', 4, 'm'], to: ['n', 2, '2*m'], strides: ['4*m', '2*m', 1] },
  { from: ['n', 1, 'm'], to: [1, 'n', 'm', 1], strides: [0, 'm', 1, 0] },
  { from: ['a'], to: ['b', 'c'], strides: ['c', 1] },
  { from: [], to: [1, 1], strides: [0, 0] },
])('a dense $from is a view as $to', ({ from, to, strides }) => {
  expect(reshapeView(view(from), to)).toMatchObject({ shape: to, strides, offset: 0 });
});

test('axes that do not follow on each other cannot be merged', () => {
  expect(reshapeView(transposeView(view(['n', 'm']), [1, 0]), ['m*n'])).toBeUndefined();
  expect(reshapeView(reverseView(view(['n', 'm']), 0), ['m*n'])).toBeUndefined();
});

test('an axis beside can be split although others are strided', () => {
  const turned = transposeView(view(['n', '2*m']), [1, 0]);
  expect(reshapeView(turned, [2, 'm', 'n'])).toMatchObject({ strides: ['m', 1, '2*m'] });
});

test('a reshaped view reads the elements in the same order', () => {
  const axes = fc.array(fc.constantFrom<Size>('n', 'm', 1, 2, 3), { maxLength: 4 });
  const strides = fc.array(fc.constantFrom(0, 1, 2, 3, 6), { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(axes, axes, strides, fc.boolean(), fc.nat(3), fc.nat(3), (from, to, chosen, dense, n, m) => {
      const sizes = { n, m };
      const count = (shape: readonly Size[]) => sizeValue(sizeProduct(shape), sizes);
      fc.pre(count(from) === count(to));
      const before = view(from, dense ? denseStrides(from) : chosen.slice(0, from.length));
      const after = reshapeView(before, to);
      if (after?.kind === 'view') expect(addresses(after, sizes)).toEqual(addresses(before, sizes));
      else expect(dense).toBe(false);
    }),
  );
});

function addresses({ shape, strides, offset }: View, sizes: Record<string, number>): number[] {
  return shape.reduce(
    (found, size, axis) =>
      found.flatMap((base) =>
        Array.from({ length: sizeValue(size, sizes) }, (_, i) => base + i * sizeValue(strides[axis]!, sizes)),
      ),
    [sizeValue(offset, sizes)],
  );
}
