/** When methods that follow gradients have arrived: the projected gradient, free of the units of u and of the objective. */
import { clamp, type Bounds } from './coordinates.ts';
import { numbers } from './vectors.ts';

/** A function's value and gradient by u. */
export interface Slope {
  readonly value: number;
  readonly gradient: Float64Array;
}

export function isFiniteSlope({ value, gradient }: Slope): boolean {
  return Number.isFinite(value) && gradient.every(Number.isFinite);
}

/** The start is no start: what is wrong with it. */
export const noStart = ({ value }: Slope): string =>
  `at the starting values the objective is ${value}${Number.isFinite(value) ? ', and its derivatives are not finite' : ''}`;

/** Whether u_j is at a bound towards which -gradient points. */
export function isHeld(point: Float64Array, gradient: Float64Array, all: readonly Bounds[], j: number): boolean {
  const { lower, upper } = all[j] as Bounds;
  const [u, slope] = [point[j] as number, gradient[j] as number];
  return (u <= lower && slope > 0) || (u >= upper && slope < 0);
}

/** u + t·d, moved inside the bounds. */
export function moved(point: Float64Array, step: Float64Array, all: readonly Bounds[], t = 1): Float64Array {
  return numbers(point.length, (j) => clamp((point[j] as number) + t * (step[j] as number), all[j] as Bounds));
}

/**
 * max over the coordinates that are not held of |g_j|·max(|u_j|, 1) / |f|: the relative change of f for a change of u_j
 * of its own size. `reference`: a size of f below which it is 0 to rounding.
 */
export function slopeLeft(
  { value, gradient }: Slope,
  point: Float64Array,
  all: readonly Bounds[],
  reference: number,
): number {
  let largest = 0;
  for (let j = 0; j < point.length; j++)
    if (!isHeld(point, gradient, all, j))
      largest = Math.max(largest, Math.abs(gradient[j] as number) * Math.max(Math.abs(point[j] as number), 1));
  return largest === 0 ? 0 : largest / Math.max(Math.abs(value), reference);
}
