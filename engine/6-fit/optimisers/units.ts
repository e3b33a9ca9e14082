/**
 * Coordinates in units of their size at the start, v = u/|u₀| (1 where that is 0), for methods that are not indifferent
 * to units: in steepest descent 250 and 5·10⁻⁴ count alike.
 */
import type { Bounds } from '../coordinates.ts';
import type { Ending, OptimiserOptions } from '../problem.ts';
import type { Slope } from '../stationary/stationary.ts';

export interface Units {
  readonly start: Float64Array;
  readonly bounds: readonly Bounds[];
  readonly options: OptimiserOptions;
  /** u of v; a bound of one is a bound of the other, whatever rounding says. */
  readonly point: (v: Float64Array) => Float64Array;
  /** A direction by u of one by v. */
  readonly direction: (v: Float64Array) => Float64Array;
  /** Derivatives by v of those by u. */
  readonly slope: <S extends Slope>(byU: S) => S;
}

export async function inUnitsOfStart(
  all: readonly Bounds[],
  start: Float64Array,
  options: OptimiserOptions,
  minimise: (units: Units) => Promise<Ending>,
): Promise<Ending> {
  const size = start.map((u) => Math.abs(u) || 1);
  const times = (v: Float64Array): Float64Array => v.map((value, j) => value * size[j]!);
  const bounds = all.map(({ lower, upper }, j): Bounds => {
    const unit = size[j]!;
    return { lower: lower / unit, upper: upper / unit };
  });
  const point = (v: Float64Array): Float64Array =>
    times(v).map((u, j) => {
      const [of, by] = [all[j]!, bounds[j]!];
      if (v[j]! <= by.lower) return of.lower;
      return v[j]! >= by.upper ? of.upper : u;
    });
  const { onIteration } = options;
  const ending = await minimise({
    start: start.map((u, j) => u / size[j]!),
    bounds,
    options: {
      ...options,
      ...(onIteration && { onIteration: (iteration, energy, v) => onIteration(iteration, energy, point(v)) }),
    },
    point,
    direction: times,
    slope: (byU) => ({ ...byU, gradient: times(byU.gradient) }),
  });
  return { ...ending, point: point(ending.point) };
}
