/**
 * The stable ascending order of keys along the last axis, by merging: in each pass a thread takes one entry of the order
 * so far to its place in the merged run, found by bisection in the neighbouring run. ⌈log₂ n⌉ passes, no atomics.
 */
import { sizeProduct, type Size } from '../../0-ir/sizes.ts';
import { denseStrides } from '../../3-plan/view.ts';
import type { SortStep } from '../../3-plan/plan.ts';
import { KernelWriter, readSource, sourceBase } from './kernel-writer.ts';
import type { KernelFamily } from './module.ts';
import { Space } from './space.ts';

export const sort: KernelFamily<SortStep> = {
  generate(step) {
    const writer = new KernelWriter();
    const last = step.domain.length - 1;
    const rows = new Space(writer, step.domain.slice(0, last), 'row');
    const length = writer.size(step.domain[last] as Size);
    const side = (base: string, strides: readonly Size[]): { base: string; stride: string } => ({
      base: rows.address(base, strides.slice(0, last)),
      stride: writer.size(strides[last] as Size),
    });
    const keys = side(sourceBase(writer, step.keys), step.keys.strides);
    const output = side(writer.place(step.output), step.output.strides);
    const scratch = side(writer.place({ buffer: step.scratch, offset: 0 }), denseStrides(step.domain));
    // Width of the sorted runs; whether the order so far is in scratch.
    const width = writer.word(0);
    const inScratch = `${writer.word(1)} != 0`;
    writer.declare(`fn entry(base: i32, stride: i32, at: i32) -> i32 {
  if (${width} == 1) { return at; }
  return bitcast<i32>(arena[base + at * stride]);
}`);
    writer.declare(`fn key(base: i32, at: i32) -> i32 {
  return ${readSource(writer, step.keys, `base + at * ${keys.stride}`)};
}`);
    const kernel = writer.finish([
      `let row = item / ${length};`,
      `let at = item % ${length};`,
      ...prepend(rows, [
        `let keys = ${keys.base};`,
        `var source = ${output.base}; var source_stride = ${output.stride};`,
        `var target_base = ${scratch.base}; var target_stride = ${scratch.stride};`,
        `if (${inScratch}) {`,
        '  let base = source; let stride = source_stride;',
        '  source = target_base; source_stride = target_stride;',
        '  target_base = base; target_stride = stride;',
        '}',
      ]),
      `let start = at - at % (2 * ${width});`,
      `let middle = min(start + ${width}, ${length});`,
      `let end = min(start + 2 * ${width}, ${length});`,
      'let own = entry(source, source_stride, at);',
      'let own_key = key(keys, own);',
      'let in_left = at < middle;',
      // Equal keys of the left run come first: a left entry passes the smaller ones, a right entry the equal ones too.
      'var low = select(start, middle, in_left);',
      'var high = select(middle, end, in_left);',
      'let before = at - select(middle, start, in_left);',
      'let first = low;',
      'while (low < high) {',
      '  let probe = low + (high - low) / 2;',
      '  let other = key(keys, entry(source, source_stride, probe));',
      '  if (other < own_key || (!in_left && other == own_key)) { low = probe + 1; } else { high = probe; }',
      '}',
      'arena[target_base + (start + before + low - first) * target_stride] = bitcast<u32>(own);',
    ]);
    return { kernels: [kernel], sizes: { items: sizeProduct(step.domain), length: step.domain[last] as Size } };
  },

  schedule({ items = 0, length = 0 }) {
    const passes = Math.max(1, Math.ceil(Math.log2(Math.max(length, 1))));
    return Array.from({ length: passes }, (_, pass) => ({
      kernel: 0,
      items,
      work: 8 * (pass + 2),
      // The last pass must read from scratch to write the output.
      words: [2 ** pass, (passes - pass) % 2, 0] as const,
    }));
  },
};

/** The space's coordinates, declared before the lines that use them. */
function prepend(space: Space, lines: string[]): string[] {
  return [...space.declarations(), ...lines];
}
