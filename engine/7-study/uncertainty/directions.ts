/**
 * Directions in which the data say much or little: the singular values of the Jacobian with columns scaled to one (of a
 * likelihood, the square roots of the eigenvalues of its scaled Hessian). Their ratio is the condition number; a small
 * one names parameters that move together (Belsley, Kuh & Welsch 1980, DOI 10.1002/0471725153; Gutenkunst et al. 2007,
 * DOI 10.1371/journal.pcbi.0030189).
 */
import { coordinateSlopes, knownName } from '../../6-fit/coordinates.ts';
import { cpuDevice } from '../../5-runtime/cpu/cpu-device.ts';
import type { Device } from '../../5-runtime/device.ts';
import { cholesky, choleskyInverse } from '../../6-fit/algebra/cholesky.ts';
import { dot, norm } from '../../6-fit/algebra/vectors.ts';
import type { Quadratic } from '../../6-fit/expansion.ts';
import { batchedLinearisation, batchedQuadratic } from '../../6-fit/ensembles/batched-objective.ts';
import { singularValues } from '../../6-fit/algebra/svd.ts';
import { unitOf, type Squared } from '../../6-fit/algebra/far-units.ts';
import type { Fitted, StoredFit } from './fitted.ts';

export interface Directions {
  readonly conditionNumber: number;
  /** By element: those with which it moves where nothing is determined. */
  readonly partners: readonly (readonly string[])[];
  /** By element: whether the objective is blind to it. */
  readonly idle: readonly boolean[];
  /** In words, the least determined first. */
  readonly sloppy: readonly string[];
  /**
   * Of what has this gradient by the parameters themselves, be they determined one by one or not; NaN where it is not, or
   * where the loss is robust: what is known is the curvature.
   */
  readonly variance: (gradient: Float64Array) => Squared;
  /** Of least squares: residuals, and the Jacobian by the parameters themselves. */
  readonly linear?: { readonly residuals: Float64Array; readonly jacobian: readonly Float64Array[] };
}

/** Relative to the largest singular value: of a Jacobian, and of the root of a Hessian, whose rounding is the root's. */
const nullShare = { jacobian: 1e-10, hessian: 1e-6 };
/** Components of a unit vector that are no rounding. */
const moving = 1e-6;
const sloppyShare = 1e-2;
/** Components of a unit vector that are worth a word. */
const notable = 0.1;

/** Parameters beyond which a stored fit is not taken apart. */
const mostTakenApart = 200;

/** Of a stored fit whose covariance has gaps, that what does not lie in them has a variance all the same. */
export async function directionsAtGaps(fitted: Fitted<StoredFit>): Promise<Directions | undefined> {
  const { problem, all, result } = fitted;
  const known = result.status === 'converged' || result.status === 'not-converged';
  const hasGaps = fitted.errors.some(Number.isNaN);
  if (!known || !hasGaps || problem.noDensity || all.length > mostTakenApart) return undefined;
  // In single precision no direction is blind.
  const device = cpuDevice();
  return directionsAt(fitted, device).finally(() => device.close());
}

export async function directionsAt(fitted: Fitted<StoredFit>, device: Device): Promise<Directions> {
  const { problem, all, point, names, result } = fitted;
  const slopes = all.map((coordinate, j) => coordinateSlopes(coordinate, point[j]!)[0]);
  let columns: Float64Array[];
  let root = (value: number): number => value;
  let linear: Directions['linear'];
  let curvatures: readonly number[] = [];
  let falls: Float64Array | undefined;
  if (problem.residuals.length > 0) {
    const lines = await batchedLinearisation(problem, device, all);
    const [found] = await lines.at([point]).finally(lines.release);
    const { residuals, jacobian } = found as { residuals: Float64Array; jacobian: Float64Array[] };
    columns = jacobian.map((column, j) => column.map((value) => value / slopes[j]!));
    linear = { residuals, jacobian: columns };
  } else {
    const found = result.kink ? undefined : await quadraticAt(fitted, device);
    const hessian = found?.hessian ?? averagedHessian(fitted, slopes);
    falls = found?.gradient;
    const scale = hessian.map((row, i) => Math.sqrt(Math.abs(row[i]!)));
    curvatures = scale;
    columns = hessian.map((row, j) => row.map((value, i) => value / ((scale[i] || 1) * scale[j]! || 1)));
    root = Math.sqrt;
  }
  const bounded = new Set(result.estimates.flatMap(({ name, atBound }) => (atBound ? [name] : [])));
  const sizes = columns.map((column) => norm(column));
  // The Hessian is one by the optimiser's coordinates, in which a slope is p′ times that by p.
  const scales = linear ? sizes : curvatures.map((value, j) => value / slopes[j]!);
  const used = names.flatMap((name, j) => (sizes[j]! > 0 && !bounded.has(name) ? [j] : []));
  const { values, vectors } = singularValues(
    used.map((j) => columns[j]!.map((value) => value / (problem.residuals.length > 0 ? sizes[j]! : 1))),
  );
  const singular = values.map(root);
  const largest = singular[0] ?? NaN;
  const blind = nullShare[linear ? 'jacobian' : 'hessian'] * largest;
  const partners = names.map((): string[] => []);
  const sloppy: string[] = [];
  singular.forEach((value, k) => {
    if (!(value < sloppyShare * largest)) return;
    const vector = vectors[k]!;
    const along = (least: number) => used.filter((_, i) => Math.abs(vector[i]!) > least);
    sloppy.unshift(describe(along(notable), vector, used, names, value < blind));
    if (!(value < blind)) return;
    const members = along(moving);
    for (const j of members)
      for (const other of members)
        if (other !== j && !partners[j]?.includes(knownName(all[other]!))) partners[j]?.push(knownName(all[other]!));
  });
  const smallest = singular.at(-1) ?? NaN;
  return {
    conditionNumber: singular.length === 0 && result.kink ? NaN : smallest > 1e-300 ? largest / smallest : Infinity,
    partners,
    // At a kink no slope of a slope tells it. What a bound holds may go straight on: the mean of counts of which none is above 0.
    idle: sizes.map((size, j) => size === 0 && !result.kink && (falls?.[j] ?? 0) === 0),
    sloppy,
    variance(gradient) {
      const inUnits = Float64Array.from(used, (j) => gradient[j]! / scales[j]!);
      const unit = unitOf(inUnits);
      const scaled = inUnits.map((value) => value / unit);
      const seen = values.flatMap((value, k) => (singular[k]! < blind ? [] : [{ value, vector: vectors[k]! }]));
      const shares = seen.map(({ vector }) => dot(vector, scaled));
      const rest = dot(scaled, scaled) - shares.reduce((sum, share) => sum + share * share, 0);
      const outside = gradient.some((g, j) => g !== 0 && !used.includes(j));
      if (problem.robust || outside || rest > moving ** 2 * dot(scaled, scaled)) return { square: NaN, unit };
      // Of a Jacobian the singular values are the roots of those of JᵀJ.
      const power = linear ? 2 : 1;
      const total = seen.reduce((sum, { value }, k) => sum + shares[k]! ** 2 / value ** power, 0);
      return { square: fitted.variance * total, unit };
    },
    ...(linear && { linear }),
  };
}

async function quadraticAt({ problem, all, point }: Fitted<StoredFit>, device: Device): Promise<Quadratic> {
  const quadratic = await batchedQuadratic(problem, device, all);
  const [found] = await quadratic.at([point]).finally(quadratic.release);
  return found!;
}

/** By the optimiser's coordinates, of which the errors at a kink are (6-fit/report/kink-errors.ts); 0 of what has none. */
function averagedHessian(fitted: Fitted<StoredFit>, slopes: readonly number[]): Float64Array[] {
  const { errors, correlation } = fitted;
  const known = [...errors.keys()].filter((j) => errors[j]! > 0);
  const factor = cholesky(known.map((i) => Float64Array.from(known, (j) => correlation[i]?.[j] ?? NaN)));
  const inverse = factor && choleskyInverse(factor);
  const hessian = Array.from(errors, () => new Float64Array(errors.length));
  known.forEach((i, a) =>
    known.forEach((j, b) => {
      const value = ((inverse?.[a]?.[b] ?? 0) * (slopes[i]! * slopes[j]!)) / (errors[i]! * errors[j]!);
      (hessian[i] as Float64Array)[j] = value;
    }),
  );
  return hessian;
}

function describe(
  members: readonly number[],
  vector: Float64Array,
  used: readonly number[],
  names: readonly string[],
  blind: boolean,
): string {
  const parts = members.map((j) => `${names[j]} (${vector[used.indexOf(j)]!.toFixed(2)})`);
  return `${blind ? 'nothing' : 'little'} is known of the direction in which ${parts.join(', ')} move together, in units of their influence`;
}
