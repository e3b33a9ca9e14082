/**
 * Data drawn again for sums of squares, in terms of the residuals r(p) of the fit (in units of sigma or by √weight, as r
 * is), so that the program stays as it is:
 *
 *   residuals    r(p) − r(p̂) + e*, e* drawn from the fit's residuals, centred and scaled by √(n/(n − p))
 *   cases        √w·r(p), w how often a row was drawn
 *   parametric   r(p) − r(p̂) + s·z, z standard normal
 */
import type { Linearisation } from '../../6-fit/expansion.ts';
import type { Random } from '../../6-fit/ensembles/random.ts';
import type { Directions } from './directions.ts';
import type { Fitted } from './fitted.ts';

export type Resampling = 'residuals' | 'cases' | 'parametric';

/** What a replicate makes of the residuals and their Jacobian. */
export type Redraw = (lines: Linearisation) => Linearisation;

export function squaresRedrawn(
  fitted: Fitted,
  linear: NonNullable<Directions['linear']>,
  resample: Resampling,
): (random: Random) => Redraw {
  return redraws[resample](fitted, linear.residuals, observedRows(linear));
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
    const mean = rows.reduce((sum, row) => sum + residuals[row]!, 0) / rows.length;
    const inflation = fitted.freedom > 0 ? Math.sqrt(rows.length / fitted.freedom) : 1;
    const pool = rows.map((row) => inflation * (residuals[row]! - mean));
    return (random) => shifted(residuals, rows, () => pool[random.integer(pool.length)]!);
  },
  parametric(fitted, residuals, rows) {
    const deviation = Math.sqrt(fitted.variance);
    return (random) => shifted(residuals, rows, () => deviation * random.normal());
  },
  cases: (_, residuals, rows) => (random) => {
    const roots = new Float64Array(residuals.length);
    for (let k = 0; k < rows.length; k++) {
      const row = rows[random.integer(rows.length)]!;
      roots[row] = roots[row]! + 1;
    }
    roots.forEach((count, row) => (roots[row] = Math.sqrt(count)));
    const weigh = (values: Float64Array): Float64Array =>
      values.map((value, row) => (roots[row] === 0 ? 0 : value * roots[row]!));
    return (lines) => ({ residuals: weigh(lines.residuals), jacobian: lines.jacobian.map(weigh) });
  },
};

/** r(p) − r(p̂) + e*; the Jacobian stays. */
function shifted(residuals: Float64Array, rows: readonly number[], error: () => number): Redraw {
  const shift = new Float64Array(residuals.length);
  for (const row of rows) shift[row] = error() - residuals[row]!;
  return ({ residuals: now, jacobian }) => ({
    residuals: now.map((value, row) => value + shift[row]!),
    jacobian,
  });
}
