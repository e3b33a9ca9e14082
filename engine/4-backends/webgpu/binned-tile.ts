/**
 * Bins of a long axis, by workgroups: each takes a chunk of the elements and a range of the bins, in memory of its own. The
 * elements come in tile by tile, neighbours by neighbouring lanes. A lane keeps the bins whose numbers, divided by the
 * lanes, leave its own, and combines what falls into them in the order of the elements; of 32 keys it marks its own
 * first, so that lanes combine at the same time. No two lanes write one bin: nothing is atomic, and bits repeat.
 */
import { withoutAxis } from '../../0-ir/types.ts';
import { chunkAlong, keysAlong, type Binned } from './binned.ts';
import { KernelWriter } from './kernel-writer.ts';
import { Space } from './space.ts';
import { cooperatingLanes, elementsAlong, Tuple, workgroupBytes } from './tuple.ts';

/** Elements of a tile at most, and words that it takes where that leaves each lane one at least. */
const tileLength = 512;
const tileWords = 1024;
/** What a key outside all bins becomes in a tile; one of another range becomes -1. */
export const nobodys = -2;
/** Whether a lane has met a bin is a bit of one word. */
const binsOfLane = 32;

export interface BinnedTile {
  readonly lanes: number;
  /** Elements of a tile. */
  readonly length: number;
  /** Bins of a range. */
  readonly bins: number;
}

/** What fits into a workgroup's memory for elements of so many words. */
export function binnedTile(arity: number): BinnedTile {
  const lanes = cooperatingLanes(2 * (arity + 1));
  let length = tileLength;
  while (length > lanes && length * (arity + 1) > tileWords) length /= 2;
  const left = workgroupBytes / 4 - length * (arity + 1);
  return { lanes, length, bins: Math.min(binsOfLane * lanes, Math.floor(left / arity)) };
}

/**
 * What a kernel is written with that sweeps over a range of the bins in a chunk of a batch and trailing point; words: chunks,
 * elements of a chunk, ranges. The range's bins begin at `low` and are `width`; `key` counts from there.
 */
export function binnedSweep(step: Binned) {
  const writer = new KernelWriter();
  const { batch, domain } = step;
  const space = new Space(writer, withoutAxis(domain, batch), 'place');
  const tuple = new Tuple(writer, step.operator);
  const elements = elementsAlong(tuple, writer, space, batch, step.inputs, step.prologue);
  const keys = keysAlong(writer, space, step);
  const bins = writer.size(step.bins);
  const ranges = writer.word(2);
  const { lanes, length, bins: capacity } = binnedTile(step.operator.neutral.length);
  writer.declare(`var<workgroup> tile: array<Tuple, ${length}>;
var<workgroup> tile_keys: array<i32, ${length}>;
var<workgroup> sums: array<Tuple, ${capacity}>;`);
  // The sign stays, so that a key outside the range, which is negative there, is nobody's.
  const own = `bitcast<i32>(${2 ** 31 + lanes - 1}u)`;
  const bit = `(1u << u32(key / ${lanes}))`;
  return {
    writer,
    tuple,
    space,
    bins,
    lanes,
    /** Whether the lane has something in its bin `key`; from now on it has. */
    hasMet: `(met & ${bit}) != 0u`,
    meet: `met |= ${bit};`,
    /** Statements for each `key` of the lane's. */
    overBins: (lines: readonly string[]): string[] => [
      `for (var key = lane; key < width; key += ${lanes}) {`,
      ...indented(lines),
      '}',
    ],
    /** Declares the chunk, from `first` to `stop`, and the range. */
    begin: (declarations: readonly string[]): string[] => [
      `let part = item / ${ranges};`,
      ...chunkAlong(writer, space, step, [...elements.declarations, keys.declaration, ...declarations], 'part'),
      `let range = item % ${ranges};`,
      `let low = range * ${capacity};`,
      `let width = min(${capacity}, ${bins} - low);`,
      'var met = 0u;',
    ],
    /**
     * `combine`: statements for each of the lane's elements in their order: `tile[i]`, whose bin is `key`. `after`: for each
     * element of a tile, by any lane, when the whole tile has been combined: `tile[i]` at `at` along the axis.
     */
    sweep: (combine: readonly string[], after: readonly string[] = []): string[] => [
      `for (var start = first; start < stop; start += ${length}) {`,
      `  let count = min(${length}, stop - start);`,
      `  for (var i = lane; i < count; i += ${lanes}) {`,
      '    let at = start + i;',
      `    let key = ${keys.key};`,
      '    let within = key >= low && key < low + width;',
      `    tile_keys[i] = select(select(${nobodys}, -1, key >= 0 && key < ${bins}), key - low, within);`,
      `    if (within) { tile[i] = ${elements.call('at')}; }`,
      '  }',
      '  workgroupBarrier();',
      '  for (var base = 0; base < count; base += 32) {',
      '    var mine = 0u;',
      '    for (var i = 0; i < min(32, count - base); i++) {',
      `      mine |= select(0u, 1u << u32(i), (tile_keys[base + i] & ${own}) == lane);`,
      '    }',
      '    for (; mine != 0u; mine &= mine - 1u) {',
      '      let i = base + i32(firstTrailingBit(mine));',
      '      let key = tile_keys[i];',
      ...indented(indented(indented(combine))),
      '    }',
      '  }',
      '  workgroupBarrier();',
      ...(after.length > 0 ? indented(overTile(after)) : []),
      '}',
    ],
  };

  function overTile(lines: readonly string[]): string[] {
    return [`for (var i = lane; i < count; i += ${lanes}) {`, '  let at = start + i;', ...indented(lines), '}'];
  }
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}
