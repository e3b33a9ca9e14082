/** Observations of which a limit alone is known: they are no values that a prediction could miss. */
import type { CensoredSide } from '../notation/plot-marks.ts';
import type { Told } from './observation.ts';

/** In the order in which a likelihood asks for them. */
export const censoredSides: readonly CensoredSide[] = ['left', 'right', 'interval'];

export interface LimitKind {
  readonly side: CensoredSide;
  /** The end of an interval is neither. */
  readonly told: Told | undefined;
}

/** An observation as it is known. */
export interface Limited {
  readonly side: CensoredSide;
  /** The limit; of an interval where it begins. */
  readonly at: number;
}

/** Undefined of what was seen as it is; `valueAt(k)` is that of the k-th limit at the row of the observation `y`. */
export function limitedBy(
  limits: readonly LimitKind[],
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
