/**
 * Linearised intervals p̂ ± q·se, from the covariance of the fit (6-fit/report/statistics.ts: QR with columns scaled to one, or
 * the inverse Hessian), at any level; q is Student's t where the noise is estimated, else z.
 *
 * The sandwich, on request, holds where the noise is not equally strong everywhere (White 1980, DOI 10.2307/1912934; HC1):
 *   C = n/(n − p) · (JᵀJ)⁻¹ · Jᵀ·diag(r²)·J · (JᵀJ)⁻¹
 *
 * and of a marginal likelihood with the scores of its groups (Huber 1967; Liang & Zeger 1986, DOI 10.1093/biomet/73.1.13)
 *   C = H⁻¹ · Σ_g s_g·s_gᵀ · H⁻¹,   s_g = ∂(−log L_g)/∂θ
 */
import type { Device } from '../../5-runtime/device.ts';
import { openAnswers } from '../../6-fit/answers.ts';
import { coordinateSlopes, isPositive } from '../../6-fit/coordinates.ts';
import { marginalOf } from '../../6-fit/marginal/marginal.ts';
import type { Directions } from './directions.ts';
import type { MethodResult } from './problem.ts';
import { covarianceOf, criticalValue, type Fitted } from './fitted.ts';
import { boundNear } from '../../6-fit/report/errors.ts';
import { closestTo, passedBy, verdictOf } from '../../6-fit/report/verdict.ts';

/** ∇ᵀ·C·∇; what something does not depend on may be undetermined. NaN where it depends on what is. */
export function varianceAlong(gradient: ArrayLike<number>, covariance: readonly ArrayLike<number>[]): number {
  let total = 0;
  for (let i = 0; i < gradient.length; i++) {
    if (gradient[i] === 0) continue;
    for (let j = 0; j < gradient.length; j++) {
      const product = gradient[i]! * gradient[j]!;
      if (product !== 0) total += product * (covariance[i]?.[j] ?? NaN);
    }
  }
  return total;
}

/** Undefined where there are no residuals, or no more of them than parameters. */
export function sandwichOf(fitted: Fitted, { linear }: Directions): Float64Array[] | undefined {
  if (!linear || !(fitted.freedom > 0)) return undefined;
  const { residuals, jacobian } = linear;
  const bread = covarianceOf(fitted).map((row) => row.map((value) => value / fitted.variance));
  const n = fitted.problem.observations;
  const meat = bread.map(() => new Float64Array(bread.length));
  const influence = new Float64Array(bread.length);
  const isHeld = heldAtBounds(fitted);
  for (let row = 0; row < residuals.length; row++) {
    bread.forEach((entries, i) => {
      let total = 0;
      entries.forEach((value, j) => (total += isHeld[j] ? 0 : value * jacobian[j]![row]!));
      influence[i] = total * residuals[row]!;
    });
    meat.forEach((entries, i) => influence.forEach((value, j) => (entries[j] = entries[j]! + value * influence[i]!)));
  }
  return meat.map((entries) => entries.map((value) => (value * n) / fitted.freedom));
}

/** What lies at its bound or edge has no covariance, and the others are what they are beside it. */
function heldAtBounds({ result, names }: Fitted): boolean[] {
  const held = new Set(result.estimates.flatMap(({ name, atBound }) => (atBound === undefined ? [] : [name])));
  return names.map((name) => held.has(name));
}

/** Of a problem with `byGroup`, whose energy has no priors. */
export async function groupSandwichOf(fitted: Fitted, device: Device): Promise<Float64Array[]> {
  const { problem, all, point } = fitted;
  const bread = covarianceOf(fitted);
  const meat = bread.map(() => new Float64Array(bread.length));
  const isHeld = heldAtBounds(fitted);
  const slopes = all.map((coordinate, j) => coordinateSlopes(coordinate, point[j]!)[0]);
  const { layout, counted } = marginalOf(problem, all);
  const answers = openAnswers(device, problem);
  try {
    for (const group of layout.blocks.keys()) {
      const counts = new Float64Array(layout.blocks.length).fill(1, group, group + 1);
      const { gradient } = await answers.ask(counted.slope, { point, counts });
      const score = gradient.map((value, j) => value / slopes[j]!);
      const influence = bread.map((row) =>
        row.reduce((sum, value, j) => (isHeld[j] ? sum : sum + value * score[j]!), 0),
      );
      meat.forEach((row, i) => influence.forEach((value, j) => (row[j] = row[j]! + value * influence[i]!)));
    }
  } finally {
    answers.release();
  }
  return meat;
}

/** The intervals that the errors of the fit give, or a sandwich. */
export function covarianceIntervals(
  fitted: Fitted,
  directions: Directions,
  sandwich: readonly Float64Array[] | undefined,
  level: number,
): MethodResult {
  const quantile = criticalValue(fitted, level);
  const { all, names, values, result, freedom, correlation, errors } = fitted;
  const estimates = new Map(result.estimates.map((estimate) => [estimate.name, estimate]));
  const intervals = all.map((coordinate, j) => {
    const name = names[j]!;
    const standardError = sandwich ? Math.sqrt(sandwich[j]?.[j] ?? NaN) : errors[j]!;
    const value = values[j]!;
    const [lower, upper] = [value - quantile * standardError, value + quantile * standardError];
    const atBound = estimates.get(name)?.atBound;
    const verdict = verdictOf({
      value,
      lower,
      upper,
      atBound,
      bound: boundNear(coordinate, atBound, value),
      partners: directions.partners[j] ?? [],
      closest: closestTo(names, correlation, j),
      symmetricThoughPositive: isPositive(coordinate),
      passed: passedBy(coordinate, [lower, upper]),
      idle: directions.idle[j] ?? false,
      why: Number.isNaN(quantile) && freedom <= 0 ? 'there are no more observations than parameters' : undefined,
    });
    return { lower, upper, verdict, figures: { standardError } };
  });
  return { intervals, diagnostics: {}, warnings: [], cancelled: false };
}
