/**
 * Leave-one-out prediction by gradients: each observation is predicted at the estimate that all others give,
 *
 *   elpdLoo = Σᵢ log p(yᵢ | θ₋ᵢ),   θ₋ᵢ = argmin_θ D(θ) − Dᵢ(θ)
 *
 * with D = Σ Dⱼ the −log density (or ½ Σ r², where the noise is estimated: σ₋ᵢ² = SSR₋ᵢ/(n − 1), the maximum of the likelihood
 * as θ₋ᵢ is). No fit is made again: from the fit's end θ₋ᵢ is a few of Newton's steps away, by the exact gradient and Hessian
 * of what is left, for all observations at once. Of a straight line or any other linear model the first of them arrives (the
 * closed form by leverages), and the next tells whether it has. It is a plug-in density, as those of AIC, of which it is the
 * exact counterpart (Stone 1977, DOI 10.1111/j.2517-6161.1977.tb01603.x: −2·elpdLoo → AIC); PSIS-LOO (chains/psis.ts) averages
 * over the posterior instead.
 *
 * Coordinates c are such that the Hessian of all observations is 1, along the directions that the data see: that of what is left is then
 * 1 less the leverage, and its determinant is 0 where nobody but observation i tells of a direction.
 */
import { ProgramBuilder } from '../0-ir/builder.ts';
import { builtinOperator } from '../0-ir/operators.ts';
import type { Value } from '../0-ir/program.ts';
import { realLiteral } from '../0-ir/scalar.ts';
import { sizeProduct, sizeValue } from '../0-ir/sizes.ts';
import { inlineProgram } from '../0-ir/walk.ts';
import type { Device } from '../5-runtime/device.ts';
import { cholesky, choleskySolve } from '../6-fit/algebra/cholesky.ts';
import { symmetricEigen } from '../6-fit/algebra/eigen.ts';
import { dot, numbers } from '../6-fit/algebra/vectors.ts';
import { batched, type Batched } from '../6-fit/ensembles/batched-objective.ts';
import type { EnsembleModel } from '../6-fit/ensembles/ensemble.ts';
import type { Quadratic } from '../6-fit/expansion.ts';
import type { FitProblem } from '../6-fit/problem.ts';
import { quadraticOf, scalarsOf, sweepOptions, withResults, type PlainQuestion } from '../6-fit/questions.ts';
import type { FitResult } from '../6-fit/report/report.ts';
import type { Loo } from './chains/psis.ts';
import { fittedFrom, type Fitted } from './uncertainty/fitted.ts';

/** A sum over observations, each of which counts as often as an input says. */
export interface Cases extends Pick<EnsembleModel, 'program' | 'data' | 'sizes'> {
  /** Scalar: −log density, or half the sum of squares. */
  readonly result: string;
  /** The inputs by which they count. */
  readonly inputs: readonly string[];
  /** Places in all inputs, one after the other, that are observations; all others count once, as they do in the fit. */
  readonly rows: readonly number[];
  /** Where the noise is estimated: log w of each of `rows`, as squares are weighted. */
  readonly logWeights?: readonly number[];
}

export type LeftOut = Pick<Loo, 'elpdLoo' | 'elpdLooStandardError' | 'pLoo' | 'observations'>;

export interface LeftOutOptions {
  readonly cancel?: Int32Array | undefined;
  readonly onProgress?: ((share: number) => void) | undefined;
}

/** What counts more than this, rows by rows, would take longer than all fits. */
const mostPairs = 1e8;
/** Members that are asked at once hold so many numbers. */
const heldNumbers = 2 ** 21;
const mostSteps = 40;
/** λ², in squared standard errors, below which one more of Newton's steps is the last: its error is of the order λ⁴. */
const arrived = 1e-8;
/** Of the Hessian with observation i to the one of all: what is less is rounding. */
const undetermined = 1e-7;
/** Of eigenvalues of the scaled Hessian, relative to the largest: what is less is not seen by the data. */
const blind = 1e-11;

/** ½ Σ count·r² of the residuals of a problem whose noise is estimated. */
export function squaresByCase(problem: FitProblem): Pick<Cases, 'program' | 'data' | 'sizes' | 'result' | 'inputs'> {
  const { program, residuals, data, sizes } = problem;
  const b = new ProgramBuilder();
  const parameters = program.parameters.map(({ name, value }) => b.parameter(name, value.type));
  const only = withResults(program, residuals);
  const plain = inlineProgram(b, only, parameters);
  const inputs = only.results.map(({ name }) => `counts of ${name}`);
  const sums = plain.map((residual, k): Value => {
    const counts = b.parameter(inputs[k]!, residual.type);
    const squares = b.elementwise(
      [counts, residual],
      (s, count, r) => s.apply('mul', s.apply('mul', realLiteral(0.5), count), s.apply('mul', r, r)),
      residual.type.shape,
    );
    return b.reduce(builtinOperator('add'), [squares], 0)[0]!;
  });
  const value = sums.reduce((total, sum) => b.apply('add', total, sum));
  return { program: b.finish([{ name: 'half of squares', value }]), data, sizes, result: 'half of squares', inputs };
}

/**
 * `result`: of a fit of `problem` that has converged. `lacking`: why there is no such figure, a clause. Throws `Cancelled`.
 */
export async function leaveOneOut(
  problem: FitProblem,
  result: FitResult,
  cases: Cases,
  device: Device,
  options: LeftOutOptions = {},
): Promise<LeftOut | { readonly lacking: string }> {
  const { rows } = cases;
  if (result.kink) return { lacking: 'the slope jumps where the fit ended: no quadratic tells what others would give' };
  const lengths = cases.inputs.map((name) => lengthOf(cases, name));
  const length = lengths.reduce((total, each) => total + each, 0);
  if (rows.length < 2) return { lacking: 'there are fewer than two observations' };
  if (rows.length * length > mostPairs)
    return { lacking: `there are ${rows.length} observations: too many to leave out one by one` };
  const fitted = fittedFrom(problem, result);
  const asked = { program: withResults(cases.program, [cases.result]), parameters: problem.parameters };
  const quadratic = quadraticOf(asked, fitted.all, cases.result, sweepOptions(problem, device));
  const scalar = scalarsOf(asked, fitted.all, [cases.result]);
  const open = <A>(question: PlainQuestion<Float64Array, A>): Promise<Batched<Counted, A>> =>
    batched(
      counted(question, cases.inputs, lengths, fitted.all.length),
      { ...problem, ...cases },
      device,
      options.cancel,
    );
  const [curves, values] = [await open(quadratic), await open(scalar)];
  try {
    const [whole] = await curves.at([{ point: fitted.point, counts: countsOf({ but: undefined, length }) }]);
    const local = whole && localOf(fitted, whole);
    if (!local) return { lacking: 'what is minimised curves down where the fit ended' };
    const size = Math.max(1, Math.min(512, Math.floor(heldNumbers / length)));
    const left: Left[] = [];
    for (let from = 0; from < rows.length; from += size) {
      const found = await withoutEach(rows.slice(from, from + size), fitted, local, curves, length);
      const fault = found.find((each) => typeof each.why === 'string');
      if (fault?.why !== undefined)
        return { lacking: `observation ${rows.indexOf(fault.row)} cannot be left out: ${fault.why}` };
      left.push(...found);
      options.onProgress?.(Math.min(1, (from + size) / rows.length));
    }
    return await figuresOf(left, fitted, cases, values, length);
  } finally {
    curves.release();
    values.release();
  }
}

/** A point, and how often each observation counts there. */
interface Counted {
  readonly point: Float64Array;
  readonly counts: Float64Array;
}

function counted<A>(
  plain: PlainQuestion<Float64Array, A>,
  inputs: readonly string[],
  lengths: readonly number[],
  width: number,
): PlainQuestion<Counted, A> {
  const ones = inputs.map((name, k) => ({ name, initial: new Array<number>(lengths[k]!).fill(1) }));
  return {
    program: plain.program,
    inputs: [...plain.inputs, ...ones],
    write({ point, counts }, into, at) {
      plain.write(point, into, at);
      into.set(counts, at + width);
    },
    read: (result, { point }) => plain.read(result, point),
  };
}

function lengthOf({ program, sizes }: Cases, input: string): number {
  const shape = program.parameters.find(({ name }) => name === input)?.value.type.shape ?? [];
  return sizeValue(sizeProduct(shape), sizes);
}

const countsOf = ({ but, length }: { readonly but: number | undefined; readonly length: number }): Float64Array =>
  numbers(length, (i) => (i === but ? 0 : 1));

/** About the fit's end. */
interface Local {
  /** Coordinates of the optimiser that are not at a bound. */
  readonly inside: readonly number[];
  /** du/dc, by columns over `inside`. */
  readonly basis: readonly Float64Array[];
  /** What is one squared standard error of the function that is minimised, twice. */
  readonly unit: number;
}

/** Undefined where it is no minimum. */
function localOf(fitted: Fitted, { value, hessian }: Quadratic): Local | undefined {
  const { problem, all, names, result } = fitted;
  const bounded = new Set(result.estimates.flatMap(({ name, atBound }) => (atBound ? [name] : [])));
  const inside = all.flatMap((_, j) => (!bounded.has(names[j]!) && hessian[j]![j]! !== 0 ? [j] : []));
  const scale = inside.map((j) => Math.sqrt(Math.abs(hessian[j]![j]!)));
  const scaled = inside.map((i, a) => Float64Array.from(inside, (j, b) => hessian[i]![j]! / (scale[a]! * scale[b]!)));
  const { values, vectors } = symmetricEigen(scaled);
  const largest = values.at(-1) ?? 0;
  if (values.some((each) => !(each > -blind * largest))) return undefined;
  const seen = [...values.keys()].filter((k) => values[k]! > blind * largest);
  const estimated = problem.residuals.length > 0 && !problem.sigmaKnown;
  return {
    inside,
    basis: seen.map((k) => Float64Array.from(inside, (_, a) => vectors[k]![a]! / (scale[a]! * Math.sqrt(values[k]!)))),
    unit: estimated ? (2 * value) / problem.observations : 1,
  };
}

/** Of one observation that is left out: where the others lead, or why that is not known. */
interface Left {
  readonly row: number;
  point: Float64Array;
  /** Where it was before its last step. */
  before?: { readonly point: Float64Array; readonly value: number };
  why?: string;
}

async function withoutEach(
  rows: readonly number[],
  fitted: Fitted,
  local: Local,
  curves: Batched<Counted, Quadratic>,
  length: number,
): Promise<Left[]> {
  const left = rows.map((row): Left => ({ row, point: fitted.point }));
  let moving = left;
  for (let step = 0; step < mostSteps && moving.length > 0; step++) {
    const found = await curves.at(moving.map(({ point, row }) => ({ point, counts: countsOf({ but: row, length }) })));
    moving = moving.filter((each, m) => !advance(each, found[m]!, fitted, local));
  }
  for (const each of moving)
    each.why ??= "what the others tell lies at a bound, or so far away that Newton's steps do not arrive";
  return left;
}

/** One step of Newton's; whether it was the last. */
function advance(each: Left, { value, gradient, hessian }: Quadratic, fitted: Fitted, local: Local): boolean {
  const { inside, basis, unit } = local;
  const { before } = each;
  const slack = 1e-12 * Math.abs(before?.value ?? 0);
  if (before && !(value <= before.value + slack)) {
    each.point = each.point.map((u, j) => 0.5 * (u + before.point[j]!));
    return false;
  }
  if (!Number.isFinite(value)) return fails(each, 'the model has no value without it');
  const g = Float64Array.from(basis, (column) => inside.reduce((sum, j, a) => sum + column[a]! * gradient[j]!, 0));
  const along = basis.map((column) =>
    Float64Array.from(inside, (j) => inside.reduce((sum, k, a) => sum + hessian[j]![k]! * column[a]!, 0)),
  );
  const h = basis.map((row) => Float64Array.from(basis, (_, b) => dot(row, along[b]!)));
  const exact = cholesky(h);
  const step = choleskySolve(exact ?? dampedFactor(h), g);
  const last = exact !== undefined && dot(g, step) <= arrived * unit;
  if (last && !(determinantOf(exact) > undetermined)) return fails(each, aloneTells);
  if (last && leavesBound(gradient, hessian, fitted, local))
    return fails(each, 'without it a parameter leaves its bound');
  const move = new Float64Array(each.point.length);
  inside.forEach((j, a) => (move[j] = -basis.reduce((sum, column, k) => sum + column[a]! * step[k]!, 0)));
  const share = shareWithin(each.point, move, fitted);
  each.before = { point: each.point, value };
  each.point = each.point.map((u, j) => u + share * move[j]!);
  return last;
}

const aloneTells = 'it alone tells of a direction of the parameters';

function fails(each: Left, why: string): true {
  each.why = why;
  return true;
}

/** Where what is left curves down, as far as −log L of a long way off may, what is taken is still a way down. */
function dampedFactor(h: readonly Float64Array[]): readonly Float64Array[] {
  for (let damping = 0.1; ; damping *= 10) {
    const factor = cholesky(h.map((row, i) => row.map((value, j) => (i === j ? value + damping : value))));
    if (factor || damping > 1e6) return factor ?? h.map((row, i) => row.map((_, j) => (i === j ? 1e3 : 0)));
  }
}

const determinantOf = (factor: readonly Float64Array[]): number =>
  factor.reduce((product, row, i) => product * row[i]! ** 2, 1);

/** All of the way, or half of the way to the first bound that it would pass. */
function shareWithin(point: Float64Array, move: Float64Array, { all }: Fitted): number {
  const share = all.reduce((least, { lower, upper }, j) => {
    const [u, by] = [point[j]!, move[j]!];
    if (u + by >= lower && u + by <= upper) return least;
    return Math.min(least, (0.5 * ((by < 0 ? lower : upper) - u)) / by);
  }, 1);
  return share;
}

/** Whether what holds a parameter at its bound is gone: the slope there points inwards, by more than rounding. */
function leavesBound(
  gradient: Float64Array,
  hessian: readonly Float64Array[],
  fitted: Fitted,
  { inside, unit }: Local,
): boolean {
  return fitted.all.some(({ lower, upper }, j) => {
    const [u, slope] = [fitted.point[j]!, gradient[j]!];
    if (inside.includes(j) || !Number.isFinite(u)) return false;
    const inwards = u - lower < upper - u ? slope < 0 : slope > 0;
    return inwards && slope ** 2 > 1e-6 * unit * Math.abs(hessian[j]![j]!);
  });
}

/** −log p of each observation at its point, and the sums of these; what is a square is a density by the noise of all others. */
async function figuresOf(
  left: readonly Left[],
  { problem, point: end }: Fitted,
  { rows, logWeights }: Cases,
  values: Batched<Counted, readonly number[]>,
  length: number,
): Promise<LeftOut | { readonly lacking: string }> {
  const none = countsOf({ but: undefined, length });
  for (const row of rows) none[row] = 0;
  /** At each point the function of its observation alone, and of all others. */
  const sharesAt = async (pointOf: (each: Left) => Float64Array) => {
    const found: { readonly own: number; readonly others: number }[] = [];
    const size = Math.max(1, Math.floor(heldNumbers / length / 3));
    for (let from = 0; from < left.length; from += size) {
      const some = left.slice(from, from + size);
      const answers = await values.at(
        some.flatMap((each) => {
          const alone = none.map((count, i) => (i === each.row ? 1 : count));
          const counts = [alone, none, countsOf({ but: each.row, length })];
          return counts.map((count) => ({ point: pointOf(each), counts: count }));
        }),
      );
      const at = (k: number): number => answers[k]?.[0] ?? NaN;
      some.forEach((_, m) => found.push({ own: at(3 * m) - at(3 * m + 1), others: at(3 * m + 2) }));
    }
    return found;
  };
  const n = rows.length;
  const estimated = problem.residuals.length > 0 && !problem.sigmaKnown;
  const densities = (
    shares: Awaited<ReturnType<typeof sharesAt>>,
    varianceOf: (others: number, own: number) => number,
  ) =>
    shares.map(({ own, others }, i) => {
      if (!estimated) return -own;
      const variance = varianceOf(others, own);
      return 0.5 * ((logWeights?.[i] ?? 0) - Math.log(2 * Math.PI * variance)) - own / variance;
    });
  const elpd = densities(await sharesAt(({ point }) => point), (others) => (2 * others) / (n - 1));
  const atEnd = densities(await sharesAt(() => end), (others, own) => (2 * (others + own)) / n);
  const sum = (of: readonly number[]): number => of.reduce((total, each) => total + each, 0);
  const elpdLoo = sum(elpd);
  const pLoo = sum(atEnd) - elpdLoo;
  if (!Number.isFinite(elpdLoo) || !Number.isFinite(pLoo)) {
    const row = elpd.findIndex((each) => !Number.isFinite(each));
    return { lacking: `observation ${Math.max(0, row)} is impossible by what the others tell` };
  }
  const spread = elpd.reduce((total, each) => total + (each - elpdLoo / n) ** 2, 0) / (n - 1);
  return { elpdLoo, elpdLooStandardError: Math.sqrt(n * spread), pLoo, observations: n };
}
