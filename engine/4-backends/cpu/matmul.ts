/**
 * output[batch…, i, j] = Σₖ left[batch…, i, k] · right[batch…, k, j], in the order of k.
 *
 * A block of four rows by two vectors of columns has its sums in registers while k runs: each vector of the right factor is
 * read once for four rows, each element of the left once for two vectors.
 */
import { sizeCeilDivide, sizeMultiply, type Size } from '../../0-ir/sizes.ts';
import type { Shape } from '../../0-ir/types.ts';
import type { Access, MatmulStep } from '../../3-plan/plan.ts';
import { accessCursor, readAt, writeAt, type Cursor } from './walk/access.ts';
import { forItems, minimum } from './walk/items.ts';
import type { Kernel } from './kernel.ts';
import { onePoint, vectorLanes, type Lanes } from './scalar/lanes.ts';
import { bytesPerElement } from './representation.ts';
import { readVectorAt, writeVectorAt } from './walk/vector-access.ts';
import { add, apply, get, i32, multiply, type Expression } from './wasm/expression.ts';

const ROWS = 4;

/** A block of rows is an item. */
export function matmulItems({ domain }: MatmulStep): Shape {
  return [...domain.slice(0, -3), sizeCeilDivide(domain.at(-3)!, ROWS)];
}

interface Product {
  readonly step: MatmulStep;
  /** Where the rows of the item begin, for columns of the right factor and of the output from 0 on. */
  readonly left: Cursor;
  readonly right: Cursor;
  readonly output: Cursor;
}

export function emitMatmul(k: Kernel, step: MatmulStep): void {
  const { f } = k;
  const rows = step.domain.length - 3;
  const [left, right, output] = [step.left, step.right, step.output].map((access) => rowCursor(k, access, rows));
  const row: Cursor = {
    at: f.local('i32'),
    start: i32(0),
    strides: [...step.domain.slice(0, rows).map(() => 0), ROWS],
    unit: 1,
    element: 'index',
  };
  const product = { step, left, right, output } as Product;
  forItems(k, matmulItems(step), [left, right, output, row] as Cursor[], () => {
    const present = get(f.keep(minimum(k, apply('i32.sub', k.size(step.domain[rows]!), get(row.at)), i32(ROWS))));
    f.if(
      apply('i32.eq', present, i32(ROWS)),
      () => stripOfRows(k, product, i32(0), ROWS),
      () => {
        const at = f.keep(i32(0));
        f.loop((repeat) => {
          stripOfRows(k, product, get(at), 1);
          f.increase(at);
          f.branchIf(repeat, apply('i32.lt_s', get(at), present));
        });
      },
    );
  });
}

/** Over [batch…, blocks of rows]. */
function rowCursor(k: Kernel, access: Access, rows: number): Cursor {
  const ownRows = access.strides[rows]!;
  return accessCursor(
    k,
    { ...access, strides: [...access.strides.slice(0, rows), sizeMultiply(ownRows, ROWS)] },
    'real',
  );
}

/** All columns of some rows of an item: blocks of two vectors, of one, single columns. */
function stripOfRows(k: Kernel, product: Product, first: Expression, rows: number): void {
  const { f } = k;
  const columns = k.size(product.step.domain.at(-2)!);
  const column = f.keep(i32(0));
  const blocks = (lanes: Lanes, vectors: number) => {
    const width = vectors * lanes.count(k);
    const end = f.keep(apply('i32.sub', columns, i32(width - 1)));
    const isLeft = () => apply('i32.lt_s', get(column), get(end));
    f.if(isLeft(), () =>
      f.loop((repeat) => {
        block(k, product, { first, rows, column: get(column), lanes, vectors });
        f.increase(column, i32(width));
        f.branchIf(repeat, isLeft());
      }),
    );
  };
  blocks(vectorLanes, 2);
  blocks(vectorLanes, 1);
  blocks(onePoint, 1);
}

interface Block {
  readonly first: Expression;
  readonly rows: number;
  readonly column: Expression;
  readonly lanes: Lanes;
  /** Of columns. */
  readonly vectors: number;
}

function block(
  k: Kernel,
  { step, left, right, output }: Product,
  { first, rows, column, lanes, vectors }: Block,
): void {
  const { f } = k;
  const bytes = bytesPerElement(k.precision).real;
  const axes = step.domain.length;
  const [rowAxis, columnAxis, innerAxis] = [axes - 3, axes - 2, axes - 1];
  const count = lanes.count(k);
  const stride = (access: Access, axis: number) => access.strides[axis]!;
  const along = (access: Access, axis: number, index: Expression) =>
    multiply(index, k.size(stride(access, axis), bytes));
  const arithmetic = (operation: 'mul' | 'add', a: Expression, b: Expression) =>
    lanes.operation(k, operation, 'real', [a, b]);

  const leftAt = f.keep(add(get(left.at), along(step.left, rowAxis, first)));
  const rightAt = f.keep(add(get(right.at), along(step.right, columnAxis, column)));
  const zero = lanes.constant(k, { type: 'real', value: 0 });
  const sums = Array.from({ length: rows }, () => Array.from({ length: vectors }, () => f.keep(zero)));
  const place = f.keep(i32(0));
  const length = k.size(step.domain[innerAxis]!);
  f.block((leave) =>
    f.loop((repeat) => {
      f.branchIf(leave, apply('i32.ge_s', get(place), length));
      const columnsOfRight = Array.from({ length: vectors }, (_, vector) =>
        get(f.keep(readColumns(k, lanes, get(rightAt), stride(step.right, columnAxis), vector * count))),
      );
      sums.forEach((ofRow, row) => {
        const factor = readAt(k, 'real', add(get(leftAt), along(step.left, rowAxis, i32(row))));
        const spread = get(f.keep(lanes.spread(k, 'real', factor)));
        ofRow.forEach((sum, vector) =>
          f.set(sum, arithmetic('add', get(sum), arithmetic('mul', spread, columnsOfRight[vector]!))),
        );
      });
      f.increase(leftAt, k.size(stride(step.left, innerAxis), bytes));
      f.increase(rightAt, k.size(stride(step.right, innerAxis), bytes));
      f.increase(place);
      f.branch(repeat);
    }),
  );
  sums.forEach((ofRow, row) => {
    const start = add(get(output.at), along(step.output, rowAxis, add(first, i32(row))));
    const at = get(f.keep(add(start, along(step.output, columnAxis, column))));
    ofRow.forEach((sum, vector) => {
      if (count === 1) writeAt(k, 'real', at, get(sum));
      else writeVectorAt(k, 'real', at, stride(step.output, columnAxis), get(sum), vector * count);
    });
  });
}

function readColumns(k: Kernel, lanes: Lanes, address: Expression, stride: Size, ahead: number): Expression {
  return lanes.count(k) === 1 ? readAt(k, 'real', address) : readVectorAt(k, 'real', address, stride, ahead);
}
