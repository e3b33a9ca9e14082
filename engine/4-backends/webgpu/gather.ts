/** output[point] = from[row indices[point]], a thread for each point. The range is tested before the row is used. */
import type { GatherStep } from '../../3-plan/plan.ts';
import { KernelWriter, readSource, sourceBase } from './wgsl/kernel-writer.ts';
import type { KernelFamily } from './module.ts';
import { Space } from './wgsl/space.ts';

/** Scalar operations for a point. */
const work = 8;

export const gather: KernelFamily<GatherStep> = {
  generate(step) {
    const writer = new KernelWriter();
    const space = new Space(writer, step.domain, 'item');
    const row = readSource(writer, step.indices, space.address(sourceBase(writer, step.indices), step.indices.strides));
    const from = `${space.address(writer.place(step.from), step.from.strides)} + row * ${writer.size(step.rowStride)}`;
    const to = space.address(writer.place(step.output), step.output.strides);
    const absent = writer.literal(step.element, step.outside === 'nan' ? NaN : 0);
    const lines = [
      `let row = ${row};`,
      `var value = ${absent};`,
      `if (row >= 0 && row < ${writer.size(step.rows)}) { value = ${writer.load(step.element, from)}; }`,
      ...(step.outside === 'fault' ? [`else { ${writer.fault('item')} }`] : []),
    ];
    const stores = ([value = '']: readonly string[]): string[] => [writer.store(step.element, to, value)];
    const values = [{ type: step.element, value: 'value' }];
    const kernel = writer.finishPoints(space.declarations(), lines, values, stores, work);
    return { kernels: [kernel], sizes: { items: space.count } };
  },

  schedule: ({ items = 0 }) => [{ kernel: 0, items, work }],
};
