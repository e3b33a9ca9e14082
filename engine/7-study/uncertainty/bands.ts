/**
 * Bands of an output f(p̂) by the delta method: se² = J·C·Jᵀ row by row. The confidence band f ± q·se is of the curve; the
 * prediction band f ± q·√(se² + s²) is of a new observation of weight 1, where the noise was estimated. Of an output of
 * random effects b, at their modes b̂(p), it is of these groups, whose effects vary about the modes:
 *
 *   se² = J·C·Jᵀ + (∂f/∂b)·H⁻¹·(∂f/∂b)ᵀ,   J = ∂f/∂p + (∂f/∂b)·(∂b̂/∂p)
 *
 * A parameter that lies at its bound is held there, as in the intervals of the others: what moves with it alone has no band.
 *
 * (Kass and Steffey 1989, DOI 10.1080/01621459.1989.10478825; Kristensen et al., TMB, 2016).
 */
import type { Program } from '../../0-ir/program.ts';
import type { SizeBinding } from '../../0-ir/sizes.ts';
import { cpuDevice } from '../../5-runtime/cpu/cpu-device.ts';
import type { Device } from '../../5-runtime/device.ts';
import { dot } from '../../6-fit/algebra/vectors.ts';
import { jacobianName, withJacobian } from '../../6-fit/derivative-programs.ts';
import { createEnsemble } from '../../6-fit/ensembles/ensemble.ts';
import type { EffectSpread } from '../../6-fit/marginal/marginal.ts';
import { effectSpread } from '../../6-fit/marginal/report.ts';
import type { FitParameter, FitProblem } from '../../6-fit/problem.ts';
import { varianceAlong } from './covariance.ts';
import { directionsAtGaps, type Directions } from './directions.ts';
import { criticalValue, fittedFrom, type Fitted, type Spread, type StoredFit } from './fitted.ts';

export interface BandModel {
  readonly program: Program;
  readonly data: ReadonlyMap<string, ArrayLike<number>>;
  readonly sizes: SizeBinding;
}

/** Row-major over the output; NaN where the covariance is not known. */
export interface Band {
  readonly output: string;
  readonly value: readonly number[];
  readonly lower: readonly number[];
  readonly upper: readonly number[];
  readonly predictionLower: readonly number[];
  readonly predictionUpper: readonly number[];
  /** Of which it is made, and which are held at a bound. */
  readonly held: readonly string[];
}

/** Around results of a model where a fit has ended that is stored: by its covariance, without fitting again. */
export async function bandsAtFit(
  problem: FitProblem,
  result: StoredFit,
  model: BandModel,
  level: number,
  device: Device,
): Promise<{ readonly bands: Band[]; readonly quantile: number; readonly variance: number }> {
  const fitted = fittedFrom(problem, result);
  const { variance } = fitted;
  const quantile = criticalValue(fitted, level);
  const directions = await directionsAtGaps(fitted);
  const bands = await bandsOf(fitted, { spread: fitted, directions }, model, level, device);
  return { bands, quantile, variance };
}

/** Of every result of the program; of parameters that are no inputs of it, it does not depend. */
export async function bandsOf(
  fitted: Fitted<StoredFit>,
  { spread, directions }: { spread: Spread; directions: Directions | undefined },
  model: BandModel,
  level: number,
  device: Device,
): Promise<Band[]> {
  const { all, problem, values: point } = fitted;
  const outputs = model.program.results.map(({ name }) => name);
  const read = new Set(model.program.parameters.map(({ name }) => name));
  const names = [...new Set(all.map(({ parameter }) => parameter.name))].filter((name) => read.has(name));
  const effects = (problem.effects ?? []).flatMap(({ effects: ids }) => ids).filter((name) => read.has(name));
  // Effects are integrated out on the CPU, whatever runs the outputs.
  const drawn = effects.length > 0 ? await spreadOf(fitted) : undefined;
  const atBound = new Set(fitted.result.estimates.flatMap(({ name, atBound }) => (atBound ? [name] : [])));
  const isHeld = fitted.names.map((name) => atBound.has(name));
  const ensemble = await createEnsemble(device, {
    ...model,
    parameters: problem.parameters
      .filter(({ name }) => read.has(name))
      .map((parameter) => (drawn ? atModes(parameter, drawn) : parameter)),
    program: withJacobian(model.program, outputs, [...names, ...effects]),
  });
  try {
    const { values } = await ensemble.evaluate(point.filter((_, i) => read.has(all[i]?.parameter.name ?? '')));
    const quantile = criticalValue(fitted, level);
    const noise = problem.residuals.length > 0 && !problem.sigmaKnown ? Math.sqrt(fitted.variance) : NaN;
    return outputs.map((output) => {
      const value = values.get(output)!;
      const byEffects = (row: number): Effected | undefined =>
        drawn && alongEffects(drawn, row, value.length, (name) => values.get(jacobianName(output, name)));
      const own = effects.length > 0 ? Array.from(value, (_, row) => byEffects(row)) : [];
      const columns = all.map(({ parameter, element }) => {
        const whole = values.get(jacobianName(output, parameter.name));
        return whole?.subarray(element * value.length, (element + 1) * value.length);
      });
      const held = new Set<string>();
      let moves = false;
      const errors = value.map((_, row) => {
        const effected = own[row];
        const moved = (i: number): number => (own.length > 0 ? (effected?.moved[i] ?? NaN) : 0);
        const whole = columns.map((slopes, i) => (slopes?.[row] ?? 0) + moved(i));
        const gradient = Float64Array.from(whole, (slope, i) => (isHeld[i] ? 0 : slope));
        whole.forEach((slope, i) => isHeld[i] && slope !== 0 && held.add(fitted.names[i]!));
        moves ||= gradient.some((slope) => slope !== 0);
        const alone = varianceAlong(gradient, spread);
        const { square, unit } = Number.isNaN(alone.square) ? (directions?.variance(gradient) ?? alone) : alone;
        const effect = own.length > 0 ? (effected?.variance ?? NaN) / unit / unit : 0;
        // What cancels may end a rounding below zero.
        return unit * Math.sqrt(Math.max(0, square + effect));
      });
      if (held.size > 0 && !moves) errors.fill(NaN);
      const half = errors.map((error) => quantile * error);
      const wide = errors.map((error) => quantile * Math.hypot(error, noise));
      const away = (sign: number, by: Float64Array): number[] => [...value.map((x, i) => x + sign * by[i]!)];
      return {
        output,
        value: [...value],
        lower: away(-1, half),
        upper: away(1, half),
        predictionLower: away(-1, wide),
        predictionUpper: away(1, wide),
        held: [...held],
      };
    });
  } finally {
    ensemble.release();
  }
}

/** Undefined where a group has no mode. */
async function spreadOf({ problem, point }: Fitted<StoredFit>): Promise<EffectSpread | undefined> {
  const device = cpuDevice();
  try {
    return await effectSpread(problem, device, point);
  } finally {
    device.close();
  }
}

const atModes = (parameter: FitParameter, { layout, effects }: EffectSpread): FitParameter => {
  const placed = layout.effects.find(({ name }) => name === parameter.name);
  return placed
    ? { ...parameter, initial: Array.from(effects.subarray(placed.offset, placed.offset + placed.groups)) }
    : parameter;
};

interface Effected {
  /** (∂f/∂b)·(∂b̂/∂p), by coordinate. */
  readonly moved: readonly number[];
  /** (∂f/∂b)·H⁻¹·(∂f/∂b)ᵀ */
  readonly variance: number;
}

function alongEffects(
  { layout, covariance, slopes }: EffectSpread,
  row: number,
  rows: number,
  jacobian: (effect: string) => Float64Array | undefined,
): Effected {
  const by = new Float64Array(layout.length);
  for (const { name, offset, groups } of layout.effects) {
    const whole = jacobian(name);
    for (let g = 0; whole && g < groups; g++) by[offset + g] = whole[g * rows + row]!;
  }
  let variance = 0;
  layout.blocks.forEach((positions, t) =>
    positions.forEach((at, i) =>
      positions.forEach(
        (other, j) => (variance += by[at]! * by[other]! * covariance[layout.corners[t]! + i * positions.length + j]!),
      ),
    ),
  );
  return { moved: slopes.map((slope) => dot(slope, by)), variance };
}
