/**
 * What to measure next: where one more observation, or k of them, tells most of the parameters. An observation adds its
 * information to that of the data,
 *
 *   M⁺ = M + Σ v·vᵀ     (least squares: v = ∇f(x)/σ)
 *
 * and a design is as good as
 *
 *   D   log det M⁺           (to be large)
 *   A   tr (M⁺)⁻¹            (to be small)
 *   c   √(cᵀ(M⁺)⁻¹c)         (to be small): the standard error of what has the gradient c
 *
 * Sets of k are found by taking the best one after the other, then exchanging one at a time until none is better (Fedorov
 * 1972, Theory of optimal experiments; Atkinson, Donev & Tobias 2007, ch. 12).
 */
import type { Device } from '../5-runtime/device.ts';
import { cholesky, choleskySolve } from '../6-fit/algebra/cholesky.ts';
import { singularValues } from '../6-fit/algebra/svd.ts';
import { dot } from '../6-fit/algebra/vectors.ts';
import { coordinateSlopes } from '../6-fit/coordinates.ts';
import { batchedLinearisation, batchedQuadratic } from '../6-fit/ensembles/batched-objective.ts';
import type { FitProblem } from '../6-fit/problem.ts';
import type { FitResult } from '../6-fit/report/report.ts';
import type { BandModel } from './uncertainty/bands.ts';
import { fittedFrom, type Fitted } from './uncertainty/fitted.ts';
import { slopesAtFit, type Slopes } from './uncertainty/slopes.ts';

export const designCriteria = ['D', 'A', 'c'] as const;
export type DesignCriterion = (typeof designCriteria)[number];

/** The information about the parameters that lie at no bound, by rows. */
type Information = readonly Float64Array[];

/** The vectors v of one observation that could be made. */
export type Candidate = readonly Float64Array[];

/** Where a fit has ended, asked for one design after another. */
export interface DesignPoint {
  /** Of the free elements, in the order of gradients. */
  readonly names: readonly string[];
  /** Those of them that lie at a bound: what is made of them has no standard error. */
  readonly bounded: readonly string[];
  /** All that the problem reads, fixed ones too. */
  readonly parameters: ReadonlySet<string>;
  /** Of the noise of squares; undefined of a density, whose information knows each block's noise by itself. */
  readonly variance: number | undefined;
  slopes(model: BandModel): Promise<Slopes>;
  /** By the gradient `c` where that is the criterion, 0 by what lies at a bound. */
  criterion(name: DesignCriterion, c?: Float64Array): Criterion;
}

export interface Criterion {
  readonly now: number;
  after(candidates: readonly Candidate[]): number;
  /** Whether the first is the better design. */
  better(a: number, b: number): boolean;
}

/** `result` has converged. */
export async function designAt(problem: FitProblem, result: FitResult, device: Device): Promise<DesignPoint> {
  const fitted = fittedFrom(problem, result);
  const bounded = new Set(result.estimates.flatMap(({ name, atBound }) => (atBound ? [name] : [])));
  const inside = fitted.names.flatMap((name, j) => (bounded.has(name) ? [] : [j]));
  const data = await informationOf(fitted, inside, device);
  const taken = (v: Float64Array): Float64Array => Float64Array.from(inside, (j) => v[j]!);
  return {
    names: fitted.names,
    bounded: fitted.names.filter((name) => bounded.has(name)),
    parameters: new Set(problem.parameters.map(({ name }) => name)),
    variance: problem.residuals.length > 0 ? fitted.variance : undefined,
    slopes: (model) => slopesAtFit(fitted, model, device),
    criterion(name, c) {
      const measure = measures[name];
      const along = c && taken(c);
      const after = (candidates: readonly Candidate[]): number =>
        measure(
          withMore(
            data,
            candidates.flatMap((each) => each.map(taken)),
          ),
          along,
        );
      return { now: after([]), after, better: name === 'D' ? (a, b) => a > b : (a, b) => a < b };
    },
  };
}

/** By the parameters' own values: JᵀJ/s², or the Hessian of −log L. */
async function informationOf(fitted: Fitted, inside: readonly number[], device: Device): Promise<Information> {
  const { problem, all, point, variance } = fitted;
  const slopes = inside.map((j) => coordinateSlopes(all[j]!, point[j]!)[0]);
  const square = (entry: (i: number, j: number) => number): Float64Array[] =>
    inside.map((i, a) => Float64Array.from(inside, (j, b) => entry(i, j) / (slopes[a]! * slopes[b]!)));
  if (problem.residuals.length > 0) {
    const lines = await batchedLinearisation(problem, device, all);
    const [found] = await lines.at([point]).finally(lines.release);
    const columns = found?.jacobian ?? [];
    return square((i, j) => dot(columns[i]!, columns[j]!) / variance);
  }
  const quadratic = await batchedQuadratic(problem, device, all);
  const [found] = await quadratic.at([point]).finally(quadratic.release);
  return square((i, j) => found?.hessian[i]?.[j] ?? NaN);
}

function withMore(information: Information, vectors: readonly Float64Array[]): Float64Array[] {
  return information.map((row, i) => row.map((value, j) => vectors.reduce((sum, v) => sum + v[i]! * v[j]!, value)));
}

/** Eigenvalues of a matrix with a unit diagonal that are rounding. */
const nothing = 1e-12;

/** The matrix with its diagonal scaled to one, as directions with what is known along each. */
function spectrum(information: Information) {
  const scales = information.map((row, i) => Math.sqrt(Math.abs(row[i]!)) || 1);
  const scaled = information.map((row, i) => row.map((value, j) => value / (scales[i]! * scales[j]!)));
  return { scales, scaled };
}

/** cᵀM⁻¹c; ∞ where the data say nothing of it. */
function spread({ scales, scaled }: ReturnType<typeof spectrum>, c: Float64Array): number {
  const along = c.map((value, i) => value / scales[i]!);
  const factor = cholesky(scaled);
  if (factor?.every((row, i) => row[i]! ** 2 > nothing)) return dot(along, choleskySolve(factor, along));
  const { values, vectors } = singularValues(scaled);
  let total = 0;
  let seen = 0;
  values.forEach((value, k) => {
    if (value < nothing * values[0]!) return;
    const share = dot(vectors[k]!, along);
    total += (share * share) / value;
    seen += share * share;
  });
  return dot(along, along) - seen > nothing * dot(along, along) ? Infinity : total;
}

const measures: {
  readonly [C in DesignCriterion]: (information: Information, c: Float64Array | undefined) => number;
} = {
  D(information) {
    const { scales, scaled } = spectrum(information);
    const factor = cholesky(scaled);
    if (!factor?.every((row, i) => row[i]! ** 2 > nothing)) return -Infinity;
    return factor.reduce((sum, row, i) => sum + 2 * Math.log(row[i]! * scales[i]!), 0);
  },
  A(information) {
    const known = spectrum(information);
    return information.reduce(
      (sum, row, i) =>
        sum +
        spread(
          known,
          row.map((_, j) => (i === j ? 1 : 0)),
        ),
      0,
    );
  },
  c: (information, c) => Math.sqrt(spread(spectrum(information), c!)),
};

/** The positions of `count` candidates, one of which may come twice, the one that tells most first. */
export function bestDesign(
  { after, better }: Criterion,
  candidates: readonly Candidate[],
  count: number,
): { readonly index: number; readonly after: number }[] {
  const of = (chosen: readonly number[]): Candidate[] => chosen.map((i) => candidates[i]!);
  const bestBeside = (chosen: readonly number[], among: Iterable<number>): { index: number; value: number } => {
    const others = of(chosen);
    let best = { index: -1, value: NaN };
    for (const index of among) {
      const value = after([...others, candidates[index]!]);
      if (best.index < 0 || better(value, best.value)) best = { index, value };
    }
    return best;
  };
  const chosen: number[] = [];
  for (let k = 0; k < count; k++) chosen.push(bestBeside(chosen, candidates.keys()).index);
  for (let exchanged = count > 1, rounds = 0; exchanged && rounds < mostRounds; rounds++) {
    exchanged = false;
    for (let k = 0; k < count; k++) {
      const others = chosen.filter((_, i) => i !== k);
      const { index, value } = bestBeside(others, candidates.keys());
      const held = after(of(chosen));
      if (index === chosen[k] || !better(value, held) || Math.abs(value - held) <= 1e-12 * Math.abs(held)) continue;
      chosen[k] = index;
      exchanged = true;
    }
  }
  const ordered: { index: number; after: number }[] = [];
  for (const left = [...chosen]; left.length > 0;) {
    const { index, value } = bestBeside(
      ordered.map((each) => each.index),
      left,
    );
    ordered.push({ index, after: value });
    left.splice(left.indexOf(index), 1);
  }
  return ordered;
}

const mostRounds = 100;
