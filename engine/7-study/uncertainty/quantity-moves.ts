/**
 * How quantities move about the fit, beside what their slopes there tell: of m² at m = 0, of |m| and of a step the slope is 0, and
 * q is not determined for that. Each free element moves by itself, by its standard error and by what is likely at most.
 */
import { clamp, coordinateSlopes } from '../../6-fit/coordinates.ts';
import type { Batched } from '../../6-fit/ensembles/batched-objective.ts';
import type { Linearisation } from '../../6-fit/expansion.ts';
import type { BandModel } from './bands.ts';
import { criticalValue, type Fitted, type StoredFit } from './fitted.ts';
import { sizeOf } from './profile-others.ts';
import type { Slopes } from './slopes.ts';

/** Of one element of a quantity whose slope at the fit is nothing beside how it moves. */
export interface Flat {
  /** How far it moves, by free element. */
  readonly moves: Float64Array;
  /** Nowhere has it a slope. */
  readonly jumps: boolean;
}

/** Of how far it moves: a slope that tells less is none. */
const NOTHING = 0.01;
/** Of its size: rounding. */
const ROUNDING = 1e-9;
/** Free elements up to which that is looked at. */
const MOST = 200;

/** By row of the model's results; undefined of one whose slope tells. */
export async function flatAtFit(
  fitted: Fitted<StoredFit>,
  model: BandModel,
  { values, gradients }: Slopes,
  lines: Batched<Float64Array, Linearisation>,
): Promise<readonly (Flat | undefined)[]> {
  const { all, point } = fitted;
  const read = new Set(model.program.parameters.map(({ name }) => name));
  const own = [...all.keys()].filter((j) => read.has(all[j]!.parameter.name));
  if (own.length > MOST) return [];
  const likely = criticalValue(fitted, 0.95) || 2;
  const slopes = own.map((j) => coordinateSlopes(all[j]!, point[j]!)[0]);
  const steps = own.map((j) => stepOf(fitted, j));
  const points = own.flatMap((j, i) => [-likely, -1, 1, likely].map((times) => moved(fitted, j, times * steps[i]!)));
  const found = await lines.at(points);
  return gradients.map((gradient, row): Flat | undefined => {
    const moves = new Float64Array(all.length);
    let [hasSlope, jumps] = [false, true];
    own.forEach((j, i) => {
      const around = found.slice(4 * i, 4 * i + 4);
      const far = around.map(({ residuals }) => Math.abs(residuals[row]! - values[row]!));
      moves[j] = Math.max(
        0,
        ...far.filter((move) => Number.isFinite(move) && move > ROUNDING * Math.abs(values[row]!)),
      );
      const felt = Math.abs(gradient[j]! * slopes[i]! * steps[i]!);
      if (felt > NOTHING * moves[j]) hasSlope = true;
      if (around.some(({ jacobian }) => jacobian[j]![row] !== 0)) jumps = false;
    });
    const isFlat = !hasSlope && moves.some((move) => move > 0);
    return isFlat ? { moves, jumps } : undefined;
  });
}

/** Of element j, in the optimiser's coordinate: its standard error, or a tenth of its size where that is not known. */
function stepOf({ all, point, errors }: Fitted<StoredFit>, j: number): number {
  const step = errors[j]! / coordinateSlopes(all[j]!, point[j]!)[0];
  return step > 0 && Number.isFinite(step) ? step : 0.1 * sizeOf(point[j]!, NaN);
}

const moved = ({ all, point }: Fitted<StoredFit>, j: number, by: number): Float64Array =>
  point.map((u, k) => (k === j ? clamp(u + by, all[j]!) : u));

/** Points beside the fit, where what has no slope there has one. */
export function besideFit(fitted: Fitted<StoredFit>, { moves }: Flat): Float64Array[] {
  return [...moves.keys()].flatMap((j) => {
    const step = stepOf(fitted, j);
    return moves[j]! > 0 ? [moved(fitted, j, -step), moved(fitted, j, step)] : [];
  });
}

/** Shares of what is likely at most at which each free element is looked at. */
const SHARES = [0.25, 0.5, 0.75, 0.98] as const;

/**
 * Points all over the region that the data leave, as the covariance has it: each free element moves to both sides, the others with
 * it as they are correlated. In the optimiser's coordinates, within the bounds; none of more than 200 elements.
 */
export function acrossRegion({ all, point, errors, correlation }: Fitted<StoredFit>, critical: number): Float64Array[] {
  if (all.length > MOST) return [];
  const units = all.map((coordinate, j) => errors[j]! / coordinateSlopes(coordinate, point[j]!)[0]);
  return [...all.keys()].flatMap((j) =>
    SHARES.flatMap((share) => [-share * critical, share * critical]).map((times) =>
      point.map((u, k) => {
        const by = times * units[k]! * (k === j ? 1 : (correlation[j]?.[k] ?? 0));
        return Number.isFinite(by) ? clamp(u + by, all[k]!) : u;
      }),
    ),
  );
}
