/**
 * Which ends of many starts are one minimum. Those of different energies are not. Of ends of one energy two are one minimum
 * where they are one point, to what moves the energy; where a symmetry of the model takes one to the other (symmetry.ts);
 * or where the curvature is singular, so that a minimum is no point. Else they are two that are as low as each other, and
 * the data say nothing of which.
 */
import { orCancelled } from '../0-ir/errors.ts';
import { expansionOf, type FitContext } from './context.ts';
import type { Basin, Level } from './ended-starts.ts';
import { batched, type Batched } from './ensembles/batched-objective.ts';
import { symmetricEigen } from './algebra/eigen.ts';
import { singularValues } from './algebra/svd.ts';
import { dot, norm, numbers } from './algebra/vectors.ts';
import { scalarsOf } from './marginal/questions.ts';
import { isLarge } from './optimisers/large-least-squares.ts';
import { isCancelled } from './problem.ts';
import { isFiniteExpansion, isSquares, type Expansion } from './stationary/stationary.ts';
import { applied, areSame, candidates, pointsAbout, symmetryInWords } from './symmetry.ts';

export interface Basins {
  /** Lowest first. */
  readonly basins: readonly Basin[];
  /** The symmetries by which ends were one, in words. */
  readonly symmetries: readonly string[];
}

/** Levels that are looked at, the lowest; others are taken for one minimum each. */
const MOST_LEVELS = 32;
const MOST_WORDS = 6;
/** Of the energy: what a step between two ends of one minimum changes. */
const CLOSE = 1e-4;
/** Singular values, columns scaled to one, below which a minimum is no point. */
const SINGULAR = 1e-7;
const ROUNDING = { f64: 1e-8, f32: 1e-3 };

/** Who stops a fit by `cancel` waits for nothing more, and one energy is one minimum. */
export async function basinsOf(
  context: FitContext,
  levels: readonly Level[],
  cancel: Int32Array | undefined,
): Promise<Basins> {
  const { problem, device, all } = context;
  const merged = levels.map(asOne);
  const split = levels.slice(0, MOST_LEVELS).filter(({ ends }) => ends.length > 1);
  const question = problem.effects || isLarge(problem, all) ? undefined : expansionOf(context);
  const whole = { basins: merged, symmetries: [] };
  if (isCancelled(cancel) || split.length === 0 || !question) return whole;
  const expand = await batched<Float64Array, Expansion>(question, problem, device, cancel);
  const energies = await batched(scalarsOf(problem, all, [problem.energy]), problem, device, cancel);
  const words = new Set<string>();
  const told = async (): Promise<Basins> => {
    const basins: Basin[] = [];
    for (const [i, level] of levels.entries())
      if (split.includes(level)) basins.push(...(await apart(context, level, expand, energies, words)));
      else basins.push(merged[i]!);
    return { basins, symmetries: [...words].slice(0, MOST_WORDS) };
  };
  try {
    return (await orCancelled(told)) ?? whole;
  } finally {
    expand.release();
    energies.release();
  }
}

function asOne({ energy, ends }: Level): Basin {
  const [first] = ends;
  const starts = ends.reduce((sum, end) => sum + end.starts, 0);
  return { energy, starts, point: first!.point };
}

async function apart(
  context: FitContext,
  level: Level,
  expand: Batched<Float64Array, Expansion>,
  energies: Batched<Float64Array, readonly number[]>,
  words: Set<string>,
): Promise<Basin[]> {
  const { all, device } = context;
  const { energy, ends } = level;
  const expansions = await expand.at(ends.map(({ point }) => point));
  if (expansions.some((expansion) => !isFiniteExpansion(expansion) || isSingular(expansion))) return [asOne(level)];
  const found: { starts: number; readonly point: Float64Array; readonly expansion: Expansion }[] = [];
  for (const [i, { point, starts }] of ends.entries()) {
    let known = found.find((basin) => isClose(basin.expansion, basin.point, point));
    for (const basin of known ? [] : found) {
      const symmetry = await symmetryBetween(basin.point, point);
      if (symmetry === undefined) continue;
      const said = symmetryInWords(all, symmetry);
      if (said !== undefined) words.add(said);
      known = basin;
      break;
    }
    if (known) known.starts += starts;
    else found.push({ starts, point, expansion: expansions[i]! });
  }
  return found.map(({ starts, point }) => ({ energy, starts, point }));

  async function symmetryBetween(p: Float64Array, q: Float64Array) {
    const may = candidates(all, p, q);
    if (may.length === 0) return undefined;
    const points = pointsAbout(all, p);
    const images = may.flatMap((symmetry) => points.map((u) => applied(symmetry, u)));
    const values = (await energies.at([...points, ...images])).map(([value]) => value!);
    const n = points.length;
    return may.find((_, k) =>
      areSame(values.slice(0, n), values.slice((k + 1) * n, (k + 2) * n), ROUNDING[device.precision]),
    );
  }
}

/** By what the expansion at p says of q: of squares the step in the residuals, else in the energy's own units. */
function isClose(expansion: Expansion, p: Float64Array, q: Float64Array): boolean {
  const step = q.map((u, j) => u - p[j]!);
  if (!isSquares(expansion))
    return (
      dot(
        step,
        numbers(step.length, (i) => dot(expansion.hessian[i]!, step)),
      ) <= CLOSE
    );
  const { residuals, jacobian } = expansion;
  const change = new Float64Array(residuals.length);
  jacobian.forEach((column, j) => change.forEach((_, i) => (change[i] = change[i]! + column[i]! * step[j]!)));
  return dot(change, change) <= CLOSE * dot(residuals, residuals);
}

function isSingular(expansion: Expansion): boolean {
  if (isSquares(expansion)) {
    const sizes = expansion.jacobian.map((column) => norm(column));
    if (sizes.includes(0) || (expansion.jacobian[0]?.length ?? 0) < sizes.length) return true;
    const { values } = singularValues(expansion.jacobian.map((column, j) => column.map((value) => value / sizes[j]!)));
    return !(Math.min(...values) > SINGULAR * Math.max(...values));
  }
  const scale = expansion.hessian.map((row, i) => Math.sqrt(Math.abs(row[i]!)));
  if (scale.includes(0)) return true;
  const { values } = symmetricEigen(expansion.hessian.map((row, i) => row.map((h, j) => h / (scale[i]! * scale[j]!))));
  return !(Math.min(...values) > SINGULAR * Math.max(...values));
}
