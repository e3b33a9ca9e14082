/**
 * target[row indices[point]] = values[point], a thread for each point; rows out of range are ignored.
 * With `checked`, scratch first gets, for each row, the first element that goes there; every later one is a fault.
 */
import { sizeMultiply, sizeProduct } from '../../0-ir/sizes.ts';
import type { ScatterStep } from '../../3-plan/plan.ts';
import { sourceElement } from '../../3-plan/sources.ts';
import { KernelWriter, readSource, sourceBase } from './wgsl/kernel-writer.ts';
import type { Kernel, KernelFamily } from './module.ts';
import { Space } from './wgsl/space.ts';

const none = 2147483647;

export const scatter: KernelFamily<ScatterStep> = {
  generate(step) {
    const kernels = [writeRows(step)];
    if (step.checked) kernels.push(clear(step.checked.scratch), claim(step, false), claim(step, true));
    const rows = sizeMultiply(sizeProduct(step.domain.slice(0, step.axis)), step.rows);
    return { kernels, sizes: { items: sizeProduct(step.domain), rows, checked: step.checked ? 1 : 0 } };
  },

  schedule({ items = 0, rows = 0, checked = 0 }) {
    const write = { kernel: 0, items, work: 8 };
    if (checked === 0) return [write];
    return [{ kernel: 1, items: rows, work: 2 }, { kernel: 2, items, work: 8 }, { kernel: 3, items, work: 8 }, write];
  },
};

function writeRows(step: ScatterStep): Kernel {
  const writer = new KernelWriter();
  const space = new Space(writer, step.domain, 'item');
  const element = sourceElement(step.values);
  const row = readSource(writer, step.indices, space.address(sourceBase(writer, step.indices), step.indices.strides));
  const value = readSource(writer, step.values, space.address(sourceBase(writer, step.values), step.values.strides));
  const to = `${space.address(writer.place(step.target), step.target.strides)} + row * ${writer.size(step.rowStride)}`;
  return writer.finish([
    ...space.declarations(),
    `let row = ${row};`,
    `if (row >= 0 && row < ${writer.size(step.rows)}) { ${writer.store(element, to, value)} }`,
  ]);
}

function clear(scratch: number): Kernel {
  const writer = new KernelWriter();
  return writer.finish([writer.store('int', `${writer.place({ buffer: scratch, offset: 0 })} + item`, `${none}i`)]);
}

/** First round: the least element of each row. Second round: whoever is not it stands in a row that is taken. */
function claim(step: ScatterStep, second: boolean): Kernel {
  const writer = new KernelWriter(true);
  const space = new Space(writer, step.domain, 'item');
  const row = readSource(writer, step.indices, space.address(sourceBase(writer, step.indices), step.indices.strides));
  // A row is claimed once, by the element of its first trailing point.
  const trailing = step.domain
    .map((size, axis) => (axis > step.axis && size !== 1 ? space.coordinate(axis) : ''))
    .filter((coordinate) => coordinate !== '');
  const batch = step.domain
    .slice(0, step.axis)
    .reduce<string>((sum, size, axis) => `(${sum}) * ${writer.size(size)} + ${space.coordinate(axis)}`, '0');
  const scratch = writer.place({ buffer: step.checked?.scratch ?? 0, offset: 0 });
  const place = `arena[${scratch} + (${batch}) * ${writer.size(step.rows)} + row]`;
  const isFirst = ['row >= 0', `row < ${writer.size(step.rows)}`, ...trailing.map((i) => `${i} == 0`)].join(' && ');
  const act = second
    ? `if (atomicLoad(&${place}) != u32(item)) { ${writer.fault('item')} }`
    : `atomicMin(&${place}, u32(item));`;
  return writer.finish([...space.declarations(), `let row = ${row};`, `if (${isFirst}) { ${act} }`]);
}
