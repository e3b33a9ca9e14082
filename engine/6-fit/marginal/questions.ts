/** What is asked of a problem, be its effects integrated out (marginal.ts) or have it none (../questions.ts). */
import type { Coordinate } from '../coordinates.ts';
import type { SweepOptions } from '../derivative-programs.ts';
import type { Quadratic } from '../expansion.ts';
import { curvedOf } from '../long/hessian-products.ts';
import type { FitProblem } from '../problem.ts';
import * as plain from '../questions.ts';
import type { AtPoint } from '../questions.ts';
import type { Slope } from '../stationary/stationary.ts';
import { marginalOf } from './marginal.ts';

/** With a problem's effects, where it has any. */
type Asked = plain.Asked & Partial<FitProblem>;

const isMarginal = (problem: Asked): problem is FitProblem => problem.effects !== undefined;

export function scalarsOf(
  problem: Asked,
  all: readonly Coordinate[],
  results: readonly string[],
): AtPoint<readonly number[]> {
  return isMarginal(problem) ? marginalOf(problem, all).scalars(results) : plain.scalarsOf(problem, all, results);
}

export function slopeOf(problem: Asked, all: readonly Coordinate[], of: string, options: SweepOptions): AtPoint<Slope> {
  return isMarginal(problem) ? marginalOf(problem, all).slope : plain.slopeOf(problem, all, of, options);
}

export function quadraticOf(
  problem: Asked,
  all: readonly Coordinate[],
  of: string,
  options: SweepOptions,
): AtPoint<Quadratic> {
  return isMarginal(problem) ? marginalOf(problem, all).quadratic : curvedOf(problem, all, of, options);
}

/** As exact as a descent by Hessians wants it: the last is that of `quadraticOf`. */
export function descentOf(
  problem: Asked,
  all: readonly Coordinate[],
  of: string,
  options: SweepOptions,
): AtPoint<Quadratic> {
  return isMarginal(problem) ? marginalOf(problem, all).descent : curvedOf(problem, all, of, options);
}
