/**
 * Whether f changes within a hair's breadth of u by more than its slopes make of it,
 *
 *     |f(u + t·d) − f(u)| > 4·t·max(|dᵀg(u)|, |dᵀg(u + t·d)|) + what is lost in rounding + `telling`,  d = |u|,
 *
 * as no convex function does. It jumps there, or what is left of its terms is rounding: log Γ(ν + ½) − log Γ(ν) is, where ν is
 * 10¹⁵, and slopes of that say nothing of where f is least.
 */
import { dot } from '../algebra/vectors.ts';
import type { Bounds } from '../coordinates.ts';
import { isFiniteSlope, moved, type Slope } from './stationary.ts';

/** Of u: many, since what is rounded may be rounded the same way twice. */
const HAIRS = [1e-7, 3e-8, 9e-9, 3e-9, 8e-10, 2e-10].flatMap((t) => [t, -t]);
const STEEPER = 4;
/** Of f, in units of rounding: as much is lost where many terms are added up. */
const LOST = 1e4;

export async function isRough(
  slopeAt: (u: Float64Array) => Promise<Slope>,
  all: readonly Bounds[],
  point: Float64Array,
  telling: number,
  rounding: number,
): Promise<boolean> {
  const here = await slopeAt(point);
  const direction = point.map((u) => Math.abs(u) || 1);
  const hairs = rounding > 1e-10 ? HAIRS.map((t) => 1e4 * t) : HAIRS;
  for (const t of hairs) {
    const next = await slopeAt(moved(point, direction, all, t));
    if (!isFiniteSlope(next)) continue;
    const slope = Math.max(Math.abs(dot(here.gradient, direction)), Math.abs(dot(next.gradient, direction)));
    const most = STEEPER * Math.abs(t) * slope + LOST * rounding * Math.abs(here.value) + telling;
    if (Math.abs(next.value - here.value) > most) return true;
  }
  return false;
}
