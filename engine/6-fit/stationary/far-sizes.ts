/**
 * Parameters so large, or so small, that what a likelihood curves by them, of the size of 1/u², is no number: that of a normal one by
 * a mean and its sigma of 10²⁰⁰ is 0, and by ones of 10⁻²⁰⁰ infinite. Nothing can be told of a minimum there.
 */
import { knownName, startingPoint, type Coordinate } from '../coordinates.ts';
import { EDGE_OF_NUMBERS, isSquares, type Expansion } from './stationary.ts';

/** Farther from 1 the square has lost its digits, or will. */
const FAR = Math.sqrt(EDGE_OF_NUMBERS);
/** What has come farther from its start has run off, and that is the reason. */
const AS_BEGUN = 1e6;

/** Undefined where all sizes are ordinary, or only on the way have become none, or something curves by each of them all the same. */
export function beyondNumbers(
  point: Float64Array,
  expansion: Expansion,
  all: readonly Coordinate[],
): string | undefined {
  if (isSquares(expansion)) return undefined;
  const start = startingPoint(all);
  const far = all.findIndex(({ parameter }, j) => {
    const size = Math.abs(point[j]!);
    const begun = Math.abs(start[j]!);
    const curvature = Math.abs(expansion.hessian[j]![j]!);
    if (parameter.scale !== 'linear' || size === 0 || size > AS_BEGUN * begun || size < begun / AS_BEGUN) return false;
    return size > 1 / FAR ? curvature < EDGE_OF_NUMBERS : size < FAR && !(curvature < 1 / EDGE_OF_NUMBERS);
  });
  if (far < 0) return undefined;
  const size = point[far]!.toPrecision(2);
  return `at "${knownName(all[far]!)}" = ${size} second derivatives are beyond the numbers: give the data in another unit`;
}
