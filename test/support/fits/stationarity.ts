/**
 * Whether squares are stationary at a point, by means of its own: residuals and Jacobian come from the interpreter, a
 * gradient is measured by the angles between columns and residuals, and a plain damped Gauss–Newton method looks for
 * something lower nearby.
 */
import { referenceDevice } from '../../../engine/5-runtime/reference-device.ts';
import { openAnswers } from '../../../engine/6-fit/answers.ts';
import { coordinates } from '../../../engine/6-fit/coordinates.ts';
import type { FitProblem } from '../../../engine/6-fit/problem.ts';
import { linearisationOf } from '../../../engine/6-fit/questions.ts';

interface Local {
  readonly residuals: readonly number[];
  readonly columns: readonly (readonly number[])[];
}

const inner = (x: readonly number[], y: readonly number[]): number => x.reduce((sum, v, i) => sum + v * y[i]!, 0);
const size = (x: readonly number[]): number => Math.hypot(...x);

export async function isStationary(problem: FitProblem, point: readonly number[]): Promise<boolean> {
  const device = referenceDevice();
  const all = coordinates(problem.parameters);
  const answers = openAnswers(device, problem);
  const question = linearisationOf(problem, all);
  const at = async (u: readonly number[]): Promise<Local> => {
    const { residuals, jacobian } = await answers.ask(question, Float64Array.from(u));
    return { residuals: [...residuals], columns: jacobian.map((column) => [...column]) };
  };
  try {
    const here = await at(point);
    const cost = size(here.residuals);
    // The rounding of the parameters alone moves the residuals so far.
    const noise =
      1e-12 *
      size(
        here.residuals.map((_, i) =>
          inner(
            here.columns.map((c) => Math.abs(c[i]!)),
            point.map(Math.abs),
          ),
        ),
      );
    if (cost <= noise) return true;
    const angles = here.columns.map((c) => Math.abs(inner(c, here.residuals)) / ((size(c) || 1) * cost));
    if (!(Math.max(...angles) < 1e-4)) return false;
    const lowest = await descended(at, point);
    return lowest > cost * (1 - 1e-5) || cost - lowest <= noise;
  } finally {
    answers.release();
    device.close();
  }
}

/** ‖r‖ after some steps of (JᵀJ + λ·diag(JᵀJ))·s = -Jᵀr, solved by elimination. */
async function descended(at: (u: readonly number[]) => Promise<Local>, from: readonly number[]): Promise<number> {
  let point = [...from];
  let here = await at(point);
  let lambda = 1e-3;
  for (let k = 0; k < 30; k++) {
    const { columns, residuals } = here;
    const system = columns.map((a, i) => [
      ...columns.map((b, j) => inner(a, b) * (i === j ? 1 + lambda : 1) + (i === j ? Number.MIN_VALUE : 0)),
      -inner(a, residuals),
    ]);
    const step = eliminated(system);
    const next = point.map((u, j) => u + step[j]!);
    const there = await at(next);
    if (size(there.residuals) < size(residuals)) {
      [point, here] = [next, there];
      lambda /= 5;
    } else lambda *= 10;
  }
  return size(here.residuals);
}

function eliminated(rows: number[][]): number[] {
  const n = rows.length;
  for (let k = 0; k < n; k++) {
    const pivot = rows
      .slice(k)
      .reduce((best, row, i) => (Math.abs(row[k]!) > Math.abs(rows[best]![k]!) ? k + i : best), k);
    [rows[k], rows[pivot]] = [rows[pivot]!, rows[k]!];
    const [top] = [rows[k]!];
    for (let i = 0; i < n; i++) {
      if (i === k) continue;
      const row = rows[i]!;
      const factor = row[k]! / top[k]!;
      if (Number.isFinite(factor)) for (let j = k; j <= n; j++) row[j] = row[j]! - factor * top[j]!;
    }
  }
  return rows.map((row, i) => (Number.isFinite(row[n]! / row[i]!) ? row[n]! / row[i]! : 0));
}
