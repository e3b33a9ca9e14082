/**
 * A histogram that shows how it came about, in the order of the elements: chunks and their bins as for histogram; then a
 * thread for each bin leaves in every chunk what the chunks before it have combined, and each chunk's elements are walked
 * once more from there, by a thread or by workgroups.
 */
import { componentTypes } from '../../0-ir/operators.ts';
import { sizeProduct } from '../../0-ir/sizes.ts';
import type { KeyedScanStep } from '../../3-plan/plan.ts';
import { beginBinned, chunkAlong } from './histogram/binned.ts';
import { binnedSweep, nobodys } from './histogram/binned-tile.ts';
import { functionWork } from './cost.ts';
import {
  accumulate,
  accumulateTogether,
  accumulation,
  binnedSizes,
  binOf,
  binPlaces,
  binWords,
  chunkJoin,
  clear,
  operatorWork,
} from './histogram.ts';
import { KernelWriter, readSource, sourceBase } from './wgsl/kernel-writer.ts';
import type { Kernel, KernelFamily } from './module.ts';
import { Space } from './wgsl/space.ts';
import { writesAlong } from './scan.ts';
import { Tuple } from './combine/tuple.ts';

export const keyedScan: KernelFamily<KeyedScanStep> = {
  generate(step) {
    return {
      kernels: [clear(), accumulate(step), accumulateTogether(step), carry(step), walk(step), walkTogether(step)],
      sizes: {
        ...binnedSizes(step),
        // A thread carries through the chunks of its bin: more of them would take longer than they save.
        fewCapacity: 0,
        elementWork:
          functionWork(step.prologue) +
          operatorWork(step) +
          functionWork(step.epilogue?.function) +
          3 * (step.epilogue?.inputs.length ?? 0),
      },
    };
  },

  scratch: binWords,

  schedule(sizes) {
    const { items = 0, bins = 0, joinWork = 1 } = sizes;
    const { chunks, words, isTogether, sweep, accumulating } = accumulation(sizes, [0, 1, 2]);
    const carries = { kernel: 3, items: items * bins, work: joinWork * chunks + 4, words };
    return [...accumulating, carries, sweep(isTogether ? 5 : 4)];
  },
};

/** A thread for each bin of each batch and trailing point: [batch…, bins, trailing…]. */
function carry(step: KeyedScanStep): Kernel {
  const writer = new KernelWriter();
  const { batch, domain } = step;
  const space = new Space(writer, [...domain.slice(0, batch), step.bins, ...domain.slice(batch + 1)], 'item');
  const tuple = new Tuple(writer, step.operator);
  const types = componentTypes(step.operator);
  const trailing = writer.size(sizeProduct(domain.slice(batch + 1)));
  const bins = writer.size(step.bins);
  const bin = binOf(writer, tuple, step, { place: 'point', chunk: 'chunk', bin: 'bin' });
  const join = chunkJoin(writer, tuple, step, bin);
  const totals = step.totals.flatMap((output, i) => {
    const place = output && space.address(writer.place(output), output.strides);
    return place ? [writer.store(types[i] ?? 'real', place, `sum.c${i}`)] : [];
  });
  const initial = step.initial?.map((source) =>
    readSource(writer, source, space.address(sourceBase(writer, source), source.strides)),
  );
  return writer.finish([
    ...space.declarations(),
    `let bin = (item / ${trailing}) % ${bins};`,
    `let point = item / (${trailing} * ${bins}) * ${trailing} + item % ${trailing};`,
    `var empty = ${initial === undefined};`,
    `var sum = ${initial ? `Tuple(${types.map((_, k) => initial[k]).join(', ')})` : tuple.neutral};`,
    ...join.declarations,
    `for (var chunk = 0; chunk < ${writer.word(0)}; chunk++) {`,
    '  let before = sum;',
    '  let nothing = empty;',
    ...join.lines.map((line) => `  ${line}`),
    `  arena[${bin.met}] = select(1u, 0u, nothing);`,
    ...tuple.store(bin.value, 'before'),
    '}',
    ...totals,
  ]);
}

/** A thread for each chunk of each batch and trailing point. */
function walk(step: KeyedScanStep): Kernel {
  const { batch, exclusive } = step;
  const { writer, space, tuple, known, element, key, bins } = beginBinned(step);
  const writes = writesAlong(writer, tuple, space, { ...step, axis: batch, outputs: step.running });
  const chunk = `item % ${writer.word(0)}`;
  const { met, value } = binOf(writer, tuple, step, { place: 'place', chunk, bin: 'key' });
  return writer.finish([
    ...chunkAlong(writer, space, step, [...known, ...writes.declarations]),
    'for (var at = first; at < stop; at++) {',
    `  let key = ${key};`,
    `  var shown = ${tuple.neutral};`,
    `  if (key >= 0 && key < ${bins}) {`,
    `    var sum = ${element};`,
    `    if (arena[${met}] != 0u) {`,
    `      let before = ${tuple.load(value)};`,
    ...(exclusive ? ['      shown = before;'] : []),
    '      sum = combine(before, sum);',
    '    }',
    ...(exclusive ? [] : ['    shown = sum;']),
    `    arena[${met}] = 1u;`,
    ...tuple.store(value, 'sum'),
    '  }',
    ...writes.store('at', 'shown').map((line) => `  ${line}`),
    '}',
  ]);
}

/** A workgroup for each range of the bins in each chunk: the elements of other ranges are theirs, those of none the first's. */
function walkTogether(step: KeyedScanStep): Kernel {
  const { writer, tuple, space, lanes, hasMet, meet, body } = binnedSweep(step, false);
  const writes = writesAlong(writer, tuple, space, { ...step, axis: step.batch, outputs: step.running });
  return writer.finish(
    body({
      declarations: writes.declarations,
      before(binAt) {
        const { met, value } = binPlaces(writer, tuple, step, binAt);
        return [`if (arena[${met}] != 0u) { sums[bin] = ${tuple.load(value)}; ${meet} }`];
      },
      combine: [
        `var before = ${tuple.neutral};`,
        'var sum = tile[i];',
        `if (${hasMet}) { before = sums[bin]; sum = combine(before, sum); }`,
        'sums[bin] = sum;',
        meet,
        `tile[i] = ${step.exclusive ? 'before' : 'sum'};`,
      ],
      show: [
        `if (tile_bins[i] >= 0 || (range == 0 && tile_bins[i] == ${nobodys})) {`,
        '  var shown = tile[i];',
        `  if (tile_bins[i] < 0) { shown = ${tuple.neutral}; }`,
        ...writes.store('at', 'shown').map((line) => `  ${line}`),
        '}',
      ],
    }),
    lanes,
  );
}
