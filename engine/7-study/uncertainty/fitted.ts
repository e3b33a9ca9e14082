/** What a study of uncertainty starts from. */
import studentQuantile from '@stdlib/stats-base-dists-t-quantile';
import normalQuantile from '@stdlib/stats-base-dists-normal-quantile';
import {
  clamp,
  coordinateName,
  coordinateSlopes,
  coordinates,
  fromCoordinate,
  toCoordinate,
  type Coordinate,
  wayToEnd,
} from '../../6-fit/coordinates.ts';
import type { FitProblem } from '../../6-fit/problem.ts';
import type { Estimate, FitResult } from '../../6-fit/report/report.ts';
import { FEW_ROWS } from '../../6-fit/report/verdict.ts';

/** A fit that has converged, and the problem that it solved. */
export interface Fitted<R extends StoredFit = FitResult> {
  readonly problem: FitProblem;
  readonly result: R;
  /** Of the free elements. */
  readonly all: readonly Coordinate[];
  readonly names: readonly string[];
  /** In the optimiser's coordinates. */
  readonly point: Float64Array;
  /** The parameters' own values, their standard errors (NaN where undetermined), and their correlation. */
  readonly values: Float64Array;
  readonly errors: Float64Array;
  readonly correlation: readonly (readonly number[])[];
  /** Rows that count less the directions that the data see of the parameters that are not at a bound. */
  readonly freedom: number;
  /** The variance by which sums of squares are scaled: SSR over the freedom, or 1 where sigma is known or it is no such sum; NaN where it is not known. */
  readonly variance: number;
  /** Why that is not known. */
  readonly noVariance?: string;
  /** It is that of rounding: every row is met. */
  readonly exact?: true;
  /** By element, by what a rise of the energy is divided to be one of χ²: the variance, or that of an M-estimator. */
  readonly rises: Float64Array;
}

/** What has to be known of a fit to take up where it ended. */
export interface StoredFit extends Pick<FitResult, 'correlation' | 'energy' | 'status'> {
  /** Whether it ended where the slope jumps. */
  readonly kink?: true | undefined;
  /** Whether every row is met to rounding. */
  readonly exact?: true | undefined;
  /** 0 where a stored fit does not tell. */
  readonly unseen?: number | undefined;
  readonly estimates: readonly (Pick<Estimate, 'name' | 'value' | 'standardError'> & {
    readonly atBound?: Estimate['atBound'] | undefined;
    readonly rise?: number | undefined;
  })[];
}

export function fittedFrom<R extends StoredFit>(problem: FitProblem, result: R): Fitted<R> {
  const all = coordinates(problem.parameters);
  const names = all.map(coordinateName);
  const byName = new Map(result.estimates.map((estimate) => [estimate.name, estimate]));
  const estimates = names.map((name) => byName.get(name));
  const values = Float64Array.from(estimates, (estimate) => estimate?.value ?? NaN);
  const inside = estimates.filter((estimate) => estimate?.atBound === undefined).length;
  const freedom = problem.observations - inside + (result.unseen ?? 0) + (problem.tied ?? 0);
  const estimated = problem.residuals.length > 0 && !problem.sigmaKnown;
  const noVariance = estimated && freedom <= 0 ? FEW_ROWS : undefined;
  const variance = noVariance !== undefined ? NaN : estimated ? result.energy / freedom : 1;
  return {
    problem,
    result,
    all,
    names,
    point: Float64Array.from(all, (coordinate, j) => toCoordinate(coordinate, values[j]!)),
    values,
    errors: Float64Array.from(estimates, (estimate) => estimate?.standardError ?? NaN),
    correlation: result.correlation.matrix,
    freedom,
    variance,
    ...(noVariance !== undefined && { noVariance }),
    ...(estimated && result.exact && { exact: true }),
    rises: Float64Array.from(estimates, (estimate) => (Number.isFinite(estimate?.rise) ? estimate!.rise! : variance)),
  };
}

/**
 * A covariance, by the free elements: standard errors, NaN where a parameter is not determined, and their correlation. The product
 * of two errors of 10²⁰⁰ is no number.
 */
export type Spread = Pick<Fitted, 'errors' | 'correlation'>;

/** Half of a two-sided interval in units of the standard error: Student's t where the noise is estimated or bent, else z. NaN where it is not known. */
export function criticalValue({ problem, freedom, noVariance }: Fitted<StoredFit>, level: number): number {
  const share = (1 + level) / 2;
  if (noVariance !== undefined) return NaN;
  if (problem.residuals.length === 0 || (problem.sigmaKnown && !problem.robust)) return normalQuantile(share, 0, 1);
  return freedom > 0 ? studentQuantile(share, freedom) : NaN;
}

/**
 * By what the distances of an interval's ends from the fit are multiplied where replicates have drawn it: residuals of few rows
 * tell less of the noise than normal errors of known size would, as Student's t over z says.
 */
export function replicateReach(fitted: Fitted<StoredFit>, level: number): number {
  const reach = criticalValue(fitted, level) / normalQuantile((1 + level) / 2, 0, 1);
  return Number.isFinite(reach) ? reach : 1;
}

/** Whether parameter j has come to where no slope is felt: a share of 0, a scale of 0, a bound by its logit. */
export function isAtEdge({ all, names, point, result }: Fitted<StoredFit>, j: number): boolean {
  const coordinate = all[j]!;
  if (coordinate.parameter.edge === undefined && wayToEnd(coordinate, point[j]!) === undefined) return false;
  return result.estimates.some(({ name, atBound }) => name === names[j] && atBound !== undefined);
}

/**
 * The fit, but what is at its edge where the document begins: a search from the edge never leaves it. The fit's own point where
 * nothing is.
 */
export function offEdges(fitted: Fitted): Float64Array {
  const { all, point } = fitted;
  if (!all.some((_, j) => isAtEdge(fitted, j))) return point;
  return point.map((u, j) => {
    const { parameter, element } = all[j]!;
    return isAtEdge(fitted, j) ? toCoordinate(all[j]!, parameter.initial[element] ?? NaN) : u;
  });
}

/** The size of each coordinate's moves: its standard error, where it has one. */
export function unitsOf({ all, point, errors }: Pick<Fitted, 'all' | 'point' | 'errors'>): Float64Array {
  return Float64Array.from(all, (coordinate, i) => {
    const error = errors[i]! / coordinateSlopes(coordinate, point[i]!)[0];
    return error > 0 && Number.isFinite(error) ? error : Math.abs(point[i]!) || 1;
  });
}

/**
 * A value of parameter j so many times as far from the fit, on the scale on which it is varied and inside its bounds. The logit of a
 * bound is infinite, and distances from there are of the value itself; of free numbers at their edge none means anything.
 */
export function stretched(fitted: Fitted<StoredFit>, j: number, reach: number): (value: number) => number {
  const coordinate = fitted.all[j]!;
  if (reach === 1) return (value) => value;
  if (!isAtEdge(fitted, j)) {
    const at = fitted.point[j]!;
    return (value) =>
      fromCoordinate(coordinate, clamp(at + reach * (toCoordinate(coordinate, value) - at), coordinate));
  }
  const { parameter, element } = coordinate;
  if (parameter.edge !== undefined) return (value) => value;
  const at = fromCoordinate(coordinate, fitted.point[j]!);
  const least = parameter.scale === 'log' ? 0 : -Infinity;
  const bounds = { lower: Math.max(least, parameter.lower[element]!), upper: parameter.upper[element]! };
  return (value) => clamp(at + reach * (value - at), bounds);
}
