/** How exactly an adaptive solution follows its equations, step by step. */
import { toNumber } from '../../../notation/numbers.ts';
import type { OdeBlock } from '../schema.ts';

export interface Tolerance {
  readonly relative: number;
  readonly absolute: number;
}

/** Such that the end of an ordinary system, and of one that forgets little, is right to four digits. */
export const usualTolerance: Tolerance = { relative: 1e-9, absolute: 1e-12 };

export function toleranceOf({ tolerance = {} }: OdeBlock): Tolerance {
  const { relative, absolute } = tolerance;
  return {
    relative: relative === undefined ? usualTolerance.relative : toNumber(relative),
    absolute: absolute === undefined ? usualTolerance.absolute : toNumber(absolute),
  };
}
