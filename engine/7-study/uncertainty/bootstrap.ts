/**
 * The bootstrap: the fit again on data drawn again, B times (Efron & Tibshirani 1993, DOI 10.1201/9780429246593;
 * Davison & Hinkley 1997, DOI 10.1017/CBO9780511802843).
 *
 *   residuals    y* = f(p̂) + e*, e* drawn from the fit's residuals, centred and scaled by √(n/(n − p))
 *   cases        rows drawn with replacement: each counts as often as it was drawn
 *   parametric   y* = f(p̂) + s·z, z standard normal
 *
 * In terms of the residuals r(p) of the fit these are r(p) − r(p̂) + e* (in units of sigma or by √weight, as r is), and
 * √w·r(p): the program stays as it is, and all replicates advance as one batch of lanes. Percentile intervals. A
 * replicate whose fit does not converge is counted and left out.
 */
import { Cancelled } from '../../0-ir/errors.ts';
import type { Device } from '../../5-runtime/device.ts';
import { fromCoordinate } from '../../6-fit/coordinates.ts';
import { levenbergMarquardt, type Linearisation } from '../../6-fit/levenberg-marquardt.ts';
import { isCancelled } from '../../6-fit/problem.ts';
import { batchedLinearisation } from '../../6-fit/ensembles/batched-objective.ts';
import { inLanes } from '../../6-fit/ensembles/lanes.ts';
import { partSeed, randomFrom, sortedQuantile, type Random } from '../../6-fit/ensembles/random.ts';
import { closestTo } from './covariance.ts';
import type { Directions } from './directions.ts';
import type { Fitted, MethodOptions, MethodResult } from './problem.ts';
import { verdictOf } from './verdict.ts';

export type Resampling = 'residuals' | 'cases' | 'parametric';

export interface BootstrapOptions extends MethodOptions {
  readonly samples: number;
  readonly resample: Resampling;
}

/** What a replicate makes of the residuals and their Jacobian. */
type Redraw = (lines: Linearisation) => Linearisation;

export async function bootstrap(
  fitted: Fitted,
  directions: Directions,
  device: Device,
  { level, seed, samples, resample, cancel, onProgress }: BootstrapOptions,
): Promise<MethodResult> {
  const { problem, all, point, names, values } = fitted;
  const { linear } = directions;
  if (!linear) throw new Error('the bootstrap is of residuals');
  const rows = observedRows(linear);
  const draw = redraws[resample](fitted, linear.residuals, rows);
  const lines = await batchedLinearisation(problem, device, all, cancel);
  const kept: Float64Array[] = [];
  let failed = 0;
  let ended = 0;
  try {
    await inLanes(
      Array.from({ length: samples }, (_, b) => b),
      lines.at,
      async (b, ask) => {
        if (isCancelled(cancel)) return;
        const redraw = draw(randomFrom(partSeed(seed, b)));
        const options = { maxIterations: 100, ...(cancel && { cancel }) };
        const ending = await levenbergMarquardt(async (u) => redraw(await ask(u)), all, point, options).catch(
          (error: unknown) => {
            if (error instanceof Cancelled) return undefined;
            throw error;
          },
        );
        if (!ending || ending.status === 'cancelled') return;
        if (ending.status === 'converged')
          kept.push(Float64Array.from(all, (coordinate, j) => fromCoordinate(coordinate, ending.point[j] as number)));
        else failed++;
        onProgress?.(++ended / samples);
      },
    );
  } finally {
    lines.release();
  }
  const replicates = names.map((_, j) => Float64Array.from(kept, (estimate) => estimate[j] as number));
  const intervals = replicates.map((estimates, j) => {
    const sorted = Float64Array.from(estimates).sort();
    const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
    const squares = sorted.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    const undetermined = (directions.partners[j]?.length ?? 0) > 0 || directions.idle[j] === true;
    // Replicates of what the data do not determine stay near the start, and say nothing.
    const [lower, upper] = undetermined
      ? [NaN, NaN]
      : [sortedQuantile(sorted, (1 - level) / 2), sortedQuantile(sorted, (1 + level) / 2)];
    const verdict = verdictOf({
      value: values[j] as number,
      lower,
      upper,
      partners: directions.partners[j] ?? [],
      closest: closestTo(names, fitted.correlation, j),
      idle: directions.idle[j] ?? false,
      why: 'no replicate could be fitted',
    });
    const figures = {
      standardError: undetermined || sorted.length < 2 ? NaN : Math.sqrt(squares / (sorted.length - 1)),
      bias: undetermined ? NaN : mean - (values[j] as number),
    };
    return { lower, upper, verdict, figures };
  });
  return {
    intervals,
    diagnostics: { replicates: kept.length, failed },
    warnings: failed > 0 ? [`${failed} of ${samples} replicates could not be fitted and are left out`] : [],
    cancelled: ended < samples,
    draws: replicates.map((estimates) => [estimates]),
  };
}

/** A row whose observation is missing has a residual of 0 and no derivative. */
function observedRows({ residuals, jacobian }: NonNullable<Directions['linear']>): number[] {
  return Array.from(residuals.keys()).filter(
    (row) => residuals[row] !== 0 || jacobian.some((column) => column[row] !== 0),
  );
}

const redraws: {
  readonly [R in Resampling]: (
    fitted: Fitted,
    residuals: Float64Array,
    rows: readonly number[],
  ) => (random: Random) => Redraw;
} = {
  residuals(fitted, residuals, rows) {
    const mean = rows.reduce((sum, row) => sum + (residuals[row] as number), 0) / rows.length;
    const inflation = fitted.freedom > 0 ? Math.sqrt(rows.length / fitted.freedom) : 1;
    const pool = rows.map((row) => inflation * ((residuals[row] as number) - mean));
    return (random) => shifted(residuals, rows, () => pool[random.integer(pool.length)] as number);
  },
  parametric(fitted, residuals, rows) {
    const deviation = Math.sqrt(fitted.variance);
    return (random) => shifted(residuals, rows, () => deviation * random.normal());
  },
  cases: (_, residuals, rows) => (random) => {
    const roots = new Float64Array(residuals.length);
    for (let k = 0; k < rows.length; k++) {
      const row = rows[random.integer(rows.length)] as number;
      roots[row] = (roots[row] as number) + 1;
    }
    roots.forEach((count, row) => (roots[row] = Math.sqrt(count)));
    const weigh = (values: Float64Array): Float64Array =>
      values.map((value, row) => (roots[row] === 0 ? 0 : value * (roots[row] as number)));
    return (lines) => ({ residuals: weigh(lines.residuals), jacobian: lines.jacobian.map(weigh) });
  },
};

/** r(p) − r(p̂) + e*; the Jacobian stays. */
function shifted(residuals: Float64Array, rows: readonly number[], error: () => number): Redraw {
  const shift = new Float64Array(residuals.length);
  for (const row of rows) shift[row] = error() - (residuals[row] as number);
  return ({ residuals: now, jacobian }) => ({
    residuals: now.map((value, row) => value + (shift[row] as number)),
    jacobian,
  });
}
