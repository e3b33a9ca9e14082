/**
 * Scan along an axis, exclusive or inclusive, with or without segments, in a fixed order.
 *
 * A short axis is one thread's work. A long one is cut into chunks (reduce, then scan): the chunks' totals, the exclusive
 * scan of the totals, and each chunk's own scan from what it carries in. A partial result is nothing, or a value; and a
 * value may have begun with its segment, so that what is left of it does not matter. An item with a join in doubt is
 * scanned once more, by one thread: a kernel that does nothing for the others.
 */
import { resultTypes } from '../../0-ir/scalar.ts';
import { sizeProduct } from '../../0-ir/sizes.ts';
import { withoutAxis } from '../../0-ir/types.ts';
import type { Access, ScanStep } from '../../3-plan/plan.ts';
import { functionWork } from './cost.ts';
import { mayBeInDoubt } from './combine/joins.ts';
import { KernelWriter, readSource } from './wgsl/kernel-writer.ts';
import type { Dispatch, GeneratedStep, Kernel, KernelFamily, SizeValues } from './module.ts';
import { declarePartials, inclusiveLanes, loadPartial, storePartial } from './combine/partial.ts';
import { Space } from './wgsl/space.ts';
import { carriedKernels, carriedSchedule, groupCount } from './combine/carried.ts';
import { aheadOf, declareTile, runOf } from './combine/tile.ts';
import { cooperatingLanes, elementsAlong, outputsAlong, placeAlong, Tuple } from './combine/tuple.ts';

/** From this length on an axis is cut into chunks … */
const long = 512;
/** … unless there are results enough to keep the threads busy; then one pass is cheaper than three. */
const many = 16384;
/** Chunks that keep a GPU busy: where there are more tiles, a chunk takes several, and the scan of the totals is shorter … */
const busyChunks = 8192;
/** … up to so many. */
const mostTiles = 64;
/** Elements that a dispatch goes through where one thread has an axis to itself: a GPU must not seem to hang. */
export const sequentialPart = 2 ** 16;

export const scan: KernelFamily<ScanStep> = {
  generate: (step) => generateScan(step),

  // The chunks' totals, which become what they carry in; whether an item is in doubt, and what it carries from part to part;
  // the totals of groups of chunks, and what those begin with.
  scratch(sizes) {
    const { items = 0, length = 0, arity = 1, lanes = 1, doubt = 0 } = sizes;
    if (!isLong(items, length)) return [0, 0, 0, 0, 0];
    const chunks = Math.ceil(length / chunkOf(sizes));
    const ofGroups = items * groupCount(chunks, lanes) * (arity + 1);
    return [items * chunks * (arity + 1), items * doubt, items * (arity + 1) * doubt, ofGroups, ofGroups];
  },

  schedule(sizes) {
    const { items = 0, length = 0, work = 1, lanes = 1, doubt = 0 } = sizes;
    if (!isLong(items, length)) return [{ kernel: 0, items: length > 0 ? items : 0, work: work * length }];
    const chunk = chunkOf(sizes);
    const chunks = Math.ceil(length / chunk);
    const each = work * Math.min(length, chunk);
    const words = [chunks, chunk, 0] as const;
    return [
      { kernel: 1, items: items * chunks, work: each, words },
      ...carriedSchedule(3, items, chunks, lanes, work),
      { kernel: 2, items: items * chunks, work: 2 * each, words },
      ...(doubt ? againDispatches(7, items, length) : []),
    ];
  },
};

/** Elements of a chunk: by the sizes alone, so that every device combines in the same order. */
function chunkOf({ items = 0, length = 0, tile = 1 }: SizeValues): number {
  const tiles = Math.floor((items * length) / (tile * busyChunks));
  return tile * Math.min(Math.max(tiles, 1), mostTiles);
}

/** Of the chunks, which carry in what takes their totals' place, and of groups of them. */
const areas = { parts: { totals: 0, left: 0 }, groups: { totals: 3, left: 4 } };

/** `lanes`: threads that share a chunk. */
export function generateScan(
  step: ScanStep,
  lanes = cooperatingLanes(2 * step.operator.neutral.length + 2),
): GeneratedStep {
  const arity = step.operator.neutral.length;
  return {
    kernels: [
      sequential(step, false),
      totals(step, lanes),
      apply(step, lanes),
      ...carriedKernels(step, step.operator, areas, lanes),
      ...(mayBeInDoubt(step.operator) ? [sequential(step, true)] : []),
    ],
    sizes: {
      doubt: mayBeInDoubt(step.operator) ? 1 : 0,
      items: sizeProduct(withoutAxis(step.domain, step.axis)),
      length: step.domain[step.axis]!,
      arity,
      lanes,
      tile: lanes * scanRun(step, lanes),
      work:
        functionWork(step.prologue) +
        functionWork(step.operator.combine) +
        functionWork(step.epilogue?.function) +
        3 * (step.inputs.length + (step.epilogue?.inputs.length ?? 0) + arity),
    },
  };
}

/** A thread goes through an axis part by part. */
export function partByPart(kernel: number, items: number, length: number): Dispatch[] {
  return Array.from({ length: Math.ceil(length / sequentialPart) }, (_, part) => {
    const [from, to] = [part * sequentialPart, Math.min((part + 1) * sequentialPart, length)];
    return { kernel, items, work: to - from, words: [from, to, 0] };
  });
}

/** The same for items in doubt. */
export function againDispatches(kernel: number, items: number, length: number): Dispatch[] {
  return partByPart(kernel, items, length).map((dispatch) => ({ ...dispatch, again: true }));
}

/** Whether an axis is cut into chunks. */
export function isLong(items: number, length: number): boolean {
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
    length: writer.size(step.domain[step.axis]!),
    declarations: () => [
      ...space.declarations(),
      ...elements.declarations,
      ...(flagPlace === undefined ? [] : [`let flags = ${flagPlace};`]),
    ],
    flagAt: (at: string) =>
      flags && readSource(writer, flags, `flags + ${at} * ${writer.size(flags.strides[step.axis]!)}`),
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
        readSource(writer, input, `z${i} + ${at} * ${writer.size(input.strides[axis]!)}`),
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

/** A lane's run beside its partial; flags lie apart. */
function scanRun({ operator, flags }: ScanStep, lanes: number): number {
  const arity = operator.neutral.length;
  return runOf(lanes, arity + (flags ? 1 : 0), arity + 1);
}

/** What `totals` and `apply` have in common: a chunk tile by tile, and in each the inclusive scan of the lanes' partials. */
function beginChunks(step: ScanStep, lanes: number) {
  const begun = begin(step, 'result');
  const { writer, elements, length, declarations, flagAt } = begun;
  declarePartials(writer, step.operator, lanes);
  const { operator, prologue, inputs } = step;
  const ahead = aheadOf(operator.neutral.length, functionWork(prologue) + 2 * inputs.length);
  const tile = declareTile(writer, lanes, scanRun(step, lanes), ahead);
  const flag = flagAt('at');
  if (flag) writer.declare(`var<workgroup> tile_begins: array<bool, ${tile.length}>;`);
  const [chunks, chunkLength] = [writer.word(0), writer.word(1)];
  return {
    ...begun,
    tile,
    beginning: [
      `let result = item / ${chunks};`,
      `let chunk = item % ${chunks};`,
      ...declarations(),
      `let chunk_end = min((chunk + 1) * ${chunkLength}, ${length});`,
    ],
    /** Each tile's partials stand in `shared_partials` when `lines` come to it. */
    eachTile: (lines: readonly string[]): string[] => [
      `for (var start = chunk * ${chunkLength}; start < chunk_end; start += ${tile.length}) {`,
      ...[
        `let end = min(start + ${tile.length}, chunk_end);`,
        ...tile.bring([
          { value: elements.call, to: tile.at },
          ...(flag ? [{ value: (at: string) => flagAt(`(${at})`)!, to: (i: string) => `tile_begins[${i}]` }] : []),
        ]),
        'var own = Partial();',
        'for (var i = first; i < stop; i++) {',
        `  own = append(own, Partial(${tile.at('i')}, ${flag ? 'select(filled, filled | anew, tile_begins[i])' : 'filled'}));`,
        '}',
        ...inclusiveLanes(lanes),
        ...lines,
        'workgroupBarrier();',
      ].map((line) => `  ${line}`),
      '}',
    ],
  };
}

/** A workgroup for each chunk; words: the chunks of a result, the elements of a chunk. */
function totals(step: ScanStep, lanes: number): Kernel {
  const { writer, tuple, beginning, eachTile } = beginChunks(step, lanes);
  return writer.finish(
    [
      ...beginning,
      ...(mayBeInDoubt(step.operator) ? [`if (chunk == 0) { arena[${writer.scratch(1)} + result] = 0u; }`] : []),
      'var total = Partial();',
      ...eachTile([`total = join(total, shared_partials[${lanes - 1}]);`]),
      `if (lane == 0) { ${storePartial(writer, tuple, step, 'item', 'total').join(' ')} }`,
    ],
    lanes,
  );
}

/** A workgroup for each chunk: from the carry and the lanes to the left, each lane's elements one after the other. */
function apply(step: ScanStep, lanes: number): Kernel {
  const { writer, tuple, tile, writes, beginning, eachTile } = beginChunks(step, lanes);
  const { declarations: outputDeclarations, store } = writes();
  const { exclusive, flags, operator } = step;
  return writer.finish(
    [
      ...beginning,
      ...outputDeclarations,
      `var carry = ${loadPartial(writer, tuple, step, 'item')};`,
      ...eachTile([
        'var sum = carry;',
        'if (lane > 0) { sum = join(carry, shared_partials[lane - 1]); }',
        ...(mayBeInDoubt(operator)
          ? [
              `if ((sum.state & doubtful) != 0u && first < stop) { arena[${writer.scratch(1)} + result] = 1u; ${writer.doubt()} }`,
            ]
          : []),
        'for (var i = first; i < stop; i++) {',
        ...(flags ? ['  if (tile_begins[i]) { sum.state = 0u; }'] : []),
        `  let value = ${tile.at('i')};`,
        ...(exclusive
          ? [`  if (sum.state == 0u) { sum.value = ${tuple.neutral}; }`, `  ${tile.at('i')} = sum.value;`]
          : []),
        '  if (sum.state == 0u) { sum.value = value; } else { sum.value = combine(sum.value, value); }',
        '  sum.state = filled;',
        ...(exclusive ? [] : [`  ${tile.at('i')} = sum.value;`]),
        '}',
        `carry = join(carry, shared_partials[${lanes - 1}]);`,
        'workgroupBarrier();',
        `for (var at = start + lane; at < end; at += ${lanes}) {`,
        '  let i = at - start;',
        `  let shown = ${tile.at('i')};`,
        ...store('at', 'shown').map((line) => `  ${line}`),
        '}',
      ]),
    ],
    lanes,
  );
}
