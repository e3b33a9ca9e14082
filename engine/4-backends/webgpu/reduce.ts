/**
 * Reduce along an axis, in a fixed order.
 *
 * A short axis is one thread's work. A long one is cut into chunks; each lane of a workgroup combines its share, a tree
 * joins the lanes' results in their order, and the chunks' results are reduced in the same way until one is left.
 * Lanes and chunks without elements take no part. A result with a join in doubt (joins.ts) is formed once more, by one
 * thread: a kernel that does nothing for the others.
 */
import { sizeProduct } from '../../0-ir/sizes.ts';
import { withoutAxis } from '../../0-ir/types.ts';
import type { ReduceStep } from '../../3-plan/plan.ts';
import { functionWork } from './cost.ts';
import { declareDoubt, mayBeInDoubt } from './combine/joins.ts';
import { KernelWriter } from './wgsl/kernel-writer.ts';
import type { Dispatch, GeneratedStep, Kernel, KernelFamily } from './module.ts';
import { againDispatches } from './scan.ts';
import { Space } from './wgsl/space.ts';
import { aheadOf, declareTile, runOf, severalAtOnce } from './combine/tile.ts';
import { cooperatingLanes, elementsAlong, Tuple } from './combine/tuple.ts';

/** Elements of a lane, where the order of the elements does not matter; elsewhere a tile's run (tile.ts). */
const share = 16;
/** From this length on an axis is cut into chunks. A rounding error grows with share + log₂ of the length then. */
const long = 128;

export const reduce: KernelFamily<ReduceStep> = {
  generate: (step) => generateReduce(step),

  // The chunks' results of even and of odd levels; whether a result is in doubt, and what it carries from part to part.
  scratch: ({ items = 0, length = 0, arity = 1, chunk = 1, doubt = 0 }) => {
    if (length < long) return [0, 0, 0, 0];
    const chunks = Math.ceil(length / chunk);
    return [
      chunks > 1 ? items * chunks * arity : 0,
      chunks > chunk ? items * Math.ceil(chunks / chunk) * arity : 0,
      items * doubt,
      items * arity * doubt,
    ];
  },

  schedule({ items = 0, length = 0, chunk = 1, work = 1, doubt = 0 }) {
    if (length < long) return [{ kernel: 0, items, work: work * length + 2 }];
    const dispatches: Dispatch[] = doubt ? [{ kernel: 2, items, work: 1, again: true }] : [];
    for (let level = 0, count = length; level === 0 || count > 1; level++) {
      const chunks = Math.ceil(count / chunk);
      const each = work * Math.min(count, chunk);
      dispatches.push({ kernel: 1, items: items * chunks, work: each, words: [level, count, chunks] });
      count = chunks;
    }
    return doubt ? [...dispatches, ...againDispatches(3, items, length)] : dispatches;
  },
};

/** `lanes`: threads that share a chunk. */
export function generateReduce(
  step: ReduceStep,
  lanes = cooperatingLanes(2 * step.operator.neutral.length),
): GeneratedStep {
  const shape = withoutAxis(step.domain, step.axis);
  return {
    kernels: [
      sequential(step, false),
      together(step, lanes),
      ...(mayBeInDoubt(step.operator) ? [clearDoubt(), sequential(step, true)] : []),
    ],
    sizes: {
      doubt: mayBeInDoubt(step.operator) ? 1 : 0,
      items: sizeProduct(shape),
      length: step.domain[step.axis]!,
      arity: step.operator.neutral.length,
      chunk: lanes * shareOf(step, lanes),
      work: functionWork(step.prologue) + functionWork(step.operator.combine) + 2 * step.inputs.length,
    },
  };
}

function shareOf({ operator }: ReduceStep, lanes: number): number {
  const words = operator.neutral.length;
  return operator.commutative ? share : runOf(lanes, words, words);
}

function clearDoubt(): Kernel {
  const writer = new KernelWriter();
  return writer.finish([`arena[${writer.scratch(2)} + item] = 0u;`]);
}

/** A thread for each result; `again`: for each that is in doubt, and of its axis from word 0 to word 1. */
function sequential(step: ReduceStep, again: boolean): Kernel {
  const writer = new KernelWriter();
  const shape = withoutAxis(step.domain, step.axis);
  const space = new Space(writer, shape, 'item');
  const tuple = new Tuple(writer, step.operator);
  const elements = elementsAlong(tuple, writer, space, step.axis, step.inputs, step.prologue);
  const places = step.outputs.map((output) => space.address(writer.place(output), output.strides));
  const length = writer.size(step.domain[step.axis]!);
  const [from, to] = again ? [writer.word(0), writer.word(1)] : ['0', length];
  const carried = again ? tuple.packed(`${writer.scratch(3)} + item`, writer.size(sizeProduct(shape))) : [];
  return writer.finish([
    ...(again ? [`if (arena[${writer.scratch(2)} + item] == 0u) { return; }`] : []),
    ...space.declarations(),
    ...elements.declarations,
    `var sum = ${tuple.neutral};`,
    ...(again ? [`if (${from} > 0) { sum = ${tuple.load(carried)}; }`] : []),
    `for (var at = ${from}; at < ${to}; at++) {`,
    `  let value = ${elements.call('at')};`,
    '  if (at == 0) { sum = value; } else { sum = combine(sum, value); }',
    '}',
    ...(again ? [`if (${to} < ${length}) { ${tuple.store(carried, 'sum').join(' ')} return; }`] : []),
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
  writer.declare(`var<workgroup> shared_sums: array<Tuple, ${lanes}>;`);
  const doubt = mayBeInDoubt(step.operator);
  if (doubt) declareDoubt(writer, step.operator);
  const ifInDoubt = (parts: string): string[] =>
    doubt ? [`if (in_doubt(${parts})) { arena[${writer.scratch(2)} + result] = 1u; ${writer.doubt()} }`] : [];
  const [even, odd] = [writer.scratch(0), writer.scratch(1)];
  const each = shareOf(step, lanes);
  const bases = step.inputs.map((_, i) => `x${i}`);
  writer.declare(`fn part(${['at', 'partial', ...bases].map((name) => `${name}: i32`).join(', ')}) -> Tuple {
  if (${level} == 0) { return ${elements.call('at')}; }
  return ${tuple.load(tuple.packed('partial + at', `(${results} * ${count})`))};
}`);
  const read = (at: string): string => `part(${[at, 'partial', ...bases].join(', ')})`;
  const ahead = aheadOf(step.operator.neutral.length, functionWork(step.prologue) + 2 * step.inputs.length);
  const combine = (value: string, isFirst: string): string[] => [
    `if (${isFirst}) { sum = ${value}; } else {`,
    `  let joined = combine(sum, ${value});`,
    ...(doubt ? [`  if (${level} > 0) { ${ifInDoubt(`sum, ${value}, joined`).join('')} }`] : []),
    '  sum = joined;',
    '}',
  ];
  const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);
  const strided = (): string[] => [
    ...severalAtOnce(lanes, ahead, {
      read: (at, k) => [`let value${k} = ${read(at)};`],
      use: (_, k) => combine(`value${k}`, k === 0 ? 'at == start + lane' : 'false'),
    }),
    `let busy = min(end - start, ${lanes});`,
  ];
  const inOrder = (): string[] => {
    const tile = declareTile(writer, lanes, each, ahead);
    return [
      ...tile.bring([{ value: read, to: tile.at }]),
      'for (var i = first; i < stop; i++) {',
      ...indented([`let value = ${tile.at('i')};`, ...combine('value', 'i == first')]),
      '}',
      `let busy = (end - start + ${each - 1}) / ${each};`,
    ];
  };
  return writer.finish(
    [
      `let result = item / ${chunks};`,
      ...space.declarations(),
      ...elements.declarations,
      `let start = (item % ${chunks}) * ${lanes * each};`,
      `let end = min(start + ${lanes * each}, ${count});`,
      `let partial = select(${odd}, ${even}, (${level} & 1) == 1) + result * ${count};`,
      'var sum: Tuple;',
      ...(step.operator.commutative ? strided() : inOrder()),
      'shared_sums[lane] = sum;',
      `for (var apart = 1; apart < ${lanes}; apart *= 2) {`,
      '  workgroupBarrier();',
      '  if ((lane & (2 * apart - 1)) == 0 && lane + apart < busy) {',
      '    let joined = combine(shared_sums[lane], shared_sums[lane + apart]);',
      ...ifInDoubt('shared_sums[lane], shared_sums[lane + apart], joined').map((line) => `    ${line}`),
      '    shared_sums[lane] = joined;',
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
