/**
 * Quantities q(p) that follow from parameters: what each method says of them. By the covariance
 *
 *   se² = ∇qᵀ·C·∇q   with the exact gradient (the delta method, as R's car::deltaMethod)
 *
 * scaled as for parameters (quantity-at-fit.ts); by profile with q held (quantity-profiles.ts); by replicates and draws as q of
 * each of them (quantity-draws.ts).
 */
import type { Device } from '../../5-runtime/device.ts';
import type { FitProblem } from '../../6-fit/problem.ts';
import { unknownVerdict } from '../../6-fit/report/verdict.ts';
import { directionsAtGaps, type Directions } from './directions.ts';
import { fittedFrom, replicateReach, type Fitted, type Spread, type StoredFit } from './fitted.ts';
import type { MethodOptions, MethodResult } from './problem.ts';
import { atFit } from './quantity-at-fit.ts';
import { drawn } from './quantity-draws.ts';
import { linearised, type QuantityInterval, type QuantityModel } from './quantity-interval.ts';
import { profiled } from './quantity-profiles.ts';

/** Where a fit has ended that is stored, by its covariance. */
export async function quantitiesAtFit(
  problem: FitProblem,
  result: StoredFit,
  model: QuantityModel,
  level: number,
  device: Device,
): Promise<QuantityInterval[]> {
  const fitted = fittedFrom(problem, result);
  const isKnown = result.status === 'converged';
  const directions = isKnown ? await directionsAtGaps(fitted) : undefined;
  const found = await atFit(fitted, model, fitted, directions, device);
  return found.map((each) => ({
    ...linearised(fitted, each, level),
    ...(!isKnown && { standardError: NaN, lower: NaN, upper: NaN, verdict: unknownVerdict }),
  }));
}

/** What a study by `method` says, given what it `found` of the parameters. */
export async function quantitiesOf(
  fitted: Fitted,
  model: QuantityModel,
  { directions, spread, found }: { directions: Directions | undefined; spread: Spread; found: MethodResult },
  device: Device,
  method: 'covariance' | 'profile' | 'bootstrap' | 'hmc',
  options: Pick<MethodOptions, 'level' | 'cancel'>,
): Promise<QuantityInterval[]> {
  const known = await atFit(fitted, model, spread, directions, device);
  switch (method) {
    case 'covariance':
      return known.map((each) => linearised(fitted, each, options.level));
    case 'profile':
      return profiled(fitted, model, known, device, options);
    case 'bootstrap':
      return drawn(fitted, model, known, found, device, {
        ...options,
        reach: replicateReach(fitted, options.level),
      });
    case 'hmc':
      return drawn(fitted, model, known, found, device, { ...options, reach: 1 });
  }
}

/** What draws say where no fit does. */
export async function quantitiesOfDraws(
  fitted: Fitted,
  model: QuantityModel,
  found: MethodResult,
  device: Device,
  options: Pick<MethodOptions, 'level' | 'cancel'>,
): Promise<QuantityInterval[]> {
  const nothing: Spread = { errors: fitted.errors.map(() => NaN), correlation: [] };
  return drawn(fitted, model, await atFit(fitted, model, nothing, undefined, device), found, device, {
    ...options,
    reach: 1,
  });
}
