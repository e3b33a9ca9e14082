/**
 * Variable projection: parameters c that enter the residuals linearly, r(c, θ) = Φ(θ)·c + b(θ), are eliminated exactly,
 *
 *     min over θ of ‖r(c*(θ), θ)‖²,   c*(θ) = -Φ⁺b,   Jacobian by θ:  (1 - Φ·Φ⁺)·∂r/∂θ at c*
 *
 * (Golub & Pereyra 1973, DOI 10.1137/0710036; the Jacobian is Kaufman's 1975, DOI 10.1007/BF01932995, which leaves out a
 * term that is orthogonal to the residuals). There are fewer dimensions, no start for c, and wider basins: what makes sums
 * of exponentials and peaks hard is mostly that c and θ are not where they belong together.
 *
 * Which parameters are linear the program itself tells: its tangent along all of them at once does not read any of them.
 */
import { withoutDeadCode } from '../../1-optimize/dead-code.ts';
import { operandsOf } from '../../0-ir/operands.ts';
import type { Program } from '../../0-ir/program.ts';
import { jvp } from '../../2-ad/jvp.ts';
import type { Coordinate } from '../coordinates.ts';
import type { Linearisation } from '../expansion.ts';
import type { FitParameter, FitProblem } from '../problem.ts';
import { backSubstitute, factoriseBeside, numericalRank } from '../algebra/qr.ts';
import { norm } from '../algebra/vectors.ts';

/** Statements and parameters beyond which nothing is looked for: a program is differentiated once for each parameter. */
const LONGEST = 2000;
const MOST = 40;
/** The sines of angles below which columns of Φ are one. */
const DEPENDENT = 1e-10;

/** Parameters that are eliminated: linear together, without bounds, on their own scale. None where all are. */
export function linearParameters(problem: Pick<FitProblem, 'program' | 'residuals' | 'parameters'>): string[] {
  const { residuals, parameters } = problem;
  const free = parameters.filter(({ fixed }) => !fixed);
  const program = residualsOf(problem);
  const candidates = free.filter(isUnbounded);
  if (residuals.length === 0 || program.statements.length > LONGEST || candidates.length > MOST) return [];
  const found: string[] = [];
  for (const { name } of candidates) if (isLinearIn(program, [...found, name])) found.push(name);
  return found.length === free.length ? [] : found;
}

/** Whether all are linear together: then there is one minimum. */
export function isLinear(problem: Pick<FitProblem, 'program' | 'residuals' | 'parameters'>): boolean {
  const free = problem.parameters.filter(({ fixed }) => !fixed);
  const program = residualsOf(problem);
  if (program.statements.length > LONGEST || free.length > MOST || free.some(({ scale }) => scale !== 'linear'))
    return false;
  return isLinearIn(
    program,
    free.map(({ name }) => name),
  );
}

function residualsOf({ program, residuals }: Pick<FitProblem, 'program' | 'residuals'>): Program {
  return withoutDeadCode({ ...program, results: program.results.filter(({ name }) => residuals.includes(name)) });
}

function isUnbounded({ scale, lower, upper }: FitParameter): boolean {
  return (
    scale === 'linear' && lower.every((bound) => bound === -Infinity) && upper.every((bound) => bound === Infinity)
  );
}

/** Whether the derivative along all of them at once reads none of them. */
function isLinearIn(program: Program, names: readonly string[]): boolean {
  const forward = jvp(program, { by: names });
  const tangents = withoutDeadCode({ ...forward, results: forward.results.slice(program.results.length) });
  const read = new Set(tangents.statements.flatMap(({ construct }) => operandsOf(construct).map(({ id }) => id)));
  return tangents.parameters.every(({ name, value }) => !names.includes(name) || !read.has(value.id));
}

/** Positions among the coordinates. */
export function positionsOf(names: readonly string[], all: readonly Coordinate[]): number[] {
  return all.flatMap(({ parameter }, j) => (names.includes(parameter.name) ? [j] : []));
}

/** What c would have to change by for ‖r‖ to be least: -Φ⁺r, of the columns at these positions. */
export function leastChange({ residuals, jacobian }: Linearisation, positions: readonly number[]): Float64Array {
  return leastChanges(jacobian, positions, [residuals])[0]!;
}

/** The residuals with the columns of θ, less what the columns of c take up of them. */
export function reduced(full: Linearisation, positions: readonly number[], others: readonly number[]): Linearisation {
  const jacobian = others.map((j) => full.jacobian[j]!.slice());
  const changes = leastChanges(full.jacobian, positions, jacobian);
  jacobian.forEach((column, side) =>
    positions.forEach((k, i) => {
      const by = full.jacobian[k]!;
      const change = changes[side]![i]!;
      for (let row = 0; row < column.length; row++) column[row] = column[row]! + change * by[row]!;
    }),
  );
  return { residuals: full.residuals, jacobian };
}

/** -Φ⁺b of several b: Φ is factorised once. */
function leastChanges(
  jacobian: readonly Float64Array[],
  positions: readonly number[],
  b: readonly Float64Array[],
): Float64Array[] {
  const sizes = positions.map((j) => norm(jacobian[j]!) || 1);
  const columns = positions.map((j, i) => jacobian[j]!.map((value) => value / sizes[i]!));
  const { factors, sides } = factoriseBeside(columns, b);
  const rank = numericalRank(factors, DEPENDENT);
  return sides.map((side) => {
    const solved = backSubstitute(factors, side, rank);
    const change = new Float64Array(positions.length);
    factors.permutation.forEach((k, i) => (change[k] = -solved[i]! / sizes[k]!));
    return change;
  });
}
