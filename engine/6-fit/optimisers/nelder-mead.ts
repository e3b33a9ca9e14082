/**
 * Nelder & Mead's simplex for min f(u) within bounds, where f has no gradient (Nelder & Mead 1965,
 * DOI 10.1093/comjnl/7.4.308), with the coefficients of Gao & Han (2012, DOI 10.1007/s10589-010-9329-3), which depend on
 * the number of coordinates n:
 *
 *     reflection 1, expansion 1 + 2/n, contraction 3/4 - 1/(2n), shrinking 1 - 1/n      (n ≥ 2)
 *
 * Vertices are moved inside the bounds; one where f has no value is worse than all others. A simplex may lose a
 * dimension and stall where f is not stationary, so where one has closed up a fresh one begins, until that finds
 * nothing lower: it ends there, which proves no minimum.
 */
import { clamp, type Coordinate } from '../coordinates.ts';
import { isCancelled, notEnough, type Ending, type OptimiserOptions } from '../problem.ts';
import { STUCK } from '../stationary/settle.ts';
import { nothingAtStart } from '../stationary/stationary.ts';

interface Vertex {
  readonly point: Float64Array;
  readonly value: number;
}

/** Of the size of the point, and of f: a simplex as small as this is a point. */
const CLOSED = 1e-11;
const FLAT = 1e-15;
const RESTARTS = 10;

export async function nelderMead(
  valueAt: (u: Float64Array) => Promise<number>,
  all: readonly Coordinate[],
  start: Float64Array,
  { maxIterations, cancel, onIteration }: OptimiserOptions,
): Promise<Ending> {
  const n = all.length;
  const [expansion, contraction, shrinking] = n > 1 ? [1 + 2 / n, 0.75 - 1 / (2 * n), 1 - 1 / n] : [2, 0.5, 0.5];
  const at = async (point: Float64Array): Promise<Vertex> => {
    const value = await valueAt(point);
    return { point, value: Number.isNaN(value) ? Infinity : value };
  };
  const inside = (point: Float64Array): Float64Array => point.map((u, j) => clamp(u, all[j]!));
  const around = async (centre: Vertex, reach: number): Promise<Vertex[]> => {
    const vertices = [centre];
    for (const [j, coordinate] of all.entries()) {
      const u = centre.point[j]!;
      const length = reach * (Math.abs(u) || 1);
      const away = u + length > coordinate.upper ? -length : length;
      const vertex = centre.point.slice();
      vertex[j] = u + away;
      vertices.push(await at(inside(vertex)));
    }
    return vertices.sort((a, b) => a.value - b.value);
  };

  let best = await at(start);
  const history = [best.value === Infinity ? NaN : best.value];
  const end = (status: Ending['status'], reason: string, iterations: number): Ending => {
    return { status, reason, point: best.point, iterations, history };
  };
  let simplex = await around(best, 0.05);
  best = simplex[0]!;
  if (best.value === Infinity) return end('failed', nothingAtStart('and beside them the objective has no value'), 0);
  onIteration?.(0, best.value, best.point);

  let restarts = 0;
  let before = Infinity;
  for (let iteration = 1; iteration <= maxIterations; iteration++) {
    if (isCancelled(cancel)) return end('cancelled', 'stopped by the user', iteration - 1);
    const worst = simplex[n]!;
    const others = simplex.slice(0, n);
    const centre = start.map((_, j) => others.reduce((sum, { point }) => sum + point[j]!, 0) / n);
    const along = (t: number) => at(inside(centre.map((u, j) => u + t * (u - worst.point[j]!))));
    const reflected = await along(1);
    let next: Vertex | undefined;
    if (reflected.value < best.value) {
      const expanded = await along(expansion);
      next = expanded.value < reflected.value ? expanded : reflected;
    } else if (reflected.value < others.at(-1)!.value) next = reflected;
    else {
      const outside = reflected.value < worst.value;
      const contracted = await along(outside ? contraction : -contraction);
      if (contracted.value < Math.min(reflected.value, worst.value)) next = contracted;
    }
    if (next) simplex = [...others, next];
    else {
      const shrunk = [best];
      for (const { point } of simplex.slice(1))
        shrunk.push(await at(best.point.map((u, j) => u + shrinking * (point[j]! - u))));
      simplex = shrunk;
    }
    simplex.sort((a, b) => a.value - b.value);
    best = simplex[0]!;
    history.push(best.value);
    onIteration?.(iteration, best.value, best.point);
    if (!isClosed(simplex)) continue;
    if (before - best.value <= 1e-12 * Math.abs(best.value) || restarts === RESTARTS)
      return { ...end('not-converged', STUCK, iteration), unjudged: true };
    before = best.value;
    restarts++;
    simplex = await around(best, 1e-3);
    best = simplex[0]!;
  }
  return end('not-converged', notEnough(maxIterations), maxIterations);
}

function isClosed(simplex: readonly Vertex[]): boolean {
  const [best, worst] = [simplex[0]!, simplex.at(-1)!];
  const spread = Math.max(
    ...simplex.map(({ point }) =>
      Math.max(
        ...point.map((u, j) => {
          const centre = best.point[j]!;
          return Math.abs(u - centre) / (Math.abs(centre) || 1);
        }),
      ),
    ),
  );
  return spread <= CLOSED || (worst.value - best.value <= FLAT * Math.abs(best.value) && spread <= 1e-6);
}
