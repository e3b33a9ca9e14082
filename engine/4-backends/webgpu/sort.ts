/**
 * The stable ascending order of keys along the last axis: radix sort from the lowest digit on, reduce-then-scan (Merrill and
 * Grimshaw, Parallel Processing Letters 21(2), 2011, doi:10.1142/S0129626411000187). In a pass each workgroup counts its
 * digits; the counts become places; each workgroup sorts its tiles in its own memory, so that equal digits lie side by
 * side, and writes them out in runs. Keys and payloads, the indices, lie apart: the first pass has no payload to read
 * and the last no key to write. An element takes 20 bytes of traffic in a pass: its key twice, and the pair moved.
 */
import { sizeProduct, type Size } from '../../0-ir/sizes.ts';
import type { SortStep } from '../../3-plan/plan.ts';
import { denseStrides } from '../../3-plan/view.ts';
import { KernelWriter, readSource, sourceBase } from './wgsl/kernel-writer.ts';
import type { Kernel, KernelFamily } from './module.ts';
import {
  mostGroups,
  sortLanes as lanes,
  sortPieces,
  sortShare as share,
  sortTile as tile,
} from './sort/sort-digits.ts';
import { Space } from './wgsl/space.ts';

/** Bits of the third word; above them the tiles of a workgroup. */
const mode = { first: 1, last: 2, toOutput: 4, oddKeys: 8 } as const;
const modeBits = 4;

export const sort: KernelFamily<SortStep> = {
  generate(step) {
    const length = step.domain.at(-1)!;
    const rows = sizeProduct(step.domain.slice(0, -1));
    return {
      kernels: [count(step), places(step), move(step)],
      sizes: { rows, length, most: mostGroups, ...(step.bound !== undefined && { bound: step.bound }) },
    };
  },

  // Tables of a counter for each digit of each workgroup; each digit's total; keys between the passes.
  scratch(sizes) {
    const { rows = 0, length = 0 } = sizes;
    const { passes, bits, groups } = sortPieces(sizes);
    const several = groups > 1 ? rows * 2 ** bits : 0;
    return [several * groups, several, passes > 1 ? rows * length : 0, passes > 2 ? rows * length : 0];
  },

  schedule(sizes) {
    const { rows = 0, length = 0 } = sizes;
    const { passes, bits, tiles, groups } = sortPieces(sizes);
    const each = Math.min(length, tile) * tiles;
    return Array.from({ length: passes }, (_, pass) => {
      const flags =
        (pass === 0 ? mode.first : 0) |
        (pass === passes - 1 ? mode.last : 0) |
        ((passes - 1 - pass) % 2 === 0 ? mode.toOutput : 0) |
        (pass % 2 === 1 ? mode.oddKeys : 0);
      const words = [pass * bits, bits, flags + 2 ** modeBits * tiles] as const;
      const moves = { kernel: 2, items: rows * groups, work: 30 * each, words };
      if (groups <= 1) return [moves];
      return [
        { kernel: 0, items: rows * groups, work: 4 * each, words },
        { kernel: 1, items: rows * 2 ** bits, work: 4 * groups, words },
        moves,
      ];
    }).flat();
  },
};

/** What the kernels have in common; `declarations` first, in a workgroup for each `item`. */
function begin(step: SortStep) {
  const writer = new KernelWriter();
  const last = step.domain.length - 1;
  const rows = new Space(writer, step.domain.slice(0, last), 'row');
  const length = writer.size(step.domain[last]!);
  const side = (base: string, strides: readonly Size[]) => ({
    base: rows.address(base, strides.slice(0, last)),
    stride: writer.size(strides[last]!),
  });
  const keys = side(sourceBase(writer, step.keys), step.keys.strides);
  // The sign bit is flipped, so that negative keys come first; below a bound there are none.
  const flip = step.bound === undefined ? ' ^ 0x80000000u' : '';
  writer.declare(`fn is(mode: i32) -> bool { return (${writer.word(2)} & mode) != 0; }
fn digit(key: u32) -> u32 { return (key >> u32(${writer.word(0)})) & ((1u << u32(${writer.word(1)})) - 1u); }
fn key_at(source: i32, between: i32, at: i32) -> u32 {
  if (!is(${mode.first})) { return arena[between + at]; }
  return bitcast<u32>(${readSource(writer, step.keys, `source + at * ${keys.stride}`)})${flip};
}`);
  const [even, odd] = [writer.scratch(2), writer.scratch(3)];
  const partLength = `(${tile} * (${writer.word(2)} >> ${modeBits}))`;
  return {
    writer,
    side,
    parts: `((${length} + ${partLength} - 1) / ${partLength})`,
    /** The counter of a digit in a workgroup's table. */
    counter: (digit: string) =>
      `${writer.scratch(0)} + (row * (1 << u32(${writer.word(1)})) + ${digit}) * parts + part`,
    total: (digit: string) => `${writer.scratch(1)} + row * (1 << u32(${writer.word(1)})) + ${digit}`,
    declarations: () => [
      ...rows.declarations(),
      `let keys_from = ${keys.base};`,
      `let between = select(${odd}, ${even}, is(${mode.oddKeys})) + row * ${length};`,
      `let first = part * ${partLength};`,
      `let end = min(first + ${partLength}, ${length});`,
    ],
    keysTo: `select(${even}, ${odd}, is(${mode.oddKeys})) + row * ${length}`,
  };
}

/** A workgroup's table: how many of its keys have each digit. */
function count(step: SortStep): Kernel {
  const { writer, parts, counter, declarations } = begin(step);
  writer.declare('var<workgroup> counts: array<atomic<u32>, 256>;');
  return writer.finish(
    [
      `let parts = ${parts};`,
      'let row = item / parts;',
      'let part = item % parts;',
      ...declarations(),
      `for (var d = lane; d < 256; d += ${lanes}) { atomicStore(&counts[d], 0u); }`,
      'workgroupBarrier();',
      `for (var at = first + lane; at < end; at += ${lanes}) {`,
      '  atomicAdd(&counts[digit(key_at(keys_from, between, at))], 1u);',
      '}',
      'workgroupBarrier();',
      `for (var d = lane; d < 1 << u32(${writer.word(1)}); d += ${lanes}) {`,
      `  arena[${counter('d')}] = atomicLoad(&counts[d]);`,
      '}',
    ],
    lanes,
  );
}

/** A workgroup for each digit of each row: its counters become what the workgroups before have, and their total. */
function places(step: SortStep): Kernel {
  const { writer, parts, counter, total } = begin(step);
  declareLaneScan(writer);
  return writer.finish(
    [
      `let parts = ${parts};`,
      `let row = item >> u32(${writer.word(1)});`,
      `let d = item & ((1 << u32(${writer.word(1)})) - 1);`,
      'var before = 0u;',
      `for (var start = 0; start < parts; start += ${lanes}) {`,
      '  let part = start + lane;',
      '  var own = 0u;',
      `  if (part < parts) { own = arena[${counter('d')}]; }`,
      '  let up_to = lane_scan(lane, own);',
      `  if (part < parts) { arena[${counter('d')}] = before + up_to - own; }`,
      `  before += lane_sums[${lanes - 1}];`,
      '  workgroupBarrier();',
      '}',
      `if (lane == 0) { arena[${total('d')}] = before; }`,
    ],
    lanes,
  );
}

/** The pairs of a workgroup's tiles go where they belong. */
function move(step: SortStep): Kernel {
  const { writer, side, parts, counter, total, declarations, keysTo } = begin(step);
  const output = side(writer.place(step.output), step.output.strides);
  const scratch = side(writer.place({ buffer: step.scratch, offset: 0 }), denseStrides(step.domain));
  declareLaneScan(writer);
  writer.declare(localSortText);
  writer.declare(`var<workgroup> places: array<u32, 256>;
var<workgroup> firsts: array<u32, 256>;`);
  const rowsFirst = declarations();
  return writer.finish(
    [
      `let parts = ${parts};`,
      'let row = item / parts;',
      'let part = item % parts;',
      ...rowsFirst,
      `let digits = 1 << u32(${writer.word(1)});`,
      `let to_output = is(${mode.toOutput});`,
      `let payloads_from = select(${output.base}, ${scratch.base}, to_output);`,
      `let payloads_to = select(${scratch.base}, ${output.base}, to_output);`,
      `let from_stride = select(${output.stride}, ${scratch.stride}, to_output);`,
      `let to_stride = select(${scratch.stride}, ${output.stride}, to_output);`,
      `let keys_to = ${keysTo};`,
      // Of a single workgroup the places are those in its tile.
      'if (parts > 1) {',
      `  let share = (digits + ${lanes - 1}) / ${lanes};`,
      '  let lowest = min(lane * share, digits);',
      '  let end_digit = min(lowest + share, digits);',
      '  var own = 0u;',
      `  for (var d = lowest; d < end_digit; d++) { own += arena[${total('d')}]; }`,
      '  var before = lane_scan(lane, own) - own;',
      '  for (var d = lowest; d < end_digit; d++) {',
      `    places[d] = before + arena[${counter('d')}];`,
      `    before += arena[${total('d')}];`,
      '  }',
      '}',
      `for (var start = first; start < end; start += ${tile}) {`,
      `  let size = min(end - start, ${tile});`,
      `  for (var i = lane; i < size; i += ${lanes}) {`,
      '    tile_keys[i] = key_at(keys_from, between, start + i);',
      `    if (is(${mode.first})) { tile_payloads[i] = u32(start + i); }`,
      '    else { tile_payloads[i] = arena[payloads_from + (start + i) * from_stride]; }',
      '  }',
      '  workgroupBarrier();',
      `  for (var half = 0; half < ${writer.word(1)}; half += 4) {`,
      `    sort_by(lane, size, u32(${writer.word(0)} + half), u32(min(${writer.word(1)} - half, 4)));`,
      '  }',
      `  for (var i = lane; i < size; i += ${lanes}) {`,
      '    let d = digit(tile_keys[i]);',
      '    if (i == 0 || digit(tile_keys[i - 1]) != d) { firsts[d] = u32(i); }',
      '  }',
      '  workgroupBarrier();',
      `  for (var i = lane; i < size; i += ${lanes}) {`,
      '    let d = digit(tile_keys[i]);',
      '    var place = i;',
      '    if (parts > 1) { place = i32(places[d] + u32(i) - firsts[d]); }',
      '    arena[payloads_to + place * to_stride] = tile_payloads[i];',
      `    if (!is(${mode.last})) { arena[keys_to + place] = tile_keys[i]; }`,
      '  }',
      '  workgroupBarrier();',
      // The last of each digit moves its place on for the tiles to come.
      `  for (var i = lane; i < size; i += ${lanes}) {`,
      '    let d = digit(tile_keys[i]);',
      '    if (i == size - 1 || digit(tile_keys[i + 1]) != d) { places[d] += u32(i + 1) - firsts[d]; }',
      '  }',
      '  workgroupBarrier();',
      '}',
    ],
    lanes,
  );
}

/** `lane_scan(lane, own)`: the sum of what the lanes up to this one have; the others' sums stand in `lane_sums`. */
function declareLaneScan(writer: KernelWriter): void {
  writer.declare(`var<workgroup> lane_sums: array<u32, ${lanes}>;
fn lane_scan(lane: i32, own: u32) -> u32 {
  lane_sums[lane] = own;
  workgroupBarrier();
  for (var apart = 1; apart < ${lanes}; apart *= 2) {
    var sum = lane_sums[lane];
    if (lane >= apart) { sum += lane_sums[lane - apart]; }
    workgroupBarrier();
    lane_sums[lane] = sum;
    workgroupBarrier();
  }
  return lane_sums[lane];
}`);
}

/**
 * A tile in workgroup memory, and its stable sort by at most four bits: each lane counts its share of the elements in a
 * column of its own; read digit by digit, the columns' running sums are the places.
 */
const localSortText = `var<workgroup> tile_keys: array<u32, ${tile}>;
var<workgroup> tile_payloads: array<u32, ${tile}>;
var<workgroup> columns: array<u32, ${16 * lanes}>;
fn sort_by(lane: i32, size: i32, shift: u32, bits: u32) {
  let mask = (1u << bits) - 1u;
  var own_keys: array<u32, ${share}>;
  var own_payloads: array<u32, ${share}>;
  for (var d = 0; d < 16; d++) { columns[d * ${lanes} + lane] = 0u; }
  let first = lane * ${share};
  let own = clamp(size - first, 0, ${share});
  for (var i = 0; i < own; i++) {
    own_keys[i] = tile_keys[first + i];
    own_payloads[i] = tile_payloads[first + i];
    columns[i32((own_keys[i] >> shift) & mask) * ${lanes} + lane] += 1u;
  }
  workgroupBarrier();
  var sum = 0u;
  for (var i = 0; i < 16; i++) { sum += columns[lane * 16 + i]; }
  var before = lane_scan(lane, sum) - sum;
  for (var i = 0; i < 16; i++) {
    let counted = columns[lane * 16 + i];
    columns[lane * 16 + i] = before;
    before += counted;
  }
  workgroupBarrier();
  for (var i = 0; i < own; i++) {
    let column = i32((own_keys[i] >> shift) & mask) * ${lanes} + lane;
    let place = columns[column];
    columns[column] = place + 1u;
    tile_keys[place] = own_keys[i];
    tile_payloads[place] = own_payloads[i];
  }
  workgroupBarrier();
}`;
