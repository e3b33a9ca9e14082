/**
 * Where chunks, lanes and nodes of a tree meet. (x₀ ⊙ … ⊙ xₖ) ⊙ (xₖ₊₁ ⊙ … ⊙ xₙ) is the sequential result but for rounding –
 * and but for what has overflowed or vanished on one side: 3³⁰⁰ is ∞ in f32 and ∞·0 NaN, where x' = 3x + u from 0 stays 0
 * from step to step. So a join whose parts are in doubt does not count, and elements are combined one by one instead.
 *
 * The CPU backend asks more (its joins.ts): there no join with a carry above 2²² counts, since a part may have lost bits
 * among subnormal numbers and risen again, and only one tile is done again. Here one thread goes over the whole result, and
 * every long x' = x/2 + u of numbers in the millions would be its. So parts that have come out normal are believed here,
 * whatever they are joined to. And WGSL lets a GPU take subnormal numbers for zero: what a part loses at a step is up to
 * 2⁻¹²⁶, not 2⁻¹⁵⁰, and behind a carry of up to 2²² a join that counts is as exact as combining one by one where numbers
 * below 2⁻¹⁰⁴ are taken for zero.
 */
import { isCertain, mayLose } from '../../../0-ir/certainty.ts';
import type { Operator } from '../../../0-ir/operators.ts';
import type { KernelWriter } from '../wgsl/kernel-writer.ts';

export function mayBeInDoubt(operator: Operator): boolean {
  return !isCertain(operator);
}

/**
 * Declares `in_doubt(a, b, joined)` for a struct `Tuple`. Nothing is in doubt where all are normal numbers, or where none is
 * large, so that what has vanished would have contributed next to nothing: less than 2⁻¹⁰⁴. Magnitudes are ordered as
 * their bits are, NaN above ∞.
 */
export function declareDoubt(writer: KernelWriter, operator: Operator): void {
  const each = (side: string): string[] =>
    mayLose(operator)
      .flatMap((loses, i) => (loses ? i : []))
      .map((i) => `bitcast<u32>(${side}.c${i}) & 0x7fffffffu`);
  const sizes = ['a', 'b', 'joined'].flatMap(each);
  const over = (choose: 'min' | 'max'): string => sizes.reduce((all, size) => `${choose}(${all}, ${size})`);
  // 2²², the smallest normal number, ∞.
  writer.declare(`fn in_doubt(a: Tuple, b: Tuple, joined: Tuple) -> bool {
  let most = ${over('max')};
  return most > 0x4a800000u && (most >= 0x7f800000u || ${over('min')} < 0x00800000u);
}`);
}
