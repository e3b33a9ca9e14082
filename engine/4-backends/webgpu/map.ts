/** outputs[k][point] = function(inputs[…][point])[k], a thread for each point. */
import { resultTypes } from '../../0-ir/scalar.ts';
import type { MapStep } from '../../3-plan/plan.ts';
import { functionWork } from './cost.ts';
import { KernelWriter } from './wgsl/kernel-writer.ts';
import type { KernelFamily } from './module.ts';
import { evaluated } from './wgsl/reads.ts';
import { Space } from './wgsl/space.ts';

export const map: KernelFamily<MapStep> = {
  generate(step) {
    const writer = new KernelWriter();
    const space = new Space(writer, step.domain, 'item');
    const { lines, results } = evaluated(writer, space, step.function, step.inputs);
    const types = resultTypes(step.function);
    const values = results.map((value, k) => ({ type: types[k] ?? 'real', value }));
    const places = step.outputs.map((output) => space.address(writer.place(output), output.strides));
    const stores = (made: readonly string[]): string[] =>
      step.outputs.map((_, k) => writer.store(types[k] ?? 'real', places[k]!, made[k]!));
    const work = functionWork(step.function) + 2 * (step.inputs.length + step.outputs.length);
    const kernel = writer.finishPoints(space.declarations(), lines, values, stores, work);
    return { kernels: [kernel], sizes: { items: space.count, work } };
  },

  schedule: ({ items = 0, work = 1 }) => [{ kernel: 0, items, work }],
};
