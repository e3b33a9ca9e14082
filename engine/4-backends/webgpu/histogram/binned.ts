/** Elements that go into bins: their keys, and their chunks along the axis. */
import { sizeProduct, type Size } from '../../../0-ir/sizes.ts';
import { withoutAxis } from '../../../0-ir/types.ts';
import type { HistogramStep } from '../../../3-plan/plan.ts';
import { KernelWriter, readSource } from '../wgsl/kernel-writer.ts';
import { Space } from '../wgsl/space.ts';
import { elementsAlong, placeAlong, Tuple } from '../combine/tuple.ts';

/** What a histogram and a keyed scan are cut up by. */
export type Binned = Pick<HistogramStep, 'domain' | 'batch' | 'bins' | 'keys' | 'inputs' | 'prologue' | 'operator'>;

/** Begins a kernel that goes along the axis at each `place`, a batch and trailing point; `known` is declared there. */
export function beginBinned(step: Binned, writer = new KernelWriter()) {
  const { batch, domain } = step;
  const space = new Space(writer, withoutAxis(domain, batch), 'place');
  const tuple = new Tuple(writer, step.operator);
  const elements = elementsAlong(tuple, writer, space, batch, step.inputs, step.prologue);
  const keys = keysAlong(writer, space, step);
  const known = [...elements.declarations, keys.declaration];
  return { writer, space, tuple, known, element: elements.call('at'), key: keys.key, bins: writer.size(step.bins) };
}

/** `key` is the key at the place `at`. */
export function keysAlong(writer: KernelWriter, space: Space, step: Binned): { declaration: string; key: string } {
  const { batch, domain, keys } = step;
  const overDomain = { ...keys, strides: [...keys.strides, ...domain.slice(batch + 1).map(() => 0)] };
  return {
    declaration: `let keys = ${placeAlong(writer, space, batch, overDomain)};`,
    key: readSource(writer, keys, `keys + at * ${writer.size(keys.strides[batch]!)}`),
  };
}

/** How many trailing points an element of the axis has, each with bins of its own. */
export function columnsOf({ domain, batch }: Pick<Binned, 'domain' | 'batch'>): Size {
  return sizeProduct(domain.slice(batch + 1));
}

/** Columns whose bins a workgroup of so many takes at once. */
export function columnsTogether(columns: number, bins: number, capacity: number): number {
  return Math.max(1, Math.min(columns, Math.floor(capacity / Math.max(bins, 1))));
}

/**
 * A chunk of the axis with as many columns as have room for their bins in a workgroup that holds so many, row after row, so
 * that neighbours are neighbours in memory too; words: chunks, elements of a chunk, ranges of the bins. `begin` declares
 * `first` and `stop`, which count rows and columns in one number, `width`, the columns, and `range`; `at` the place along
 * the axis of such a number, `place` and what else is declared there. `bin` is the number of a key's bin among those of
 * the workgroup, `binAt` where its bin of all is, row after row of the result.
 */
export function chunkOfColumns(
  writer: KernelWriter,
  space: Space,
  step: Binned,
  capacity: number,
  declarations: readonly string[],
) {
  const [chunks, each, ranges] = [writer.word(0), writer.word(1), writer.word(2)];
  const [length, bins] = [writer.size(step.domain[step.batch]!), writer.size(step.bins)];
  const columns = columnsOf(step);
  const here = [...space.declarations(), ...declarations];
  const range = [`let range = item % ${ranges};`, `let part = item / ${ranges};`];
  if (columns === 1)
    return {
      begin: [
        ...range,
        `let leading = part / ${chunks};`,
        'let place = leading;',
        ...here,
        `let first = (part % ${chunks}) * ${each};`,
        `let stop = min(first + ${each}, ${length});`,
        `let all_bins = ${bins};`,
      ],
      at: (number: string) => [`let at = ${number};`],
      bin: 'key',
      binAt: (layer: string, bin: string) => `(${layer}) * ${bins} + ${bin}`,
    };
  const all = writer.size(columns);
  return {
    begin: [
      ...range,
      `let together = clamp(${capacity} / max(${bins}, 1), 1, ${all});`,
      `let blocks = (${all} + together - 1) / together;`,
      `let leading = part / ${chunks} / blocks;`,
      `let leftmost = part / ${chunks} % blocks * together;`,
      `let width = min(together, ${all} - leftmost);`,
      `let first = (part % ${chunks}) * ${each} * width;`,
      `let stop = min(first + ${each} * width, ${length} * width);`,
      `let all_bins = ${bins} * width;`,
    ],
    at: (number: string) => [
      `let at = ${number} / width;`,
      `let column = ${number} % width;`,
      `let place = leading * ${all} + leftmost + column;`,
      ...here,
    ],
    bin: 'key * width + column',
    binAt: (layer: string, bin: string) =>
      `((${layer}) * ${bins} + ${bin} / width) * ${all} + leftmost + ${bin} % width`,
  };
}

/** Declares `place`, its coordinates, what is to be known there, and the elements `first` to `stop` of the item's chunk. */
export function chunkAlong(
  writer: KernelWriter,
  space: Space,
  { batch, domain }: Binned,
  declarations: readonly string[],
): string[] {
  return [
    `let place = item / ${writer.word(0)};`,
    ...space.declarations(),
    ...declarations,
    `let first = (item % ${writer.word(0)}) * ${writer.word(1)};`,
    `let stop = min(first + ${writer.word(1)}, ${writer.size(domain[batch]!)});`,
  ];
}
