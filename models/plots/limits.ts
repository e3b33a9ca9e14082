/** Observations of which a limit alone is known: they are no values that a prediction could miss. */
import { seenOf, type LikelihoodBlock } from '../blocks/likelihood.ts';
import type { CheckedBlock, Link } from '../graph/checked.ts';
import { isDocumentNumber, toNumber } from '../notation/numbers.ts';
import type { CensoredSide } from '../notation/plot-marks.ts';
import type { Told } from '../objective/observation.ts';

export interface Limit {
  readonly side: CensoredSide;
  readonly at: Link | number;
  /** The end of an interval is neither. */
  readonly told: Told | undefined;
}

/** In the order in which the likelihood asks for them. */
export function limitsOf({ node, links, detail }: CheckedBlock): Limit[] {
  const { censored } = node.block as LikelihoodBlock;
  if (!censored) return [];
  const seen = seenOf(detail);
  return (['left', 'right', 'interval'] as const).flatMap((side): Limit[] => {
    const written = censored[side];
    if (written === undefined) return [];
    const at = isDocumentNumber(written) ? toNumber(written) : links.get(`censored.${side}`);
    return at === undefined ? [] : [{ side, at, told: side === 'interval' ? undefined : seen[side] }];
  });
}

/** An observation as it is known. */
export interface Limited {
  readonly side: CensoredSide;
  /** The limit; of an interval where it begins. */
  readonly at: number;
}

/** Undefined of what was seen as it is; `valueAt(k)` is that of the k-th limit at the row of the observation `y`. */
export function limitedBy(
  limits: readonly Limit[],
  y: number,
  valueAt: (limit: number) => number,
): Limited | undefined {
  for (const [k, { side, told }] of limits.entries()) {
    const value = valueAt(k);
    if (told === 'mark') {
      if (value !== 0) return { side, at: y };
    } else if (side === 'interval' ? y < value : side === 'left' ? y <= value : value <= y)
      return { side, at: side === 'interval' ? y : value };
  }
  return undefined;
}
