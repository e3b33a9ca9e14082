import type { ScalarFunction } from '../../0-ir/scalar.ts';
import { sizeMultiply } from '../../0-ir/sizes.ts';
import { readParameters } from '../../1-optimize/scalar/dead-code.ts';
import type { ElementType } from '../../0-ir/types.ts';
import type { MapStep } from '../../3-plan/plan.ts';
import { accessCursor, read, sourceCursor, withColumns, write, type Cursor } from './walk/access.ts';
import { forEachInRow, forManyInRow, forRestOfRow, forRows } from './walk/items.ts';
import type { Kernel } from './kernel.ts';
import { onePoint, vectorLanes } from './scalar/lanes.ts';
import { likelyPart } from './scalar/likely.ts';
import { emitMapOfZeros } from './map/map-zeros.ts';
import { emitFunction, functionWork } from './scalar/scalar-function.ts';
import { readVector, writeVectorAt, type KnownPlaces } from './walk/vector-access.ts';
import { apply, get, i32, type Expression } from './wasm/expression.ts';

/** Vectors in a round of the inner loop, where their functions are so light that the loop itself would show. */
const UNROLLED = 4;
const LIGHT = 8;

/** outputs[k][point] = function(inputs[…][point])[k], vectors of points along the last axis first, then what is left. */
export function emitMap(k: Kernel, step: MapStep): void {
  if (emitMapOfZeros(k, step)) return;
  const { function: fn } = step;
  const resultType = (result: number): ElementType => fn.body.results[result]?.type ?? 'real';
  const inputs = step.inputs.map((source) => sourceCursor(k, source));
  const outputs = step.outputs.map((access, i) => accessCursor(k, access, resultType(i)));
  const cursors = withColumns([...inputs, ...outputs]);
  const count = vectorLanes.count(k);
  const wide = !isShort(step, count);
  const likely = wide ? likelyPart(fn) : undefined;
  const { f } = k;

  forRows(k, step.domain, cursors, (row) => {
    // What is the same all along a row is read once: a parameter in a map over data, above all.
    const fixed = inputs.map((cursor) => (isFixed(cursor) ? k.f.keep(read(k, cursor)) : undefined));
    const onePointEach = () => {
      const args = inputs.map((cursor, i) => (fixed[i] ? get(fixed[i]) : read(k, cursor)));
      const values = emitFunction(k, fn, args, onePoint);
      outputs.forEach((cursor, i) => write(k, cursor, values[i]!));
    };
    if (!wide) {
      forEachInRow(k, row, cursors, onePointEach);
      return;
    }
    const spread = fixed.map((local, i) => local && k.f.keep(vectorLanes.spread(k, elementOf(inputs[i]!), get(local))));
    const valuesAt = (ahead: number, of: ScalarFunction) => {
      const isRead = readParameters(of);
      const known: KnownPlaces = new Map();
      const args = inputs.map((cursor, i) => {
        const same = spread[i];
        if (!isRead[i]) return vectorLanes.constant(k, { type: elementOf(cursor), value: 0 });
        return same ? get(same) : readVector(k, cursor, strideOf(cursor), ahead, known);
      });
      return emitFunction(k, of, args, vectorLanes);
    };
    const store = (values: readonly Expression[], ahead: number) =>
      outputs.forEach((cursor, i) =>
        writeVectorAt(k, resultType(i), get(cursor.at), strideOf(cursor), values[i]!, ahead),
      );
    const vector = (ahead: number) => store(valuesAt(ahead, fn), ahead);
    if (likely)
      forManyInRow(k, row, cursors, UNROLLED * count, () => {
        const places = Array.from({ length: UNROLLED }, (_, i) => i * count);
        const hoped = places.map((ahead) => valuesAt(ahead, likely));
        const right = hoped.map((values) => values.at(-1)!);
        f.if(
          apply(
            'i32x4.all_true',
            right.reduce((all, one) => apply('v128.and', all, one)),
          ),
          () => places.forEach((ahead, i) => store(hoped[i]!, ahead)),
          () => forEachVector(k, cursors, UNROLLED, () => vector(0)),
        );
      });
    else if (functionWork(fn) <= LIGHT)
      forManyInRow(k, row, cursors, UNROLLED * count, () => {
        for (let i = 0; i < UNROLLED; i++) vector(i * count);
      });
    forManyInRow(k, row, cursors, count, () => vector(0));
    forRestOfRow(k, row, cursors, onePointEach);
  });
}

/** `body` at so many vectors in a row, in a loop of its own; the cursors are left where they were. */
function forEachVector(k: Kernel, cursors: readonly Cursor[], many: number, body: () => void): void {
  const { f } = k;
  const by = (items: number) => {
    for (const cursor of cursors) f.increase(cursor.at, k.size(sizeMultiply(strideOf(cursor), items), cursor.unit));
  };
  const left = f.keep(i32(many));
  f.loop((repeat) => {
    body();
    by(vectorLanes.count(k));
    f.increase(left, i32(-1));
    f.branchIf(repeat, get(left));
  });
  by(-many * vectorLanes.count(k));
}

function strideOf(cursor: Cursor) {
  return cursor.strides.at(-1) ?? 0;
}

function isFixed(cursor: Cursor): boolean {
  return withColumns([cursor]).every((each) => strideOf(each) === 0);
}

function elementOf({ element }: Cursor): ElementType {
  return element === 'index' ? 'int' : element;
}

/** Rows that are known to be shorter than a vector. */
function isShort({ domain }: MapStep, count: number): boolean {
  const last = domain.at(-1) ?? 1;
  return typeof last === 'number' && last < count;
}
