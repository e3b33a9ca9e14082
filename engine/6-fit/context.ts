/** A problem on a device, with the questions that more than one method asks, so that a program is compiled once. */
import type { Device } from '../5-runtime/device.ts';
import { coordinates, type Coordinate } from './coordinates.ts';
import type { Linearisation, Quadratic } from './expansion.ts';
import { isSifting } from './long/hessian-products.ts';
import { descentOf, quadraticOf, slopeOf } from './marginal/questions.ts';
import { isLarge } from './optimisers/large-least-squares.ts';
import type { ScheduleOptions } from './optimisers/schedules.ts';
import { linearParameters } from './optimisers/variable-projection.ts';
import type { FitProblem } from './problem.ts';
import { compressedOf, linearisationOf, sweepOptions, type AtPoint } from './questions.ts';
import type { Expansion, Slope } from './stationary/stationary.ts';

/** Coordinates up to which a dense Hessian is formed and factorised, rather than multiplied. */
export const DENSE = 200;

/** How Adam goes about it. */
export interface AdamOptions extends ScheduleOptions {
  /** Rows of a batch; all unless said. */
  readonly batch?: number | undefined;
  /** Of the order of the rows. */
  readonly seed?: number | undefined;
}

export interface FitContext {
  readonly problem: FitProblem;
  readonly device: Device;
  readonly all: readonly Coordinate[];
  readonly adam: AdamOptions;
  readonly linearisation: () => AtPoint<Linearisation>;
  /** By the products of its columns. */
  readonly compressed: () => AtPoint<Linearisation>;
  readonly quadratic: () => AtPoint<Quadratic>;
  /** The energy and its gradient. */
  readonly slope: () => AtPoint<Slope>;
  /** What a method descends by. */
  readonly descent: () => AtPoint<Quadratic>;
  /** Names of parameters that the residuals are linear in, where a method may solve for them. */
  readonly solved: () => readonly string[];
}

export function fitContext(problem: FitProblem, device: Device, adamOptions: AdamOptions = {}): FitContext {
  const all = coordinates(problem.parameters);
  const options = sweepOptions(problem, device);
  const quadratic = once(() => quadraticOf(problem, all, problem.energy, options));
  return {
    problem,
    device,
    all,
    adam: adamOptions,
    linearisation: once(() => linearisationOf(problem, all)),
    compressed: once(() => compressedOf(problem, all)),
    quadratic,
    slope: once(() => {
      const curved = problem.residuals.length === 0 && all.length <= DENSE ? quadratic() : undefined;
      return curved && isSifting(curved) ? curved.slope : slopeOf(problem, all, problem.energy, options);
    }),
    descent: problem.effects ? once(() => descentOf(problem, all, problem.energy, options)) : quadratic,
    solved: once(() => (isLarge(problem, all) ? [] : linearParameters(problem))),
  };
}

function once<A>(make: () => A): () => A {
  let made: A | undefined;
  return () => (made ??= make());
}

/** What the stop test asks; undefined of so many parameters that no Hessian is formed. */
export function expansionOf({
  problem,
  all,
  linearisation,
  compressed,
  quadratic,
}: FitContext): AtPoint<Expansion> | undefined {
  if (problem.residuals.length > 0) return isLarge(problem, all) ? compressed() : linearisation();
  return all.length <= DENSE ? quadratic() : undefined;
}
