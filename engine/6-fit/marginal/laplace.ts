/**
 * The marginal likelihood of the parameters θ, effects b integrated out by Laplace's approximation at their modes:
 *
 *   −log L(θ) = E(θ, b̂) + ½ log det H(θ, b̂) − (d/2)·log 2π,   b̂ = argmin E(θ, ·),   H = ∂²E/∂b²
 *
 * and, with b̂ moving as −H⁻¹·∂²E/∂b∂θ, its exact gradient from one solution of the inner problem and two more runs:
 *
 *   ∂/∂θ (E + ½ Σ H⁻¹∘H) − (∂²E/∂θ∂b)·H⁻¹·∂/∂b (E + ½ Σ H⁻¹∘H),   H⁻¹ held
 *
 * With the expected information H̃ in the place of H in the determinant (information.ts) the same with H̃⁻¹∘H̃, and the
 * modes moving by H as they do.
 *
 * Tierney and Kadane (1986); Kristensen et al., TMB (2016).
 */
import { dot } from '../algebra/vectors.ts';
import type { Coordinate } from '../coordinates.ts';
import type { FitProblem } from '../problem.ts';
import type { Ask } from '../questions.ts';
import type { Slope } from '../stationary/stationary.ts';
import { blockLogDeterminant, factored, inverses, logDeterminant, solved, timesBlocks, type Blocks } from './blocks.ts';
import { byCoordinates, effectsConstant, type Joint, type Likelihood } from './joint.ts';
import type { Groupwise, JointQuestions } from './joint-questions.ts';
import type { KeptModes } from './kept-modes.ts';
import type { Modes } from './modes.ts';
import { contractionOf, hermiteGrid, shares, spread, type Grid } from './quadrature.ts';

/** What is integrated: with a grid by adaptive quadrature in place of the approximation. */
export interface Integral {
  readonly problem: FitProblem;
  readonly all: readonly Coordinate[];
  readonly questions: JointQuestions;
  readonly modes: KeptModes;
  readonly grid: Grid | undefined;
}

export function integralOf(
  problem: FitProblem,
  all: readonly Coordinate[],
  questions: JointQuestions,
  modes: KeptModes,
): Integral {
  const grid = problem.quadrature && hermiteGrid(problem.quadrature.points, questions.layout.blocks[0]?.length ?? 0);
  return { problem, all, questions, modes, grid };
}

/** Of every group once. */
export function integrated(integral: Integral): Likelihood {
  return {
    async values(ask, point, results) {
      const modes = await integral.modes.found(ask, point);
      if ('why' in modes) return results.map(() => NaN);
      const values: number[] = [];
      for (const of of results) values.push(await valueAt(integral, ask, { point, modes, of }));
      return values;
    },
    slope: (ask, point) => slopeAt(integral, ask, point),
  };
}

/** Each group as often as `counts` says, once unless said. */
export async function slopeAt(
  integral: Integral,
  ask: Ask,
  point: Float64Array,
  counts?: Float64Array,
): Promise<Slope> {
  const { all, questions } = integral;
  const { layout, contraction, cross } = questions;
  const modes = await integral.modes.found(ask, point);
  if ('why' in modes) return { value: NaN, gradient: new Float64Array(all.length).fill(NaN) };
  const joint = { point, effects: modes.effects };
  const { value, seed, contracted, byTheta: direct, u } = await held(integral, ask, { point, modes, counts });
  const { byTheta, byEffects } = await ask(contraction, { ...joint, seed, contracted });
  if (u) addTo(byEffects, u, 1);
  const moved = await ask(cross, { ...joint, direction: solved(layout, modes.factors, byEffects) });
  const gradient = byTheta.map((g, j) => g + (direct?.[j] ?? 0) - moved[j]!);
  return { value, gradient: byCoordinates(all, point, gradient) };
}

interface AtModes {
  readonly point: Float64Array;
  readonly modes: Modes;
}

async function valueAt(
  integral: Integral,
  ask: Ask,
  { point, modes, of }: AtModes & { readonly of: string },
): Promise<number> {
  const { questions, problem, grid } = integral;
  const { layout } = questions;
  if (!grid) return laplaceAt(integral, modes, of, await factorsAt(questions, ask, point, modes));
  const { logs } = await sampledAt(questions, ask, { point, modes }, grid);
  return (
    priorsAt(problem, modes, of) + logDeterminant(layout, modes.factors) / 2 - effectsConstant(layout) - total(logs)
  );
}

const laplaceAt = ({ questions: { layout } }: Integral, { at }: Modes, of: string, factors: Blocks): number =>
  at.also.get(of)! + logDeterminant(layout, factors) / 2 - effectsConstant(layout);

const priorsAt = ({ energy, objective }: FitProblem, { at }: Modes, of = energy): number =>
  at.also.get(of)! - at.also.get(objective)!;

/** The factors of what stands in the determinant. */
async function factorsAt(
  { layout, information }: JointQuestions,
  ask: Ask,
  point: Float64Array,
  { effects, factors }: Modes,
): Promise<Blocks> {
  return information ? factored(layout, await ask(information, { point, effects })).factors : factors;
}

/** Throws where the problem has no weights of groups. */
export function wantedByGroup({ groupwise }: JointQuestions): Groupwise {
  if (!groupwise) throw new Error('groups are asked for one by one, and the problem has no weights of groups');
  return groupwise;
}

/** Each point's E of each group; log S of each; and the shares π of the points in each group. */
async function sampledAt(questions: JointQuestions, ask: Ask, { point, modes }: AtModes, { points, logWeights }: Grid) {
  const { energies } = wantedByGroup(questions);
  const { layout } = questions;
  const groups = layout.blocks.length;
  const spreads = points.map((z) => spread(layout, modes.effects, modes.factors, z));
  const found: Float64Array[] = [];
  for (const effects of spreads) found.push(await ask(energies, { point, effects }));
  const logs = new Float64Array(groups);
  const weights = points.map(() => new Float64Array(groups));
  for (let g = 0; g < groups; g++) {
    const { log, of } = shares(found.map((energy, k) => logWeights[k]! - energy[g]!));
    logs[g] = log;
    of.forEach((share, k) => ((weights[k] as Float64Array)[g] = share));
  }
  return { spreads, weights, logs };
}

/** The priors' slope is what the energy has beyond its own likelihood, at any effects. */
async function addPriors(
  { problem, questions }: Integral,
  ask: Ask,
  { point, effects }: Joint,
  byTheta: Float64Array,
): Promise<void> {
  if (problem.energy === problem.objective) return;
  const { layout, contraction } = questions;
  const every = new Float64Array(layout.blocks.length).fill(1);
  const likelihood = await ask(wantedByGroup(questions).slopes, { point, effects, weights: every });
  const none = new Float64Array(layout.corners.at(-1) ?? 0);
  const whole = await ask(contraction, { point, effects, seed: 1, contracted: none });
  addTo(byTheta, whole.byTheta, 1);
  addTo(byTheta, likelihood.byTheta, -1);
}

/** The value, what the contraction is asked, and what its answer is added to. */
interface Held {
  readonly value: number;
  readonly seed: number;
  readonly contracted: Blocks;
  readonly byTheta?: Float64Array;
  readonly u?: Float64Array;
}

/** ∂/∂θ at held b̂ and H, and A; ∂/∂b̂ beside what A brings. */
async function held(
  integral: Integral,
  ask: Ask,
  { point, modes, counts }: AtModes & { readonly counts: Float64Array | undefined },
): Promise<Held> {
  const { problem, all, questions, grid } = integral;
  const { layout } = questions;
  const factors = await factorsAt(questions, ask, point, modes);
  const inverse = inverses(layout, factors);
  if (!grid && !counts)
    return {
      value: laplaceAt(integral, modes, problem.energy, factors),
      seed: 1,
      contracted: inverse.map((x) => x / 2),
    };
  const { energies, slopes } = wantedByGroup(questions);
  const joint = { point, effects: modes.effects };
  // ½ log det H_g − (d/2)·log 2π
  const volumes = Float64Array.from(
    layout.blocks,
    ({ length }, t) => blockLogDeterminant(layout, factors, t) / 2 - (length / 2) * Math.log(2 * Math.PI),
  );
  const each = counts ?? new Float64Array(layout.blocks.length).fill(1);
  const countedInverse = counts ? timesBlocks(layout, inverse, counts) : inverse;
  if (!grid) {
    const own = await ask(energies, joint);
    const { byTheta } = await ask(slopes, { ...joint, weights: each });
    await addPriors(integral, ask, joint, byTheta);
    const value = priorsAt(problem, modes) + dot(each, own) + dot(each, volumes);
    return { value, seed: 0, contracted: countedInverse.map((x) => x / 2), byTheta };
  }
  const { spreads, weights, logs } = await sampledAt(questions, ask, { point, modes }, grid);
  const byTheta = new Float64Array(all.length);
  const u = new Float64Array(layout.length);
  const m = Array.from(grid.points[0]!, () => new Float64Array(layout.length));
  for (const [k, effects] of spreads.entries()) {
    const shared = (weights[k] as Float64Array).map((share, t) => share * each[t]!);
    const found = await ask(slopes, { point, effects, weights: shared });
    addTo(byTheta, found.byTheta, 1);
    addTo(u, found.byEffects, 1);
    grid.points[k]!.forEach((z, j) => addTo(m[j] as Float64Array, found.byEffects, z));
  }
  await addPriors(integral, ask, joint, byTheta);
  const contracted = contractionOf(layout, modes.factors, countedInverse, { u, m });
  return { value: priorsAt(problem, modes) + dot(each, volumes) - dot(each, logs), seed: 0, contracted, byTheta, u };
}

const total = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);

function addTo(total: Float64Array, values: Float64Array, times: number): void {
  for (let i = 0; i < total.length; i++) total[i] = total[i]! + times * values[i]!;
}
