import { withoutAxis, type Shape } from '../../0-ir/types.ts';
import type { Size } from '../../0-ir/sizes.ts';
import type { MatmulStep } from '../../3-plan/plan.ts';
import { accessCursor, lineOf, read, write, type Cursor } from './access.ts';
import { forEachInRow, forItems, forLine, forRows, type Row } from './items.ts';
import type { Kernel } from './kernel.ts';
import { constant } from './representation.ts';
import { apply, get, type Expression } from './wasm/expression.ts';

/** output[batch…, i, j] = Σₖ left[batch…, i, k] · right[batch…, k, j], in the order of k */
export function emitMatmul(k: Kernel, step: MatmulStep): void {
  const inner = step.domain.length - 1;
  const left = lineOf(k, accessCursor(k, step.left, 'real'), inner);
  const right = lineOf(k, accessCursor(k, step.right, 'real'), inner);
  const output = accessCursor(k, step.output, 'real');
  const cursors = [left.item, right.item, output];
  const items = withoutAxis(step.domain, inner);
  const length = k.size(step.domain[inner] as Size);
  const zero = constant(k.precision, { type: 'real', value: 0 });
  const product = (a: Expression, b: Expression) => apply(`${k.precision}.mul`, a, b);
  const sum = (a: Expression, b: Expression) => apply(`${k.precision}.add`, a, b);

  if (!runsAcross(step)) {
    const total = k.f.local(k.precision);
    forItems(k, items, cursors, () => {
      k.f.set(total, zero);
      forLine(k, length, [left, right], () =>
        k.f.set(total, sum(get(total), product(read(k, left.along), read(k, right.along)))),
      );
      write(k, output, get(total));
    });
    return;
  }
  // A row of the output at a time, += left[i, k] · right[k, …]: the inner loop reads and writes neighbours.
  const walkRight = { ...right.item, at: k.f.local('i32') };
  const walkOutput = { ...output, at: k.f.local('i32') };
  forRows(k, items, cursors, (row) => {
    overRow(k, row, [[walkOutput, output]], () => write(k, walkOutput, zero));
    forLine(k, length, [left, right], () => {
      const factor = k.f.keep(read(k, left.along));
      const starts: [Cursor, Cursor][] = [
        [walkRight, right.along],
        [walkOutput, output],
      ];
      overRow(k, row, starts, () =>
        write(k, walkOutput, sum(read(k, walkOutput), product(get(factor), read(k, walkRight)))),
      );
    });
    for (const cursor of cursors) {
      const count = apply('i32.sub', get(row.end), get(row.at));
      k.f.increase(cursor.at, apply('i32.mul', count, k.size(cursor.strides.at(-1) ?? 0, cursor.unit)));
    }
    k.f.set(row.at, get(row.end));
  });
}

/** Along k where the right factor is contiguous there, or where rows of the output are short. */
function runsAcross({ domain, right }: { readonly domain: Shape; readonly right: MatmulStep['right'] }): boolean {
  const [columns, inner] = [domain.length - 2, domain.length - 1];
  const width = domain[columns];
  if (typeof width === 'number' && width < 8) return false;
  return !(right.strides[inner] === 1 && right.strides[columns] !== 1);
}

/** `body` at each item of a row, with walkers that begin where the others stand. */
function overRow(k: Kernel, row: Row, starts: readonly (readonly [Cursor, Cursor])[], body: () => void): void {
  for (const [walker, from] of starts) k.f.set(walker.at, get(from.at));
  const own: Row = { at: k.f.keep(get(row.at)), end: row.end };
  forEachInRow(
    k,
    own,
    starts.map(([walker]) => walker),
    body,
  );
}
