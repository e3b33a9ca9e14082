/**
 * Whether two ways of computing one tuple agree up to rounding.
 */
import type { ElementType } from '../../engine/index.ts';
import type { Element } from './draw.ts';
import type { Trace } from './trace.ts';

/** Computes a tuple, tracing every operation on the way. */
export type Side = (trace: Trace) => Element;

export type Comparison =
  | { readonly kind: 'agree' }
  /** f64 left its range on the way, so that nothing can be said. */
  | { readonly kind: 'aside' }
  | { readonly kind: 'differ'; readonly left: Element; readonly right: Element };

/** Relative to the largest intermediate: far above what rounding does, far below what a wrong law does. */
const tolerance = 1e-9;
const nudges = 8;
const nudgeSize = 1e-12;

/**
 * Two sides differ where they are further apart than `tolerance` times the largest intermediate of both, and where no
 * rounding explains it: with every rounded result nudged at random, the ranges of the two sides stay apart. That clears
 * what divides by a small difference or jumps (mod) where a sum that is whole on paper is not in f64.
 *
 * `strictNaN`: a NaN is a difference even where f64 left its range (0/0 in an inverse).
 */
export function compareSides(
  types: readonly ElementType[],
  left: Side,
  right: Side,
  random: () => number,
  strictNaN = false,
): Comparison {
  const trace: Trace = { largest: 0, strayed: false };
  const [l, r] = [left(trace), right(trace)];
  if (trace.strayed && !(strictNaN && [...l, ...r].some(Number.isNaN))) return { kind: 'aside' };
  const margin = tolerance * trace.largest;
  if (types.every((type, i) => near(type, l[i], r[i], margin))) return { kind: 'agree' };

  const ranges = types.map((_, i) => ({ left: [at(l, i)], right: [at(r, i)] }));
  for (let trial = 0; trial < nudges; trial++) {
    const nudged: Trace = { largest: 0, strayed: false, nudge: () => 1 + nudgeSize * random() };
    const [nl, nr] = [left(nudged), right(nudged)];
    for (const [i, range] of ranges.entries()) {
      range.left.push(at(nl, i));
      range.right.push(at(nr, i));
    }
  }
  const explained = ranges.every((range, i) => overlap(types[i] ?? 'real', range.left, range.right, margin));
  return explained ? { kind: 'agree' } : { kind: 'differ', left: l, right: r };
}

function at(element: Element, i: number): number {
  return element[i] ?? NaN;
}

function near(type: ElementType, a: number | undefined, b: number | undefined, margin: number): boolean {
  if (a === undefined || b === undefined) return false;
  if (a === b || (Number.isNaN(a) && Number.isNaN(b))) return true;
  return type === 'real' && Math.abs(a - b) <= margin;
}

function overlap(type: ElementType, left: readonly number[], right: readonly number[], margin: number): boolean {
  if (left.some((a) => right.some((b) => near(type, a, b, margin)))) return true;
  return type === 'real' && Math.max(...left) >= Math.min(...right) && Math.max(...right) >= Math.min(...left);
}
