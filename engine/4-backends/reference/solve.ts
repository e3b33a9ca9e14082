import { solveEnds, type SolveConstruct } from '../../0-ir/program.ts';
import { resultTypes } from '../../0-ir/scalar.ts';
import { sizesOfShape, type Context } from './context.ts';
import { store, tupleAt } from './combine.ts';
import { broadcastTo, elementCount, newValue, type HostValue } from './host-value.ts';
import { compileScalar } from './scalar/compile.ts';

/**
 * residual(y, given) = 0 at every point, by Newton's method with a Jacobian of central differences, halved where a step
 * leads no nearer: it knows of no derivative that the rules could have wrong. So steps go on until they are as small as
 * they will be: beside where the unknowns are, or, where a root is 0, beside what they have been, once they gain no more.
 */
export function interpretSolve(c: SolveConstruct, context: Context): HostValue[] {
  const shape = sizesOfShape(context, c.shape);
  const stretched = [...c.initial, ...c.given].map((value) => broadcastTo(context.value(value), shape));
  const residual = compileScalar(c.residual);
  const d = c.initial.length;
  const results = [...resultTypes(c.residual), 'int' as const].map((element) => newValue(element, shape));
  for (let position = 0; position < elementCount(shape); position++) {
    const operands = tupleAt(stretched, position);
    const given = operands.slice(d);
    const found = search((y) => residual([...y, ...given]).map(Number), operands.slice(0, d).map(Number), c.linear);
    store(results, position, [...found.y, found.end]);
  }
  return results;
}

type Residual = (y: readonly number[]) => number[];

const mostSteps = 1200;
const underflowing = 1e-300;

function search(residual: Residual, initial: readonly number[], linear: boolean): { y: number[]; end: number } {
  // Beside a root that is 0 and touches, as that of x², differences of what underflows lead nowhere.
  const stopped = (f: readonly number[], at: readonly number[]): number =>
    f.every((value) => Math.abs(value) < underflowing) && isDetermined(residual, at)
      ? solveEnds.found
      : solveEnds.stuck;
  let y = [...initial];
  let largest = y.map(Math.abs);
  let smallest = Infinity;
  let waited = 0;
  let gains = true;
  for (let step = 0; step < mostSteps; step++) {
    const f = residual(y);
    if (f.every((value) => value === 0))
      return { y, end: linear || isDetermined(residual, y) ? solveEnds.found : solveEnds.singular };
    largest = largest.map((size, i) => Math.max(size, Math.abs(y[i]!)));
    // Beside where the unknowns are, and, for a root that is 0, beside what they have been: whichever leads nearer.
    const tries = (linear ? [y] : [y, largest]).map((scale) => {
      const jacobian = centralJacobian(residual, y, scale, linear);
      const newton = eliminate(jacobian, f);
      const off = Math.hypot(...residual(y.map((value, i) => value - newton[i]!)));
      return { jacobian, newton, off: Number.isNaN(off) ? Infinity : off };
    });
    const finite = tries.filter(({ newton }) => newton.every(Number.isFinite));
    if (finite.length === 0) return { y, end: stopped(f, y) };
    const { jacobian, newton } = finite.reduce((best, each) => (each.off < best.off ? each : best));
    const moved = Math.max(...newton.map((p, i) => Math.abs(p) / Math.max(largest[i]!, Math.abs(p))));
    const isNear = newton.every((p, i) => Math.abs(p) <= 1e-6 * Math.max(Math.abs(y[i]!), Math.abs(p)));
    const isFaint = moved < 1e-6 && !gains;
    // A few further steps at the end, of which the least is as near as there is.
    waited = moved < 0.9 * smallest ? 0 : waited + 1;
    smallest = Math.min(smallest, moved);
    if ((isNear || isFaint) && smallest < 1e-6 && waited >= 3)
      return { y, end: smallest < 1e-9 ? solveEnds.found : solveEnds.singular };
    const weights = jacobian.map(
      (row) =>
        row.reduce((sum, entry, j) => sum + Math.abs(entry) * Math.max(Math.abs(y[j]!), Math.abs(newton[j]!)), 0) || 1,
    );
    const size = (at: readonly number[]): number => Math.hypot(...residual(at).map((value, i) => value / weights[i]!));
    const before = size(y);
    let share = 1;
    const next = (): number[] => y.map((value, i) => value - share * newton[i]!);
    while (!isNear && !isFaint && !(size(next()) < before) && share > 1e-12) share /= 2;
    if (share <= 1e-12) return { y, end: stopped(f, y) };
    gains = size(next()) < 0.9 * before;
    y = next();
  }
  return { y, end: solveEnds.unfinished };
}

/** [i][j] = ∂fᵢ/∂yⱼ; exact but for rounding where f is affine, whatever the width. */
function centralJacobian(
  residual: Residual,
  y: readonly number[],
  scale: readonly number[],
  linear: boolean,
): number[][] {
  const columns = y.map((value, j) => {
    const h = linear ? 1 : 1e-6 * (Math.abs(scale[j]!) || 1);
    const [up, down] = [residual(y.with(j, value + h)), residual(y.with(j, value - h))];
    return up.map((each, i) => (each - down[i]!) / (2 * h));
  });
  return y.map((_, i) => columns.map((column) => column[i]!));
}

/** A⁻¹·b by Gauss with the largest pivot of each column. */
function eliminate(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i]!]);
  const d = rows.length;
  for (let k = 0; k < d; k++) {
    let pivot = k;
    for (let i = k + 1; i < d; i++) if (Math.abs(rows[i]![k]!) > Math.abs(rows[pivot]![k]!)) pivot = i;
    [rows[k], rows[pivot]] = [rows[pivot]!, rows[k]!];
    for (let i = 0; i < d; i++) {
      if (i === k) continue;
      const factor = rows[i]![k]! / rows[k]![k]!;
      rows[i] = rows[i]!.map((value, j) => (j < k ? value : value - factor * rows[k]![j]!));
    }
  }
  return rows.map((row, i) => row[d]! / row[i]!);
}

/**
 * Whether equations that hold at y tell their unknowns apart there: none says, nearly, what others say. One of a single unknown
 * that is flat touches its root, and says what that unknown is.
 */
function isDetermined(residual: Residual, y: readonly number[]): boolean {
  if (y.length === 1) return true;
  const sizes = y.map((value) => Math.abs(value) || 1);
  const slopes = centralJacobian(residual, y, sizes, false);
  const isFlat = slopes.map((row) => row.every((entry) => entry === 0));
  const aside = y.map((value, j) => residual(y.with(j, value + 1e-6 * sizes[j]!)));
  const jacobian = slopes.map((row, i) => {
    if (!isFlat[i]) return row;
    const own = y.map((_, j) => (aside[j]![i] === 0 ? 0 : 1));
    return own.filter((each) => each === 1).length === 1 ? own : row;
  });
  const weights = jacobian.map((row) => row.reduce((sum, entry, j) => sum + Math.abs(entry) * sizes[j]!, 0));
  const moved = eliminate(
    jacobian,
    weights.map((weight, i) => (isFlat[i] ? 0 : 1e-12 * weight)),
  );
  return moved.every((step, j) => Math.abs(step) <= 1e-3 * sizes[j]!);
}
