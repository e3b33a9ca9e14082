/** The effects where a fit ended: their modes, and what the inverse Hessian says of them there. */
import type { Device } from '../../5-runtime/device.ts';
import { openAnswers } from '../answers.ts';
import { coordinates, coordinateSlopes, startingPoint } from '../coordinates.ts';
import type { Quadratic } from '../expansion.ts';
import type { EffectLayout } from '../effects.ts';
import type { FitProblem } from '../problem.ts';
import type { Slope } from '../stationary/stationary.ts';
import { inverses, type Blocks } from './blocks.ts';
import { marginalOf, type EffectSpread } from './marginal.ts';
import type { Unrestricted } from './restricted.ts';

export interface EffectModes {
  /** By the program's name of the effect, an element for each group. */
  readonly values: ReadonlyMap<string, Float64Array>;
  /** By level: for each group the block of H⁻¹ of its own effects, row by row. */
  readonly covariances: ReadonlyMap<string, Float64Array>;
}

/** A group that has no mode, by its name, and why; no one group where groups cross or meet. */
export interface NoEffectMode {
  readonly group: string | undefined;
  readonly why: string;
}

/** At these values of the parameters; at the initial ones where there are none. */
export async function effectModes(
  problem: FitProblem,
  device: Device,
  estimates: readonly { readonly parameter: string; readonly value: number }[] = [],
): Promise<EffectModes | NoEffectMode> {
  const parameters = problem.parameters.map((parameter) => {
    const values = estimates.filter((estimate) => estimate.parameter === parameter.name).map(({ value }) => value);
    return values.length === parameter.initial.length ? { ...parameter, initial: values } : parameter;
  });
  const at = { ...problem, parameters };
  const all = coordinates(parameters);
  const { layout, modes: question } = marginalOf(at, all);
  const answers = openAnswers(device, at);
  try {
    const modes = await answers.ask(question, startingPoint(all));
    if ('why' in modes) {
      const group = problem.effects?.[0]?.labels[modes.block] ?? String(modes.block);
      return { group: layout.dense ? undefined : group, why: modes.why };
    }
    const inverse = inverses(layout, modes.factors);
    const of = (vector: Float64Array): Map<string, Float64Array> =>
      new Map(layout.effects.map(({ name, offset, groups }) => [name, vector.slice(offset, offset + groups)]));
    return {
      values: of(modes.effects),
      covariances: new Map(layout.levels.map(({ id }, level) => [id, withinGroups(layout, inverse, level)])),
    };
  } finally {
    answers.release();
  }
}

function withinGroups(layout: EffectLayout, inverse: Blocks, level: number): Float64Array {
  const own = layout.effects.filter((effect) => effect.level === level);
  const d = own.length;
  const all = new Float64Array(d * d * (own[0]?.groups ?? 0));
  for (const [i, outer] of own.entries())
    for (const [j, inner] of own.entries())
      for (let g = 0; g < outer.groups; g++) {
        const [at, other] = [outer.offset + g, inner.offset + g];
        const t = layout.block[at]!;
        const width = layout.blocks[t]!.length;
        const place = layout.corners[t]! + layout.row[at]! * width + layout.row[other]!;
        all[(g * d + i) * d + j] = inverse[place]!;
      }
  return all;
}

/** Whether no group of effects meets another where the fit begins. */
export async function effectsApart(problem: FitProblem, device: Device): Promise<boolean> {
  const all = coordinates(problem.parameters);
  const answers = openAnswers(device, problem);
  try {
    return await answers.ask(marginalOf(problem, all).apart, startingPoint(all));
  } finally {
    answers.release();
  }
}

/** The first parameter that is to be integrated out (restricted.ts) and cannot, where the fit begins. */
export async function unrestrictedParameter(problem: FitProblem, device: Device): Promise<Unrestricted | undefined> {
  const all = coordinates(problem.parameters);
  const answers = openAnswers(device, problem);
  try {
    return await answers.ask(marginalOf(problem, all).unrestricted, startingPoint(all));
  } finally {
    answers.release();
  }
}

/** What an optimiser asks of a problem whose effects are integrated out, in its coordinates. */
export interface MarginalQuestions {
  readonly start: Float64Array;
  readonly value: (u: Float64Array) => Promise<number>;
  readonly slope: (u: Float64Array) => Promise<Slope>;
  release(): void;
}

export function marginalQuestions(problem: FitProblem, device: Device): MarginalQuestions {
  const all = coordinates(problem.parameters);
  const { scalars, slope } = marginalOf(problem, all);
  const answers = openAnswers(device, problem);
  const value = scalars([problem.energy]);
  return {
    start: startingPoint(all),
    value: async (u) => (await answers.ask(value, u))[0]!,
    slope: (u) => answers.ask(slope, u),
    release: () => answers.release(),
  };
}

/** At a point in the optimiser's coordinates; undefined where a group has no mode there. */
export async function effectSpread(
  problem: FitProblem,
  device: Device,
  point: Float64Array,
): Promise<EffectSpread | undefined> {
  const answers = openAnswers(device, problem);
  try {
    const found = await answers.ask(marginalOf(problem, coordinates(problem.parameters)).spread, point);
    return 'why' in found ? undefined : found;
  } finally {
    answers.release();
  }
}

/** Of a step, the longest first. */
const SHARES = [2, 1, 0.5, 0.25, 0.125, 0.0625];

/** The most by which the energy falls from the initial values on the way along a step of the free parameters, element after element. */
export async function marginalFall(problem: FitProblem, device: Device, step: readonly number[]): Promise<number> {
  const { start, value, release } = marginalQuestions(problem, device);
  try {
    const all = coordinates(problem.parameters);
    const along = all.map((coordinate, j) => step[j]! / coordinateSlopes(coordinate, start[j]!)[0]);
    const from = await value(start);
    let most = 0;
    for (const share of SHARES) {
      const found = from - (await value(start.map((u, j) => u + share * along[j]!)));
      if (found > most) most = found;
      else if (most > 0) break;
    }
    return most;
  } finally {
    release();
  }
}

/** By the free parameters, element after element. */
interface MarginalExpansion {
  readonly value: number;
  readonly gradient: readonly number[];
  /** Where it was asked for: differences of exact gradients (differenced.ts). */
  readonly hessian?: readonly (readonly number[])[];
}

/** The energy of a problem whose effects are integrated out, at the initial values; NaN where a group has no mode. */
export async function marginalExpansion(
  problem: FitProblem,
  device: Device,
  { hessian: second }: { readonly hessian: boolean },
): Promise<MarginalExpansion> {
  const all = coordinates(problem.parameters);
  const { slope, quadratic } = marginalOf(problem, all);
  const answers = openAnswers(device, problem);
  try {
    const u = startingPoint(all);
    const found = await answers.ask<Float64Array, Slope & Partial<Quadratic>>(second ? quadratic : slope, u);
    // p′ and p″ of each p(u): ∂f/∂p = (∂f/∂u)/p′, ∂²f/∂p² = (∂²f/∂u² − p″·∂f/∂p)/p′p′.
    const slopes = all.map((coordinate, j) => coordinateSlopes(coordinate, u[j]!));
    const gradient = slopes.map(([first], j) => found.gradient[j]! / first);
    const hessian = found.hessian?.map((row, i) =>
      Array.from(row, (entry, j) => {
        const [first, bend] = slopes[i] as readonly [number, number];
        return (entry - (i === j ? bend * gradient[i]! : 0)) / (first * slopes[j]![0]);
      }),
    );
    return { value: found.value, gradient, ...(hessian && { hessian }) };
  } finally {
    answers.release();
  }
}
