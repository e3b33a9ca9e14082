/**
 * A histogram that shows how it came about, in the order of the elements: chunks and their bins as for histogram; then a
 * thread for each bin leaves in every chunk what the chunks before it have combined, and a thread for each chunk walks its
 * elements once more from there.
 */
import { componentTypes } from '../../0-ir/operators.ts';
import { sizeProduct, type Size } from '../../0-ir/sizes.ts';
import { withoutAxis } from '../../0-ir/types.ts';
import type { KeyedScanStep } from '../../3-plan/plan.ts';
import { chunkAlong, keysAlong } from './binned.ts';
import { functionWork } from './cost.ts';
import { accumulate, binPlaces, binWords, chunkJoin, chunksOf, clear } from './histogram.ts';
import { KernelWriter, readSource, sourceBase } from './kernel-writer.ts';
import type { Kernel, KernelFamily } from './module.ts';
import { Space } from './space.ts';
import { writesAlong } from './scan.ts';
import { elementsAlong, Tuple } from './tuple.ts';

export const keyedScan: KernelFamily<KeyedScanStep> = {
  generate(step) {
    return {
      kernels: [clear(), accumulate(step), carry(step), walk(step)],
      sizes: {
        items: sizeProduct(withoutAxis(step.domain, step.batch)),
        length: step.domain[step.batch] as Size,
        bins: step.bins,
        arity: step.operator.neutral.length,
        elementWork:
          functionWork(step.prologue) +
          functionWork(step.operator.combine) +
          functionWork(step.epilogue?.function) +
          3 * (step.inputs.length + (step.epilogue?.inputs.length ?? 0)) +
          4,
        joinWork: functionWork(step.operator.combine) + 4,
      },
    };
  },

  scratch: binWords,

  schedule(sizes) {
    const { items = 0, length = 0, bins = 0, elementWork = 1, joinWork = 1 } = sizes;
    const chunks = chunksOf(sizes);
    const words = [chunks, Math.ceil(length / chunks), 0] as const;
    const walks = { items: length > 0 ? items * chunks : 0, work: elementWork * Math.ceil(length / chunks), words };
    return [
      { kernel: 0, items: items * bins * chunks, work: 1, words },
      { kernel: 1, ...walks },
      { kernel: 2, items: items * bins, work: joinWork * chunks + 4, words },
      { kernel: 3, ...walks },
    ];
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
  const bin = binPlaces(writer, tuple, step, `(point * ${writer.word(0)} + chunk) * ${bins} + bin`);
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
  const writer = new KernelWriter();
  const { batch, domain, exclusive } = step;
  const space = new Space(writer, withoutAxis(domain, batch), 'place');
  const tuple = new Tuple(writer, step.operator);
  const elements = elementsAlong(tuple, writer, space, batch, step.inputs, step.prologue);
  const keys = keysAlong(writer, space, step);
  const writes = writesAlong(writer, tuple, space, { ...step, axis: batch, outputs: step.running });
  const bins = writer.size(step.bins);
  const { met, value } = binPlaces(writer, tuple, step, `item * ${bins} + key`);
  return writer.finish([
    ...chunkAlong(writer, space, step, [...elements.declarations, keys.declaration, ...writes.declarations]),
    'for (var at = first; at < stop; at++) {',
    `  let key = ${keys.key};`,
    `  var shown = ${tuple.neutral};`,
    `  if (key >= 0 && key < ${bins}) {`,
    `    var sum = ${elements.call('at')};`,
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
