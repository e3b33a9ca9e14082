/** Buffers get places in one arena: two that are never alive together may share theirs. */
import { sizeValue, type SizeBinding } from '../0-ir/sizes.ts';
import type { ElementType } from '../0-ir/types.ts';
import type { Plan } from './plan.ts';

export interface Layout {
  /** Bytes from the arena's start, one for each buffer of the plan. */
  readonly offsets: readonly number[];
  /** Bytes, with room after the last buffer for one more element. */
  readonly total: number;
}

export interface LayoutOptions {
  /** Every buffer starts at a multiple of so many bytes; 16 unless said (a SIMD register). */
  readonly alignment?: number;
  /** Bytes that stay free after each buffer, for kernels that read whole vectors past an end. */
  readonly padding?: number;
}

/**
 * First fit by lifetime: the largest buffers first, each at the lowest place that no buffer alive at the same time
 * takes. Throws where a size is not bound, or negative.
 */
export function layout(
  plan: Pick<Plan, 'buffers'>,
  sizes: SizeBinding,
  bytesPerElement: Readonly<Record<ElementType, number>>,
  options: LayoutOptions = {},
): Layout {
  const { alignment = 16, padding = 0 } = options;
  const blocks = plan.buffers.map((buffer, id) => {
    const length = sizeValue(buffer.length, sizes);
    if (!(length >= 0)) throw new RangeError(`a buffer of ${buffer.length} elements has length ${length}`);
    const bytes = Math.ceil((length * bytesPerElement[buffer.element] + padding) / alignment) * alignment;
    return { id, bytes, lifetime: buffer.lifetime, offset: 0 };
  });
  const placed: typeof blocks = [];
  for (const block of [...blocks].sort((a, b) => b.bytes - a.bytes || a.id - b.id)) {
    const neighbours = placed.filter((other) => meet(block.lifetime, other.lifetime));
    for (const other of neighbours.sort((a, b) => a.offset - b.offset)) {
      if (block.offset + block.bytes <= other.offset) break;
      block.offset = Math.max(block.offset, other.offset + other.bytes);
    }
    placed.push(block);
  }
  return {
    offsets: blocks.map((block) => block.offset),
    total: alignment + blocks.reduce((total, block) => Math.max(total, block.offset + block.bytes), 0),
  };
}

function meet(a: readonly [number, number], b: readonly [number, number]): boolean {
  return a[0] <= b[1] && b[0] <= a[1];
}
