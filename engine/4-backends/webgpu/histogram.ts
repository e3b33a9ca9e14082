/**
 * Reduce by index, in the order of the elements, for any operator: the elements of each batch and trailing point are cut
 * into chunks; each is combined into bins of its own – by a thread where the axis is short, otherwise by workgroups
 * (binned-tile.ts) –, then a thread for each bin joins the chunks' bins in their order. Bins that a chunk has not met take
 * no part; keys outside 0..bins-1 are ignored. Where a join is in doubt (joins.ts), the thread goes through the chunk's
 * elements of its bin one by one. Operators that native atomics combine, in any order with the same bits, go another way
 * (histogram-atomic.ts).
 */
import { componentTypes } from '../../0-ir/operators.ts';
import { sizeProduct, type Size } from '../../0-ir/sizes.ts';
import type { Shape } from '../../0-ir/types.ts';
import { withoutAxis } from '../../0-ir/types.ts';
import type { HistogramStep } from '../../3-plan/plan.ts';
import { atomicForm } from './histogram/atomic-form.ts';
import { beginBinned, chunkAlong, columnsOf, columnsTogether, keysAlong, type Binned } from './histogram/binned.ts';
import { binnedSweep, binnedTile } from './histogram/binned-tile.ts';
import { functionWork } from './cost.ts';
import { declareDoubt, mayBeInDoubt } from './combine/joins.ts';
import { KernelWriter, readSource, sourceBase } from './wgsl/kernel-writer.ts';
import { atomicSchedule, atomicScratch, generateAtomic } from './histogram/histogram-atomic.ts';
import type { Dispatch, GeneratedStep, Kernel, KernelFamily, SizeValues } from './module.ts';
import { Space } from './wgsl/space.ts';
import { declarePartials, inclusiveLanes } from './combine/partial.ts';
import { cooperatingLanes, elementsAlong, Tuple } from './combine/tuple.ts';

/** Chunks that are wanted, elements that one should have at least and for each of its bins, words that all bins may take. */
const wanted = {
  byThread: { chunks: 4096, share: 32, perBin: 0 },
  byWorkgroup: { chunks: 1024, share: 1024, perBin: 16 },
  fewByWorkgroup: { chunks: 4096, share: 1024, perBin: 16 },
};
const scratchWords = 2 ** 22;
/** From this length on an axis is swept by workgroups. */
const long = 128;
const blockChunks = 64;
/** From so many chunks on, and of fewer bins, the chunks of a bin are joined by a workgroup. */
const manyChunks = 64;
const fewResults = 4096;

export const histogram: KernelFamily<HistogramStep> = {
  generate(step) {
    const form = atomicForm(step.operator);
    return form ? generateAtomic(step, form) : generateOrdered(step);
  },
  scratch: (sizes) => (isAtomic(sizes) ? atomicScratch(sizes) : binWords(sizes)),
  schedule: (sizes) => (isAtomic(sizes) ? atomicSchedule(sizes) : orderedSchedule(sizes)),
};

function isAtomic({ passes = 0 }: SizeValues): boolean {
  return passes > 0;
}

function generateOrdered(step: HistogramStep): GeneratedStep {
  return {
    kernels: [
      clear(),
      accumulate(step),
      accumulateTogether(step),
      accumulateTogether(step, true),
      merge(step),
      mergeTogether(step),
    ],
    sizes: { ...binnedSizes(step), elementWork: functionWork(step.prologue) + operatorWork(step) },
  };
}

/** What the schedules of ordered histograms and keyed scans want to know, but for the work at an element. */
export function binnedSizes(step: Binned): Readonly<Record<string, Size>> {
  const { lanes, bins } = binnedTile(step.operator.neutral.length, false);
  return {
    items: sizeProduct(withoutAxis(step.domain, step.batch)),
    length: step.domain[step.batch]!,
    columns: columnsOf(step),
    bins: step.bins,
    arity: step.operator.neutral.length,
    joinWork: functionWork(step.operator.combine) + 4,
    lanes,
    capacity: bins,
    fewCapacity: binnedTile(step.operator.neutral.length, true).bins,
  };
}

export function operatorWork({ operator, inputs }: Binned): number {
  return functionWork(operator.combine) + 3 * inputs.length + 4;
}

function orderedSchedule(sizes: SizeValues): Dispatch[] {
  const { items = 0, bins = 0, joinWork = 1 } = sizes;
  const { chunks, accumulating, words } = accumulation(sizes, [0, 1, 2]);
  const results = items * bins;
  const kernel = chunks >= manyChunks && results < fewResults ? 5 : 4;
  return [...accumulating, { kernel, items: results, work: joinWork * chunks + 4, words }];
}

/** Whether bins are few enough for the kernels that take less of a workgroup's memory. */
function areFew({ length = 0, bins = 0, fewCapacity = 0 }: SizeValues): boolean {
  return length >= long && bins <= fewCapacity;
}

const capacityOf = (sizes: SizeValues): number => (areFew(sizes) ? sizes['fewCapacity'] : sizes['capacity']) ?? 1;

/**
 * The dispatches that combine each chunk into its bins: by the kernels `clear` and `accumulate`, or by `accumulateTogether`,
 * which have these numbers, the last of them for many bins, and the next for few; and one more sweep over the chunks, by a
 * kernel of that number, or the next.
 */
export function accumulation(sizes: SizeValues, [clears, byThread, byWorkgroup]: readonly [number, number, number]) {
  const { items = 0, length = 0, bins = 0, elementWork = 1, lanes = 1 } = sizes;
  const capacity = capacityOf(sizes);
  const chunks = chunksOf(sizes);
  const isTogether = length >= long;
  const ranges = isTogether ? Math.max(1, Math.ceil(bins / capacity)) : 1;
  const each = Math.ceil(length / chunks);
  const words = [chunks, each, ranges] as const;
  const { parts, together } = partsOf(sizes);
  const sweep = (kernel: number): Dispatch => ({
    kernel: areFew(sizes) ? kernel + 1 : kernel,
    items: length > 0 ? parts * chunks * ranges : 0,
    work: (elementWork + (isTogether ? 2 * lanes : 0)) * each * together,
    words,
  });
  const accumulating = isTogether
    ? [sweep(byWorkgroup)]
    : [{ kernel: clears, items: items * bins * chunks, work: 1, words }, sweep(byThread)];
  return { chunks, words, isTogether, sweep, accumulating };
}

/** Columns that are swept together, and how many times that is. */
function partsOf(sizes: SizeValues) {
  const { items = 0, length = 0, columns = 1, bins = 0 } = sizes;
  const together = length < long ? 1 : columnsTogether(columns, bins, capacityOf(sizes));
  return { together, parts: (items / Math.max(columns, 1)) * Math.ceil(columns / together) };
}

/** The words of all chunks' bins. */
export function binWords(sizes: SizeValues): number[] {
  const { items = 0, bins = 0, arity = 1 } = sizes;
  return [items * bins * chunksOf(sizes) * (arity + 1)];
}

/** Chosen from the sizes alone, so that every device combines in the same order. */
function chunksOf(sizes: SizeValues): number {
  const { items = 0, length = 0, bins = 0, arity = 1 } = sizes;
  const by = length < long ? 'byThread' : areFew(sizes) ? 'fewByWorkgroup' : 'byWorkgroup';
  const { chunks, share, perBin } = wanted[by];
  const { parts, together } = partsOf(sizes);
  const enough = Math.min(
    Math.ceil(chunks / Math.max(parts, 1)),
    Math.ceil(length / Math.max(share / together, perBin * bins)),
  );
  const affordable = Math.floor(scratchWords / Math.max(items * bins * (arity + 1), 1));
  return Math.max(1, Math.min(enough, affordable));
}

/** Scratch: whether each bin has been met, then its components; a chunk's bins side by side, as a result's are. */
export function binPlaces(writer: KernelWriter, tuple: Tuple, step: Binned, at: string): BinPlaces {
  const items = writer.size(sizeProduct(withoutAxis(step.domain, step.batch)));
  const stride = `(${items} * ${writer.size(step.bins)} * ${writer.word(0)})`;
  const met = `${writer.scratch(0)} + ${at}`;
  return { met, value: tuple.packed(`${met} + ${stride}`, stride) };
}

interface BinPlaces {
  readonly met: string;
  readonly value: string[];
}

/** `binPlaces` of a bin of a chunk of a batch and trailing point. */
export function binOf(
  writer: KernelWriter,
  tuple: Tuple,
  step: Binned,
  { place, chunk, bin }: { readonly place: string; readonly chunk: string; readonly bin: string },
): BinPlaces {
  const columns = columnsOf(step);
  const all = writer.size(columns);
  const [leading, column] = columns === 1 ? [place, ''] : [`${place} / ${all}`, ` * ${all} + ${place} % ${all}`];
  const row = `((${leading} * ${writer.word(0)} + ${chunk}) * ${writer.size(step.bins)} + ${bin})`;
  return binPlaces(writer, tuple, step, `${row}${column}`);
}

export function clear(): Kernel {
  const writer = new KernelWriter();
  return writer.finish([`arena[${writer.scratch(0)} + item] = 0u;`]);
}

/** A thread for each chunk of each batch and trailing point; words: chunks, elements of a chunk. */
export function accumulate(step: Binned): Kernel {
  const { writer, space, tuple, known, element, key, bins } = beginBinned(step);
  const chunk = `item % ${writer.word(0)}`;
  const { met, value } = binOf(writer, tuple, step, { place: 'place', chunk, bin: 'key' });
  return writer.finish([
    ...chunkAlong(writer, space, step, known),
    'for (var at = first; at < stop; at++) {',
    `  let key = ${key};`,
    `  if (key >= 0 && key < ${bins}) {`,
    `    var sum = ${element};`,
    `    if (arena[${met}] != 0u) { sum = combine(${tuple.load(value)}, sum); }`,
    `    arena[${met}] = 1u;`,
    ...tuple.store(value, 'sum'),
    '  }',
    '}',
  ]);
}

/** A workgroup for each range of the bins in each chunk (binned-tile.ts). */
export function accumulateTogether(step: Binned, few = false): Kernel {
  const { writer, tuple, lanes, hasMet, meet, body } = binnedSweep(step, few);
  return writer.finish(
    body({
      combine: [`if (${hasMet}) { sums[bin] = combine(sums[bin], tile[i]); } else { sums[bin] = tile[i]; }`, meet],
      after(binAt) {
        const { met, value } = binPlaces(writer, tuple, step, binAt);
        return [
          `arena[${met}] = select(0u, 1u, ${hasMet});`,
          `if (${hasMet}) { ${tuple.store(value, 'sums[bin]').join(' ')} }`,
        ];
      },
    }),
    lanes,
  );
}

/**
 * In a thread for each `bin` of each `point` – batch and trailing indices in one number: `lines` join what chunk number
 * `chunk` has in the bin, if anything, to `sum`, or begin it where it is `empty`.
 */
export function chunkJoin(
  writer: KernelWriter,
  tuple: Tuple,
  step: Binned,
  { met, value }: BinPlaces,
  doubtIsDeclared = false,
): { declarations: string[]; lines: string[] } {
  const begin = [
    `if (arena[${met}] != 0u) {`,
    `  let value = ${tuple.load(value)};`,
    '  if (empty) { sum = value; } else {',
  ];
  const end = ['  }', '  empty = false;', '}'];
  if (!mayBeInDoubt(step.operator))
    return { declarations: [], lines: [...begin, '    sum = combine(sum, value);', ...end] };
  if (!doubtIsDeclared) declareDoubt(writer, step.operator);
  const { batch, domain } = step;
  const space = new Space(writer, withoutAxis(domain, batch), 'point', 'e');
  const elements = elementsAlong(tuple, writer, space, batch, step.inputs, step.prologue);
  const keys = keysAlong(writer, space, step);
  const length = writer.word(1);
  const oneByOne = [
    '    let joined = combine(sum, value);',
    '    if (!in_doubt(sum, value, joined)) { sum = joined; } else {',
    `      let stop = min((chunk + 1) * ${length}, ${writer.size(domain[batch]!)});`,
    `      for (var at = chunk * ${length}; at < stop; at++) {`,
    `        if (${keys.key} == bin) { sum = combine(sum, ${elements.call('at')}); }`,
    '      }',
    '    }',
  ];
  return {
    declarations: [...space.declarations(), ...elements.declarations, keys.declaration],
    lines: [...begin, ...oneByOne, ...end],
  };
}

/** What merges the chunks' bins, [batch…, bins, trailing…], each by a thread or by a workgroup. */
function beginMerge(step: HistogramStep) {
  const writer = new KernelWriter();
  const { batch, domain } = step;
  const shape: Shape = [...domain.slice(0, batch), step.bins, ...domain.slice(batch + 1)];
  const space = new Space(writer, shape, 'item');
  const tuple = new Tuple(writer, step.operator);
  const types = componentTypes(step.operator);
  const chunks = writer.word(0);
  const places = step.outputs.map((output) => space.address(writer.place(output), output.strides));
  const trailing = writer.size(sizeProduct(domain.slice(batch + 1)));
  const bins = writer.size(step.bins);
  const bin = binOf(writer, tuple, step, { place: 'point', chunk: 'chunk', bin: 'bin' });
  const initial = step.initial?.map((source) =>
    readSource(writer, source, space.address(sourceBase(writer, source), source.strides)),
  );
  return {
    writer,
    tuple,
    chunks,
    places,
    bin,
    initial: initial && `Tuple(${types.map((_, k) => initial[k]).join(', ')})`,
    declarations: [
      ...space.declarations(),
      `let bin = (item / ${trailing}) % ${bins};`,
      `let point = item / (${trailing} * ${bins}) * ${trailing} + item % ${trailing};`,
    ],
  };
}

/** A thread for each bin of each batch and trailing point. */
function merge(step: HistogramStep): Kernel {
  const { writer, tuple, chunks, places, bin, initial, declarations } = beginMerge(step);
  const join = chunkJoin(writer, tuple, step, bin);
  return writer.finish([
    ...declarations,
    `var empty = ${initial === undefined};`,
    `var sum = ${initial ?? tuple.neutral};`,
    ...join.declarations,
    ...(mayBeInDoubt(step.operator) ? inSequence(chunks, join.lines) : inBlocks(chunks, join.lines)),
    ...tuple.store(places, 'sum'),
  ]);
}

/**
 * A workgroup for each bin: each lane joins a run of the chunks, then lanes are joined in their order. Where a join is in doubt,
 * one lane goes through the chunks as a thread does.
 */
function mergeTogether(step: HistogramStep): Kernel {
  const { writer, tuple, chunks, places, bin, initial, declarations } = beginMerge(step);
  const lanes = cooperatingLanes(2 * step.operator.neutral.length + 2);
  declarePartials(writer, step.operator, lanes);
  const doubt = mayBeInDoubt(step.operator);
  const join = doubt ? chunkJoin(writer, tuple, step, bin, true) : undefined;
  const sequential = join && [
    'if ((all.state & doubtful) != 0u) {',
    `  var empty = ${initial === undefined};`,
    `  var sum = ${initial ?? tuple.neutral};`,
    ...[...join.declarations, ...inSequence(chunks, join.lines), ...tuple.store(places, 'sum'), 'return;'].map(
      (line) => `  ${line}`,
    ),
    '}',
  ];
  return writer.finish(
    [
      ...declarations,
      `let each = (${chunks} + ${lanes - 1}) / ${lanes};`,
      'var own = Partial();',
      `for (var chunk = lane * each; chunk < min((lane + 1) * each, ${chunks}); chunk++) {`,
      `  if (arena[${bin.met}] != 0u) { own = join(own, Partial(${tuple.load(bin.value)}, filled)); }`,
      '}',
      ...inclusiveLanes(lanes),
      'if (lane != 0) { return; }',
      `var all = ${initial ? `join(Partial(${initial}, filled), shared_partials[${lanes - 1}])` : `shared_partials[${lanes - 1}]`};`,
      ...(sequential ?? []),
      `if (all.state == 0u) { all.value = ${tuple.neutral}; }`,
      ...tuple.store(places, 'all.value'),
    ],
    lanes,
  );
}

function inSequence(chunks: string, lines: readonly string[]): string[] {
  return [`for (var chunk = 0; chunk < ${chunks}; chunk++) {`, ...lines.map((line) => `  ${line}`), '}'];
}

/** Chunks of a block first, then the blocks: the rounding error of a sum grows with two short ones. */
function inBlocks(chunks: string, lines: readonly string[]): string[] {
  return [
    'var total = sum;',
    'var nothing = empty;',
    `for (var block = 0; block < ${chunks}; block += ${blockChunks}) {`,
    '  var sum = Tuple();',
    '  var empty = true;',
    `  for (var chunk = block; chunk < min(block + ${blockChunks}, ${chunks}); chunk++) {`,
    ...lines.map((line) => `    ${line}`),
    '  }',
    '  if (empty) { continue; }',
    '  if (nothing) { total = sum; } else { total = combine(total, sum); }',
    '  nothing = false;',
    '}',
    'sum = total;',
  ];
}
