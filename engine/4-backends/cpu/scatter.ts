import { sizeMultiply, sizeProduct, type Size } from '../../0-ir/sizes.ts';
import type { Access, ScatterStep, Source } from '../../3-plan/plan.ts';
import { accessCursor, read, sourceCursor, writeAt } from './walk/access.ts';
import { emitFault } from './emit-fault.ts';
import { forItems } from './walk/items.ts';
import type { Kernel } from './kernel.ts';
import { bytesPerElement } from './representation.ts';
import { add, apply, get, load } from './wasm/expression.ts';

/**
 * target[row indices[point]] = values[point]; rows out of range are ignored. With a check, each row of the scratch holds
 * 1 + the place that has written it; a second place is a fault.
 */
export function emitScatter(k: Kernel, step: ScatterStep): void {
  const { f } = k;
  const element = step.values.kind === 'index' ? 'int' : step.values.element;
  const values = sourceCursor(k, step.values);
  const indices = sourceCursor(k, step.indices);
  const target = accessCursor(k, step.target, element);
  const rows = k.size(step.rows);
  const rowBytes = k.size(step.rowStride, bytesPerElement(k.precision)[element]);
  const check = step.checked && {
    writers: accessCursor(k, writersAccess(step, step.checked.scratch), 'int'),
    place: sourceCursor(k, placeSource(step)),
  };
  if (step.checked) {
    k.cleared = { kind: 'buffer', buffer: step.checked.scratch };
    // Two threads would not see each other's marks.
    k.sharing = 'one';
  }
  const cursors = [values, indices, target, ...(check ? [check.writers, check.place] : [])];
  forItems(k, step.domain, cursors, (item) => {
    const index = f.keep(read(k, indices));
    f.if(apply('i32.lt_u', get(index), rows), () => {
      if (check) {
        const writer = f.keep(add(get(check.writers.at), apply('i32.mul', get(index), k.size(check.writers.unit))));
        const before = f.keep(load('i32.load', get(writer)));
        const taken = apply('i32.and', apply('i32.ne', get(before), read(k, check.place)), isSet(before));
        f.if(taken, () => emitFault(k, 'index repeated', item, get(index), rows));
        f.store('i32.store', get(writer), read(k, check.place));
      }
      writeAt(k, element, add(get(target.at), apply('i32.mul', get(index), rowBytes)), read(k, values));
    });
  });
}

function isSet(local: Parameters<typeof get>[0]) {
  return apply('i32.eqz', apply('i32.eqz', get(local)));
}

/** [batch…, rows], dense; the row is added. */
function writersAccess({ domain, axis, rows }: ScatterStep, buffer: number): Access {
  const strides = domain.map((_, at): Size => {
    if (at >= axis) return 0;
    return sizeMultiply(sizeProduct(domain.slice(at + 1, axis)), rows);
  });
  return { buffer, offset: 0, strides };
}

/** 1 + the index along the axis. */
function placeSource({ domain, axis }: ScatterStep): Source {
  return { kind: 'index', offset: 1, strides: domain.map((_, at) => (at === axis ? 1 : 0)) };
}
