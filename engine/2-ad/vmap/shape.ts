/** The shape operations: axes move by one. */
import type { VmapRule } from '../rule.ts';
import { aligned, withBatch } from './batch.ts';

export const replicate: VmapRule<'replicate'> = (b, c, size, [batched]) =>
  b.emit({ ...c, shape: [size, ...c.shape], value: aligned(b, c.value, Boolean(batched), c.shape.length) });

export const reverse: VmapRule<'reverse'> = (b, c) => b.emit({ ...c, axis: c.axis + 1 });

export const transpose: VmapRule<'transpose'> = (b, c) =>
  b.emit({ ...c, permutation: [0, ...c.permutation.map((axis) => axis + 1)] });

export const reshape: VmapRule<'reshape'> = (b, c, size) => b.emit({ ...c, shape: [size, ...c.shape] });

export const slice: VmapRule<'slice'> = (b, c) => b.emit({ ...c, axis: c.axis + 1 });

export const concatenate: VmapRule<'concatenate'> = (b, c, size, batched) =>
  b.emit({
    ...c,
    axis: c.axis + 1,
    values: c.values.map((value, i) => (batched[i] ? value : withBatch(b, value, size))),
  });
