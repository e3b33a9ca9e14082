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
import { criticalValue, type Fitted, type Spread } from './fitted.ts';
import { boundNear } from '../../6-fit/report/errors.ts';
import { unitOf, type Squared } from '../../6-fit/algebra/far-units.ts';
import { closestTo, passedBy, verdictOf } from '../../6-fit/report/verdict.ts';

/** ∇ᵀ·C·∇; what something does not depend on may be undetermined. NaN where it depends on what is. */
export function varianceAlong(gradient: Float64Array, { errors, correlation }: Spread): Squared {
  const moves = gradient.map((slope, i) => (slope === 0 ? 0 : slope * errors[i]!));
  const unit = unitOf(moves);
  let square = 0;
  for (let i = 0; i < gradient.length; i++) {
    if (gradient[i] === 0) continue;
    for (let j = 0; j < gradient.length; j++)
      if (gradient[j] !== 0) square += (moves[i]! / unit) * (moves[j]! / unit) * (correlation[i]?.[j] ?? NaN);
  }
  return { square, unit };
}

/** Undefined where there are no residuals, or no more of them than parameters. */
export function sandwichOf(fitted: Fitted, { linear }: Directions): Spread | undefined {
  if (!linear || !(fitted.freedom > 0)) return undefined;
  const { residuals, jacobian } = linear;
  const deviation = Math.sqrt(fitted.variance);
  const influence = influences(fitted);
  function* rows(): Generator<Float64Array> {
    for (const [row, r] of residuals.entries())
      yield influence((j) => jacobian[j]![row]! / deviation).map((value) => value * (r / deviation));
  }
  return spreadOf(fitted, rows(), Math.sqrt(fitted.problem.observations / fitted.freedom));
}

/** H⁻¹·s of a score s by the parameters, each element in units of its error. */
function influences(fitted: Fitted): (score: (j: number) => number) => Float64Array {
  const { errors, correlation } = fitted;
  const isHeld = heldAtBounds(fitted);
  return (score) => {
    const scaled = errors.map((error, j) => (isHeld[j] ? 0 : error * score(j)));
    return errors.map((_, i) => {
      let total = 0;
      scaled.forEach((value, j) => (total += isHeld[j] ? 0 : (correlation[i]?.[j] ?? NaN) * value));
      return total;
    });
  };
}

/** Of the sum of squares of rows of influences. */
function spreadOf({ errors }: Fitted, rows: Iterable<Float64Array>, factor: number): Spread {
  const meat = Array.from(errors, () => new Float64Array(errors.length));
  for (const row of rows)
    meat.forEach((entries, i) => row.forEach((value, j) => (entries[j] = entries[j]! + value * row[i]!)));
  const roots = meat.map((entries, i) => Math.sqrt(entries[i]!));
  return {
    errors: errors.map((error, i) => factor * error * roots[i]!),
    correlation: meat.map((entries, i) =>
      Array.from(entries, (value, j) =>
        i === j && Number.isFinite(value * errors[i]!) ? 1 : value / (roots[i]! * roots[j]!),
      ),
    ),
  };
}

/** What lies at its bound or edge has no covariance, and the others are what they are beside it. */
function heldAtBounds({ result, names }: Fitted): boolean[] {
  const held = new Set(result.estimates.flatMap(({ name, atBound }) => (atBound === undefined ? [] : [name])));
  return names.map((name) => held.has(name));
}

/** Of a problem with `byGroup`, whose energy has no priors. */
export async function groupSandwichOf(fitted: Fitted, device: Device): Promise<Spread> {
  const { problem, all, point } = fitted;
  const slopes = all.map((coordinate, j) => coordinateSlopes(coordinate, point[j]!)[0]);
  const { layout, counted } = marginalOf(problem, all);
  const influence = influences(fitted);
  const rows: Float64Array[] = [];
  const answers = openAnswers(device, problem);
  try {
    for (const group of layout.blocks.keys()) {
      const counts = new Float64Array(layout.blocks.length).fill(1, group, group + 1);
      const { gradient } = await answers.ask(counted.slope, { point, counts });
      rows.push(influence((j) => gradient[j]! / slopes[j]!));
    }
  } finally {
    answers.release();
  }
  return spreadOf(fitted, rows, 1);
}

/** The intervals that the errors of the fit give, or a sandwich. */
export function covarianceIntervals(
  fitted: Fitted,
  directions: Directions,
  sandwich: Spread | undefined,
  level: number,
): MethodResult {
  const quantile = criticalValue(fitted, level);
  const { all, names, values, result, correlation, errors } = fitted;
  const estimates = new Map(result.estimates.map((estimate) => [estimate.name, estimate]));
  const intervals = all.map((coordinate, j) => {
    const name = names[j]!;
    const standardError = (sandwich?.errors ?? errors)[j]!;
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
      exact: fitted.exact,
      why: fitted.noVariance,
    });
    return { lower, upper, verdict, figures: { standardError } };
  });
  return { intervals, diagnostics: {}, warnings: [], cancelled: false };
}
