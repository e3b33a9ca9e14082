/**
 * Scan along an axis, exclusive or inclusive, with or without segments, in a fixed order.
 *
 * A short axis is one thread's work. A long one is cut into chunks (reduce, then scan): the chunks' totals, the exclusive
 * scan of the totals, and each chunk's own scan from what it carries in. A partial result is nothing, or a value; and a
 * value may have begun with its segment, so that what is left of it does not matter. An item with a join in doubt is
 * scanned once more, by one thread: a kernel that does nothing for the others.
 */
import { resultTypes } from '../../0-ir/scalar.ts';
import { sizeProduct, type Size } from '../../0-ir/sizes.ts';
import { withoutAxis } from '../../0-ir/types.ts';
import type { Access, ScanStep } from '../../3-plan/plan.ts';
import { functionWork } from './cost.ts';
import { mayBeInDoubt } from './joins.ts';
import { KernelWriter, readSource } from './kernel-writer.ts';
import type { Dispatch, GeneratedStep, Kernel, KernelFamily } from './module.ts';
import { declarePartials, inclusiveLanes, loadPartial, storePartial } from './partial.ts';
import { Space } from './space.ts';
import { cooperatingLanes, elementsAlong, outputsAlong, placeAlong, Tuple } from './tuple.ts';

/** Elements of a lane. */
const share = 16;
/** From this length on an axis is cut into chunks … */
const long = 512;
/** … unless there are results enough to keep the threads busy; then one pass is cheaper than three. */
const many = 16384;
/** Elements that a dispatch goes through where one thread has an axis to itself: a GPU must not seem to hang. */
export const sequentialPart = 2 ** 16;

export const scan: KernelFamily<ScanStep> = {
  generate: (step) => generateScan(step),

  // The chunks' partials; whether an item is in doubt, and what it carries from part to part.
  scratch: ({ items = 0, length = 0, arity = 1, chunk = 1, doubt = 0 }) =>
    isLong(items, length)
      ? [items * Math.ceil(length / chunk) * (arity + 1), items * doubt, items * (arity + 1) * doubt]
      : [0, 0, 0],

  schedule({ items = 0, length = 0, chunk = 1, work = 1, doubt = 0 }) {
    if (!isLong(items, length)) return [{ kernel: 0, items: length > 0 ? items : 0, work: work * length }];
    const chunks = Math.ceil(length / chunk);
    const each = work * Math.min(length, chunk);
    const words = [chunks, 0, 0] as const;
    return [
      { kernel: 1, items: items * chunks, work: each, words },
      { kernel: 2, items, work: chunks * work, words },
      { kernel: 3, items: items * chunks, work: 2 * each, words },
      ...(doubt ? againDispatches(4, items, length) : []),
    ];
  },
};

/** `lanes`: threads that share a chunk. */
export function generateScan(
  step: ScanStep,
  lanes = cooperatingLanes(step.operator.neutral.length + 1),
): GeneratedStep {
  const arity = step.operator.neutral.length;
  return {
    kernels: [
      sequential(step, false),
      totals(step, lanes),
      carries(step, lanes),
      apply(step, lanes),
      ...(mayBeInDoubt(step.operator) ? [sequential(step, true)] : []),
    ],
    sizes: {
      doubt: mayBeInDoubt(step.operator) ? 1 : 0,
      items: sizeProduct(withoutAxis(step.domain, step.axis)),
      length: step.domain[step.axis] as Size,
      arity,
      chunk: lanes * share,
      work:
        functionWork(step.prologue) +
        functionWork(step.operator.combine) +
        functionWork(step.epilogue?.function) +
        3 * (step.inputs.length + (step.epilogue?.inputs.length ?? 0) + arity),
    },
  };
}

/** What goes through an axis part by part, mostly to find that it need not: hardly any work. */
export function againDispatches(kernel: number, items: number, length: number): Dispatch[] {
  return Array.from({ length: Math.ceil(length / sequentialPart) }, (_, part) => {
    const [from, to] = [part * sequentialPart, Math.min((part + 1) * sequentialPart, length)];
    return { kernel, items, work: to - from, words: [from, to, 0] };
  });
}

function isLong(items: number, length: number): boolean {
  return length >= long && items < many;
}

/** What the kernels of a scan have in common. `result` is the i32 variable that counts the points without the axis. */
function begin(step: ScanStep, result: string) {
  const writer = new KernelWriter();
  const space = new Space(writer, withoutAxis(step.domain, step.axis), result);
  const tuple = new Tuple(writer, step.operator);
  const elements = elementsAlong(tuple, writer, space, step.axis, step.inputs, step.prologue);
  const { flags } = step;
  const flagPlace = flags && placeAlong(writer, space, step.axis, flags);
  return {
    writer,
    tuple,
    space,
    elements,
    writes: () => writesAlong(writer, tuple, space, step),
    length: writer.size(step.domain[step.axis] as Size),
    declarations: () => [
      ...space.declarations(),
      ...elements.declarations,
      ...(flagPlace === undefined ? [] : [`let flags = ${flagPlace};`]),
    ],
    flagAt: (at: string) =>
      flags && readSource(writer, flags, `flags + ${at} * ${writer.size(flags.strides[step.axis] as Size)}`),
  };
}

/** What writes a tuple, or what the epilogue makes of it, at a position along the axis. */
export function writesAlong(
  writer: KernelWriter,
  tuple: Tuple,
  space: Space,
  { axis, outputs, epilogue }: Pick<ScanStep, 'axis' | 'epilogue'> & { readonly outputs: readonly (Access | null)[] },
) {
  const { declarations, places } = outputsAlong(writer, space, axis, outputs);
  const ofWanted = (statements: readonly string[]): string[] => statements.filter((_, i) => outputs[i]);
  if (!epilogue)
    return { declarations, store: (at: string, value: string) => ofWanted(tuple.store(places(at), value)) };
  const call = writer.function('epilogue', epilogue.function);
  const types = resultTypes(epilogue.function);
  const begins = epilogue.inputs.map((input, i) => `let z${i} = ${placeAlong(writer, space, axis, input)};`);
  return {
    declarations: [...declarations, ...begins],
    store(at: string, value: string): string[] {
      const operands = epilogue.inputs.map((input, i) =>
        readSource(writer, input, `z${i} + ${at} * ${writer.size(input.strides[axis] as Size)}`),
      );
      const result = call([...tuple.types.map((_, i) => `${value}.c${i}`), ...operands]);
      const written = ofWanted(
        types.map((type, i) => writer.store(type, places(at)[i] ?? '', types.length === 1 ? 'made' : `made.r${i}`)),
      );
      return ['{', `let made = ${result};`, ...written, '}'];
    },
  };
}

/** A thread for each result; `again`: for each that is in doubt, and of its axis from word 0 to word 1. */
function sequential(step: ScanStep, again: boolean): Kernel {
  const { writer, tuple, elements, writes, length, declarations, flagAt } = begin(step, 'item');
  const { declarations: outputDeclarations, store } = writes();
  const flag = flagAt('at');
  const [from, to] = again ? [writer.word(0), writer.word(1)] : ['0', length];
  const items = writer.size(sizeProduct(withoutAxis(step.domain, step.axis)));
  const carried = again ? `${writer.scratch(2)} + item` : '';
  const places = tuple.packed(`${carried} + ${items}`, items);
  return writer.finish([
    ...(again ? [`if (arena[${writer.scratch(1)} + item] == 0u) { return; }`] : []),
    ...declarations(),
    ...outputDeclarations,
    'var sum: Tuple;',
    'var empty = true;',
    ...(again ? [`if (${from} > 0) { sum = ${tuple.load(places)}; empty = arena[${carried}] == 0u; }`] : []),
    `for (var at = ${from}; at < ${to}; at++) {`,
    ...(flag ? [`  if (${flag}) { empty = true; }`] : []),
    `  let value = ${elements.call('at')};`,
    ...(step.exclusive ? [`  if (empty) { sum = ${tuple.neutral}; }`, ...store('at', 'sum')] : []),
    '  if (empty) { sum = value; } else { sum = combine(sum, value); }',
    '  empty = false;',
    ...(step.exclusive ? [] : store('at', 'sum')),
    '}',
    ...(again ? [...tuple.store(places, 'sum'), `arena[${carried}] = select(1u, 0u, empty);`] : []),
  ]);
}

/** The partial of a lane's elements in its chunk, and the inclusive scan of the lanes' partials in `shared_partials`. */
function chunkText(
  elements: { call: (at: string) => string },
  flag: string | undefined,
  length: string,
  lanes: number,
) {
  return [
    `let first = chunk * ${lanes * share} + lane * ${share};`,
    `let stop = min(first + ${share}, ${length});`,
    'var own: Partial;',
    'for (var at = first; at < stop; at++) {',
    `  own = append(own, Partial(${elements.call('at')}, ${flag ? `select(filled, filled | anew, ${flag})` : 'filled'}));`,
    '}',
    ...inclusiveLanes(lanes),
  ];
}

/** A workgroup for each chunk; word 0: the chunks of a result. */
function totals(step: ScanStep, lanes: number): Kernel {
  const { writer, tuple, elements, length, declarations, flagAt } = begin(step, 'result');
  declarePartials(writer, step.operator, lanes);
  const chunk = chunkText(elements, flagAt('at'), length, lanes);
  return writer.finish(
    [
      `let result = item / ${writer.word(0)};`,
      `let chunk = item % ${writer.word(0)};`,
      ...declarations(),
      ...(mayBeInDoubt(step.operator) ? [`if (chunk == 0) { arena[${writer.scratch(1)} + result] = 0u; }`] : []),
      ...chunk,
      `if (lane == ${lanes - 1}) { ${storePartial(writer, tuple, step, 'item', 'shared_partials[lane]').join(' ')} }`,
    ],
    lanes,
  );
}

/** A workgroup for each result: totals become what each chunk carries in, so many chunks at a time. */
function carries(step: ScanStep, lanes: number): Kernel {
  const writer = new KernelWriter();
  const tuple = new Tuple(writer, step.operator);
  declarePartials(writer, step.operator, lanes);
  const chunks = writer.word(0);
  return writer.finish(
    [
      'var carry: Partial;',
      `for (var start = 0; start < ${chunks}; start += ${lanes}) {`,
      `  let at = item * ${chunks} + start + lane;`,
      '  var own: Partial;',
      `  if (start + lane < ${chunks}) { own = ${loadPartial(writer, tuple, step, 'at')}; }`,
      ...inclusiveLanes(lanes).map((line) => `  ${line}`),
      '  var left = carry;',
      '  if (lane > 0) { left = join(carry, shared_partials[lane - 1]); }',
      `  if (start + lane < ${chunks}) { ${storePartial(writer, tuple, step, 'at', 'left').join(' ')} }`,
      `  carry = join(carry, shared_partials[${lanes - 1}]);`,
      '  workgroupBarrier();',
      '}',
    ],
    lanes,
  );
}

/** A workgroup for each chunk: from the carry and the lanes to the left, each lane's elements one after the other. */
function apply(step: ScanStep, lanes: number): Kernel {
  const { writer, tuple, elements, writes, length, declarations, flagAt } = begin(step, 'result');
  const { declarations: outputDeclarations, store } = writes();
  declarePartials(writer, step.operator, lanes);
  const flag = flagAt('at');
  const chunk = chunkText(elements, flag, length, lanes);
  return writer.finish(
    [
      `let result = item / ${writer.word(0)};`,
      `let chunk = item % ${writer.word(0)};`,
      ...declarations(),
      ...outputDeclarations,
      ...chunk,
      `var sum = ${loadPartial(writer, tuple, step, 'item')};`,
      'if (lane > 0) { sum = join(sum, shared_partials[lane - 1]); }',
      ...(mayBeInDoubt(step.operator)
        ? [`if ((sum.state & doubtful) != 0u && first < stop) { arena[${writer.scratch(1)} + result] = 1u; }`]
        : []),
      'for (var at = first; at < stop; at++) {',
      ...(flag ? [`  let begins = ${flag};`, '  if (begins) { sum.state = 0u; }'] : []),
      `  let value = ${elements.call('at')};`,
      ...(step.exclusive
        ? [`  if (sum.state == 0u) { sum.value = ${tuple.neutral}; }`, ...store('at', 'sum.value')]
        : []),
      '  if (sum.state == 0u) { sum.value = value; } else { sum.value = combine(sum.value, value); }',
      '  sum.state = filled;',
      ...(step.exclusive ? [] : store('at', 'sum.value')),
      '}',
    ],
    lanes,
  );
}
