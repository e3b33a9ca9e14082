/** output[batch…, i, j] = Σₖ left[batch…, i, k] · right[batch…, k, j], a thread for each sum. */
import { sizeProduct } from '../../0-ir/sizes.ts';
import type { MatmulStep } from '../../3-plan/plan.ts';
import { KernelWriter } from './wgsl/kernel-writer.ts';
import type { KernelFamily } from './module.ts';
import { Space } from './wgsl/space.ts';

/** Terms that are summed by themselves, so that the rounding error of a long sum grows with two short ones. */
const run = 32;

export const matmul: KernelFamily<MatmulStep> = {
  generate(step) {
    const writer = new KernelWriter();
    const last = step.domain.length - 1;
    const space = new Space(writer, step.domain.slice(0, last), 'item');
    const length = writer.size(step.domain[last]!);
    const [left, right] = [step.left, step.right].map((factor) => ({
      base: space.address(writer.place(factor), factor.strides.slice(0, last)),
      stride: writer.size(factor.strides[last]!),
    }));
    const to = space.address(writer.place(step.output), step.output.strides);
    const kernel = writer.finish([
      ...space.declarations(),
      `var left = ${left?.base};`,
      `var right = ${right?.base};`,
      'var sum = 0.0;',
      `for (var k = 0; k < ${length}; k += ${run}) {`,
      '  var part = 0.0;',
      `  for (var end = min(k + ${run}, ${length}) - k; end > 0; end--) {`,
      `    part += ${writer.load('real', 'left')} * ${writer.load('real', 'right')};`,
      `    left += ${left?.stride};`,
      `    right += ${right?.stride};`,
      '  }',
      '  sum += part;',
      '}',
      writer.store('real', to, 'sum'),
    ]);
    return { kernels: [kernel], sizes: { items: sizeProduct(space.shape), length: step.domain[last]! } };
  },

  schedule: ({ items = 0, length = 0 }) => [{ kernel: 0, items, work: 6 * length + 6 }],
};
