/**
 * Reduce along an axis, in a fixed order.
 *
 * A short axis is one thread's work. A long one is cut into chunks; each lane of a workgroup combines its share, a tree
 * joins the lanes' results in their order, and the chunks' results are reduced in the same way until one is left.
 * Lanes and chunks without elements take no part.
 */
import { sizeProduct, type Size } from '../../0-ir/sizes.ts';
import { withoutAxis } from '../../0-ir/types.ts';
import type { ReduceStep } from '../../3-plan/plan.ts';
import { functionWork } from './cost.ts';
import { KernelWriter } from './kernel-writer.ts';
import type { Dispatch, GeneratedStep, Kernel, KernelFamily } from './module.ts';
import { Space } from './space.ts';
import { cooperatingLanes, elementsAlong, Tuple } from './tuple.ts';

/** Elements of a lane. */
const share = 16;
/** From this length on an axis is cut into chunks. A rounding error grows with share + log₂ of the length then. */
const long = 128;

export const reduce: KernelFamily<ReduceStep> = {
  generate: (step) => generateReduce(step),

  scratch: ({ items = 0, length = 0, arity = 1, chunk = 1 }) => {
    if (length < long) return [0, 0];
    const chunks = Math.ceil(length / chunk);
    return [chunks > 1 ? items * chunks * arity : 0, chunks > chunk ? items * Math.ceil(chunks / chunk) * arity : 0];
  },

  schedule({ items = 0, length = 0, chunk = 1, work = 1 }) {
    if (length < long) return [{ kernel: 0, items, work: work * length + 2 }];
    const dispatches: Dispatch[] = [];
    for (let level = 0, count = length; level === 0 || count > 1; level++) {
      const chunks = Math.ceil(count / chunk);
      const each = work * Math.min(count, chunk);
      dispatches.push({ kernel: 1, items: items * chunks, work: each, words: [level, count, chunks] });
      count = chunks;
    }
    return dispatches;
  },
};

/** `lanes`: threads that share a chunk. */
export function generateReduce(
  step: ReduceStep,
  lanes = cooperatingLanes(step.operator.neutral.length),
): GeneratedStep {
  const shape = withoutAxis(step.domain, step.axis);
  return {
    kernels: [alone(step), together(step, lanes)],
    sizes: {
      items: sizeProduct(shape),
      length: step.domain[step.axis] as Size,
      arity: step.operator.neutral.length,
      chunk: lanes * share,
      work: functionWork(step.prologue) + functionWork(step.operator.combine) + 2 * step.inputs.length,
    },
  };
}

/** A thread for each result. */
function alone(step: ReduceStep): Kernel {
  const writer = new KernelWriter();
  const space = new Space(writer, withoutAxis(step.domain, step.axis), 'item');
  const tuple = new Tuple(writer, step.operator);
  const elements = elementsAlong(tuple, writer, space, step.axis, step.inputs, step.prologue);
  const places = step.outputs.map((output) => space.address(writer.place(output), output.strides));
  const length = writer.size(step.domain[step.axis] as Size);
  return writer.finish([
    ...space.declarations(),
    ...elements.declarations,
    `var sum = ${tuple.neutral};`,
    `if (${length} > 0) { sum = ${elements.call('0')}; }`,
    `for (var at = 1; at < ${length}; at++) { sum = combine(sum, ${elements.call('at')}); }`,
    ...tuple.store(places, 'sum'),
  ]);
}

/** A workgroup for each chunk of each result; the words: level, elements of a result at this level, their chunks. */
function together(step: ReduceStep, lanes: number): Kernel {
  const writer = new KernelWriter();
  const shape = withoutAxis(step.domain, step.axis);
  const space = new Space(writer, shape, 'result');
  const tuple = new Tuple(writer, step.operator);
  const elements = elementsAlong(tuple, writer, space, step.axis, step.inputs, step.prologue);
  const places = step.outputs.map((output) => space.address(writer.place(output), output.strides));
  const [level, count, chunks] = [writer.word(0), writer.word(1), writer.word(2)];
  const results = writer.size(sizeProduct(shape));
  // Neighbouring lanes read neighbouring elements where the order of the elements does not matter.
  const [first, stride, stop, busy] = step.operator.commutative
    ? ['start + lane', `${lanes}`, 'end', `min(end - start, ${lanes})`]
    : [`start + lane * ${share}`, '1', `min(first + ${share}, end)`, `(end - start + ${share - 1}) / ${share}`];
  writer.declare(`var<workgroup> shared_sums: array<Tuple, ${lanes}>;`);
  const [even, odd] = [writer.scratch(0), writer.scratch(1)];
  return writer.finish(
    [
      `let result = item / ${chunks};`,
      ...space.declarations(),
      ...elements.declarations,
      `let start = (item % ${chunks}) * ${lanes * share};`,
      `let end = min(start + ${lanes * share}, ${count});`,
      `let first = ${first};`,
      `let stop = ${stop};`,
      `let partial = select(${odd}, ${even}, (${level} & 1) == 1) + result * ${count};`,
      'var sum: Tuple;',
      `for (var at = first; at < stop; at += ${stride}) {`,
      '  var value: Tuple;',
      `  if (${level} == 0) { value = ${elements.call('at')}; }`,
      `  else { value = ${tuple.load(tuple.packed('partial + at', `(${results} * ${count})`))}; }`,
      '  if (at == first) { sum = value; } else { sum = combine(sum, value); }',
      '}',
      'shared_sums[lane] = sum;',
      `let busy = ${busy};`,
      `for (var apart = 1; apart < ${lanes}; apart *= 2) {`,
      '  workgroupBarrier();',
      '  if ((lane & (2 * apart - 1)) == 0 && lane + apart < busy) {',
      '    shared_sums[lane] = combine(shared_sums[lane], shared_sums[lane + apart]);',
      '  }',
      '}',
      'if (lane == 0) {',
      '  sum = shared_sums[0];',
      `  if (${chunks} == 1) { ${tuple.store(places, 'sum').join(' ')} }`,
      '  else {',
      `    let to = select(${even}, ${odd}, (${level} & 1) == 1) + item;`,
      `    ${tuple.store(tuple.packed('to', `(${results} * ${chunks})`), 'sum').join(' ')}`,
      '  }',
      '}',
    ],
    lanes,
  );
}
