/**
 * A point of a profile: the least energy with one coordinate held, over all others. A point whose energy is low proves
 * that its value is not excluded, wherever the search began; that a value is excluded shows only in that no search finds
 * such a point. So several starts are tried before a value counts as excluded, and the lowest end is taken.
 */
import { Cancelled } from '../../0-ir/errors.ts';
import { clamp } from '../../6-fit/coordinates.ts';
import type { Linearisation, Quadratic } from '../../6-fit/expansion.ts';
import { levenbergMarquardt } from '../../6-fit/methods/levenberg-marquardt.ts';
import { newton } from '../../6-fit/methods/newton.ts';
import type { Ending } from '../../6-fit/problem.ts';
import type { Fitted } from './problem.ts';

export type Expansion = Linearisation | Quadratic;

export type Ask = (u: Float64Array) => Promise<Expansion>;

/** A value of coordinate j with what the others had to be. */
export interface Reached {
  readonly u: number;
  /** |τ|: NaN where the model has no value. */
  readonly root: number;
  readonly energy: number;
  readonly point: Float64Array;
}

/** Iterations of one search, and of one that goes on where those were not enough. */
const few = 60;
const many = 600;

/** Where searches begin: beside the point, and elsewhere. */
export interface Starts {
  readonly near: readonly Float64Array[];
  readonly far: readonly Float64Array[];
}

/**
 * With coordinate j held at u, from each start in turn until one ends below `enough`: the lowest end. Where a start beside
 * it has no derivatives, as beyond where numbers overflow, no search from elsewhere can show that u is excluded.
 */
export async function reach(
  fitted: Fitted,
  j: number,
  u: number,
  { near, far }: Starts,
  enough: number,
  ask: Ask,
  cancel: Int32Array | undefined,
): Promise<Reached> {
  const scale = fitted.problem.residuals.length > 0 ? 1 / (fitted.rises[j] as number) : 2;
  const nothing: Reached = { u, root: NaN, energy: NaN, point: near[0] ?? fitted.point };
  let best = nothing;
  let blind = false;
  for (const [i, start] of [...near, ...far].entries()) {
    const { energy, point } = await optimiseOthers(fitted, j, u, start, ask, cancel);
    const root = Math.sqrt(Math.max(0, energy - fitted.result.energy) * scale);
    if (!Number.isFinite(root)) blind ||= i < near.length;
    else if (!(root >= best.root)) best = { u, root, energy, point };
    if (best.root < enough) return best;
  }
  return blind ? nothing : best;
}

async function optimiseOthers(
  { all, problem }: Fitted,
  j: number,
  held: number,
  from: Float64Array,
  ask: Ask,
  cancel: Int32Array | undefined,
): Promise<{ readonly energy: number; readonly point: Float64Array }> {
  const others = all.filter((_, i) => i !== j);
  const without = <T>(list: readonly T[]): T[] => list.filter((_, i) => i !== j);
  const whole = (v: Float64Array): Float64Array =>
    Float64Array.from(all, (_, i) => (i === j ? held : (v[i < j ? i : i - 1] as number)));
  const start = Float64Array.from(others, (other, i) => clamp(from[i < j ? i : i + 1] as number, other));
  if (others.length === 0) {
    const found = await ask(whole(start));
    const energy = 'residuals' in found ? found.residuals.reduce((sum, r) => sum + r * r, 0) : found.value;
    return { energy, point: whole(start) };
  }
  const squares = async (v: Float64Array): Promise<Linearisation> => {
    const { residuals, jacobian } = (await ask(whole(v))) as Linearisation;
    return { residuals, jacobian: without(jacobian) };
  };
  const curvature = async (v: Float64Array): Promise<Quadratic> => {
    const { value, gradient, hessian } = (await ask(whole(v))) as Quadratic;
    return {
      value,
      gradient: Float64Array.from(without([...gradient])),
      hessian: without(hessian).map((row) => Float64Array.from(without([...row]))),
    };
  };
  const search = (at: Float64Array, maxIterations: number): Promise<Ending> => {
    const options = { maxIterations, ...(cancel && { cancel }) };
    return problem.residuals.length > 0
      ? levenbergMarquardt(squares, others, at, options)
      : newton(curvature, others, at, options);
  };
  let ending = await search(start, few);
  if (ending.status === 'not-converged') ending = await search(ending.point, many);
  if (ending.status === 'cancelled') throw new Cancelled();
  const energy = ending.status === 'failed' ? NaN : (ending.history.at(-1) as number);
  return { energy, point: whole(ending.point) };
}
