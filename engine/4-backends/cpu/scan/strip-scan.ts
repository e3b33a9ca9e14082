/**
 * A block of a scan in strips (strips.ts): lanes carry on side by side what one chain would make element by element, so that
 * no instruction waits for the one before it. ⊙ need not commute. The elements go into scratch, a vector for each place of
 * so many strips (strip-layout.ts), then
 *
 *   up-sweep   Tₛ = x ⊙ … ⊙ x of each strip; Pₛ = T₀ ⊙ … ⊙ Tₛ.
 *   carry      The carry of the tile before ⊙ the last Pₛ is the carry of the tile after (hand-on.ts); each strip is gone
 *              through once more, from carry ⊙ Pₛ₋₁ on.
 *   show       What is carried at each place, out of scratch.
 *
 * Only the second knows the carry, so that tiles wait for each other no longer than a join takes, and threads share all else: the
 * reduction of a tile decoupled from the look-back at the one before, as in Merrill and Garland, Single-pass Parallel Prefix
 * Scan with Decoupled Look-back (NVIDIA, NVR-2016-002). Theirs looks back over as many tiles as have no prefix yet; ours over
 * one, since to hand on costs a join. It combines what is carried alone (carried-part.ts).
 *
 * All is speculative: a block does not count, and is gone through element by element, where a join is in doubt (joins.ts), where
 * ⊙ took another side than the likely one (speculative.ts), and where anything combined in the up-sweep or carried on is so
 * large that their product could overflow on its way though its end does not show it.
 */
import type { Accumulator } from '../combine/combining.ts';
import type { Kernel } from '../kernel.ts';
import type { Line } from '../walk/access.ts';
import type { Written } from '../walk/blocks.ts';
import type { Expression, Local } from '../wasm/expression.ts';
import { carryOn, nextCarry } from './strip-carry.ts';
import type { StripTile } from './strip-layout.ts';
import { stripParts } from './strip-parts.ts';
import { showStrips } from './strip-show.ts';
import { upSweep } from './strip-up-sweep.ts';

export interface StripBlock {
  /** The up-sweep of the elements on these lines, one of each component of the whole: whether they count so far, a local. */
  combine(elements: readonly Line[], each: Expression): Local;
  /** carry ⊙ the block, the carry being the total's; whether it counts. */
  next(): { readonly carry: Accumulator; readonly isSure: Expression };
  /** Whether the block counts. The total then holds what the block ends with. */
  carryOn(each: Expression): Expression;
  /** What is carried at each place, to these lines, one of each component shown. */
  show(lines: readonly Written[], each: Expression): void;
}

/** `base`: so many bytes of scratch (`stripScratch`). */
export function stripBlock(k: Kernel, tile: StripTile, base: Expression): StripBlock {
  const parts = stripParts(k, tile, base);
  return {
    combine(elements, each) {
      upSweep(parts, elements, each);
      return parts.sure;
    },
    next: () => nextCarry(parts),
    carryOn: (each) => carryOn(parts, each),
    show: (lines, each) => showStrips(parts, lines, each),
  };
}
