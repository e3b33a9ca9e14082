/**
 * Bins of a long axis, by workgroups: each takes a chunk of the elements and a range of the bins, in memory of its own. The
 * elements come in tile by tile, neighbours by neighbouring lanes. A lane keeps the bins whose numbers, divided by the
 * lanes, leave its own, and combines what falls into them in the order of the elements; of 32 keys it marks its own
 * first, so that lanes combine at the same time. No two lanes write one bin: nothing is atomic, and bits repeat.
 */
import { beginBinned, chunkOfColumns, type Binned } from './binned.ts';
import { cooperatingLanes, workgroupBytes } from '../combine/tuple.ts';

/** Elements of a tile at most, and words that it takes where that leaves each lane one at least. */
const tileLength = 512;
const tileWords = 1024;
/** The bin in a tile of a key outside all bins; of one of another range it is -1. */
export const nobodys = -2;
/** Whether a lane has met a bin is a bit of one word. */
const binsOfLane = 32;
/** Words for few bins: the less a workgroup takes, the more of them a GPU has at work, and each waits most of its time. */
const fewWords = 1280;

export interface BinnedTile {
  readonly lanes: number;
  /** Elements of a tile. */
  readonly length: number;
  /** Bins of a range. */
  readonly bins: number;
}

/** What fits into a workgroup's memory, or into a share of it for `few` bins, for elements of so many words. */
export function binnedTile(arity: number, few: boolean): BinnedTile {
  const lanes = cooperatingLanes(2 * (arity + 1));
  let length = tileLength;
  while (length > lanes && length * (arity + 1) > tileWords) length /= 2;
  const left = few ? fewWords : workgroupBytes / 4 - length * (arity + 1);
  return { lanes, length, bins: Math.min(binsOfLane * lanes, Math.floor(left / arity)) };
}

/**
 * What a kernel is written with that sweeps over a range of the bins in a chunk of some columns (binned.ts). The range's bins
 * begin at `low` and are `some`; `bin` counts from there.
 */
export function binnedSweep(step: Binned, few: boolean) {
  const { writer, space, tuple, known, element, key, bins } = beginBinned(step);
  const { lanes, length, bins: capacity } = binnedTile(step.operator.neutral.length, few);
  writer.declare(`var<workgroup> tile: array<Tuple, ${length}>;
var<workgroup> tile_bins: array<i32, ${length}>;
var<workgroup> sums: array<Tuple, ${capacity}>;`);
  // The sign stays, so that a bin outside the range, which is negative there, is nobody's.
  const own = `bitcast<i32>(${2 ** 31 + lanes - 1}u)`;
  const bit = `(1u << u32(bin / ${lanes}))`;
  return {
    writer,
    tuple,
    space,
    lanes,
    /** Whether the lane has something in its `bin`; from now on it has. */
    hasMet: `(met & ${bit}) != 0u`,
    meet: `met |= ${bit};`,
    /**
     * A kernel's body. `before` and `after`: statements for each `bin` of the lane's, whose place among all chunks' is
     * `binAt`. `combine`: for each of the lane's elements in their order: `tile[i]`, of the bin `bin`. `show`: for each
     * element of a tile, by any lane, when the whole tile has been combined: `tile[i]` at `at` along the axis.
     */
    body(parts: {
      declarations?: readonly string[];
      before?: (binAt: string) => readonly string[];
      combine: readonly string[];
      show?: readonly string[];
      after?: (binAt: string) => readonly string[];
    }): string[] {
      const { declarations = [], before, combine, show, after } = parts;
      const chunk = chunkOfColumns(writer, space, step, capacity, [...known, ...declarations]);
      const binAt = chunk.binAt(`leading * ${writer.word(0)} + part % ${writer.word(0)}`, '(low + bin)');
      const overBins = (lines: readonly string[] | undefined): string[] =>
        lines ? [`for (var bin = lane; bin < some; bin += ${lanes}) {`, ...indented(lines), '}'] : [];
      const overTile = (lines: readonly string[] | undefined): string[] =>
        lines
          ? [`for (var i = lane; i < count; i += ${lanes}) {`, ...indented([...chunk.at('(start + i)'), ...lines]), '}']
          : [];
      return [
        ...chunk.begin,
        `let low = range * ${capacity};`,
        `let some = min(${capacity}, all_bins - low);`,
        'var met = 0u;',
        ...overBins(before?.(binAt)),
        `for (var start = first; start < stop; start += ${length}) {`,
        `  let count = min(${length}, stop - start);`,
        ...indented(
          overTile([
            `let key = ${key};`,
            `let known = key >= 0 && key < ${bins};`,
            `let bin = ${chunk.bin} - low;`,
            'let within = known && bin >= 0 && bin < some;',
            `tile_bins[i] = select(select(${nobodys}, -1, known), bin, within);`,
            `if (within) { tile[i] = ${element}; }`,
          ]),
        ),
        '  workgroupBarrier();',
        '  for (var base = 0; base < count; base += 32) {',
        '    var mine = 0u;',
        '    for (var i = 0; i < min(32, count - base); i++) {',
        `      mine |= select(0u, 1u << u32(i), (tile_bins[base + i] & ${own}) == lane);`,
        '    }',
        '    for (; mine != 0u; mine &= mine - 1u) {',
        '      let i = base + i32(firstTrailingBit(mine));',
        '      let bin = tile_bins[i];',
        ...indented(indented(indented(combine))),
        '    }',
        '  }',
        '  workgroupBarrier();',
        ...indented(overTile(show)),
        '}',
        ...overBins(after?.(binAt)),
      ];
    },
  };
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}
