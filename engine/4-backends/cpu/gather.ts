import { identityFunction } from '../../0-ir/scalar-builder.ts';
import type { GatherStep, Source } from '../../3-plan/plan.ts';
import { accessCursor, read, readAt, sourceCursor, write } from './walk/access.ts';
import { emitFault } from './emit-fault.ts';
import { forItems } from './walk/items.ts';
import type { Kernel } from './kernel.ts';
import { emitMap } from './map.ts';
import { bytesPerElement, constant } from './representation.ts';
import { add, apply, get } from './wasm/expression.ts';

/** output[point] = from[row indices[point]] */
export function emitGather(k: Kernel, step: GatherStep): void {
  const table = tableOf(step);
  if (table) emitMap(k, { kind: 'map', domain: step.domain, inputs: [table], ...identityOf(step) });
  else emitRows(k, step);
}

/** Rows of one element from one list, which vectors can look up. */
function tableOf({ from, element, rows, rowStride, indices, outside }: GatherStep): Source | undefined {
  if (element === 'bool' || outside === 'fault' || indices.kind !== 'array') return undefined;
  if (from.strides.some((stride) => stride !== 0)) return undefined;
  const table = { ...from, stride: rowStride, rows, outside };
  return { ...indices, kind: 'gathered', element, table };
}

function identityOf({ element, output }: GatherStep) {
  return { function: identityFunction([element]), outputs: [output] };
}

function emitRows(k: Kernel, step: GatherStep): void {
  const { f } = k;
  const { element } = step;
  const from = accessCursor(k, step.from, element);
  const indices = sourceCursor(k, step.indices);
  const output = accessCursor(k, step.output, element);
  const rows = k.size(step.rows);
  const rowBytes = k.size(step.rowStride, bytesPerElement(k.precision)[element]);
  forItems(k, step.domain, [from, indices, output], (item) => {
    const index = f.keep(read(k, indices));
    const inside = () =>
      write(k, output, readAt(k, element, add(get(from.at), apply('i32.mul', get(index), rowBytes))));
    const outside = () => {
      if (step.outside === 'fault') emitFault(k, 'index out of range', item, get(index), rows);
      else write(k, output, constant(k.precision, { type: element, value: step.outside === 'nan' ? NaN : 0 }));
    };
    // Unsigned, so that a negative index is out of range too.
    f.if(apply('i32.lt_u', get(index), rows), inside, outside);
  });
}
