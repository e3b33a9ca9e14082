/**
 * Leave-one-out prediction by gradients: each observation is predicted at the estimate that all others give,
 *
 *   elpdLoo = Σᵢ log p(yᵢ | θ₋ᵢ),   θ₋ᵢ = argmin_θ D(θ) − Dᵢ(θ)
 *
 * with D = Σ Dⱼ the −log density (or ½ Σ r², where the noise is estimated: σ₋ᵢ² = SSR₋ᵢ/(n − 1), the maximum of the likelihood
 * as θ₋ᵢ is). No fit is made again: from the fit's end θ₋ᵢ is a few of Newton's steps away. The first of them costs nothing: what
 * each observation adds to gradient and Hessian is known of all of them at once (row-shares.ts). Those that follow take exact
 * gradients of what is left, and the curvature that the end foretells; where that does not shrink the steps fast, exact Hessians.
 * Of a straight line or any other linear model the first step arrives (the closed form by leverages), and the next tells
 * whether it has. It is a plug-in density, as those of AIC, of which it is the
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
import { inlineProgram, sameParameters } from '../0-ir/walk.ts';
import type { Device } from '../5-runtime/device.ts';
import { cholesky, choleskySolve } from '../6-fit/algebra/cholesky.ts';
import { symmetricEigen } from '../6-fit/algebra/eigen.ts';
import { dot, numbers } from '../6-fit/algebra/vectors.ts';
import { batched, type Batched } from '../6-fit/ensembles/batched-objective.ts';
import type { Quadratic } from '../6-fit/expansion.ts';
import type { FitProblem } from '../6-fit/problem.ts';
import { quadraticOf, slopeOf, sweepOptions, withResults, type PlainQuestion } from '../6-fit/questions.ts';
import type { Slope } from '../6-fit/stationary/stationary.ts';
import type { FitResult } from '../6-fit/report/report.ts';
import type { Loo } from './chains/psis.ts';
import { type Cases, lengthOf, openValues, sharesAt, type AtPlace, type ShareOf } from './row-shares.ts';
import { fittedFrom, type Fitted } from './uncertainty/fitted.ts';

export type LeftOut = Pick<Loo, 'elpdLoo' | 'elpdLooStandardError' | 'pLoo' | 'observations'>;

export interface LeftOutOptions {
  readonly cancel?: Int32Array | undefined;
  readonly onProgress?: ((share: number) => void) | undefined;
}

/** What counts more than this, rows by rows, would take longer than all fits. */
const mostPairs = 1e8;
/** Members that are asked at once hold so many numbers. */
const heldNumbers = 2 ** 21;
/** A Hessian for each observation, and one for each parameter, hold no more. */
const mostShares = 2 ** 24;
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
  const parameters = sameParameters(b, program);
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
  const free = fitted.all.length;
  if ((length + free) * free ** 2 > mostShares)
    return {
      lacking: `there are ${rows.length} observations and ${free} parameters: too many to leave out one by one`,
    };
  const asked = { program: withResults(cases.program, [cases.result]), parameters: problem.parameters };
  const { all, point } = fitted;
  const sweep = sweepOptions(problem, device);
  const { cancel } = options;
  const opened: { release(): void }[] = [];
  const held = async <O extends { release(): void }>(opening: Promise<O>): Promise<O> => {
    const open = await opening;
    opened.push(open);
    return open;
  };
  const open = <A>(question: PlainQuestion<Float64Array, A>): Promise<Batched<Counted, A>> =>
    held(batched(counted(question, cases.inputs, lengths, all.length), { ...problem, ...cases }, device, cancel));
  try {
    const curves = await open(quadraticOf(asked, all, cases.result, sweep));
    const every = countsOf({ but: undefined, length });
    const [whole] = await curves.at([{ point, counts: every }]);
    const local = whole && localOf(fitted, whole);
    if (!local) return { lacking: 'what is minimised curves down where the fit ended' };
    const slopes = await open(slopeOf(asked, all, cases.result, sweep));
    const values = await held(openValues(problem, cases, all, device, cancel));
    const shareOf = await sharesAt(problem, cases, all, point, device, cancel);
    const around: Around = { ...local, whole, shareOf, bends: await bendsOf(fitted, local, curves, every) };
    const size = Math.max(1, Math.min(512, Math.floor(heldNumbers / length)));
    const left: Left[] = [];
    for (let from = 0; from < rows.length; from += size) {
      const found = await withoutEach(rows.slice(from, from + size), fitted, around, { slopes, curves }, length);
      const fault = found.find((each) => typeof each.why === 'string');
      if (fault?.why !== undefined)
        return { lacking: `observation ${rows.indexOf(fault.row)} cannot be left out: ${fault.why}` };
      left.push(...found);
      options.onProgress?.(Math.min(1, (from + size) / rows.length));
    }
    return await figuresOf(left, fitted, cases, around, values, size);
  } finally {
    for (const each of opened) each.release();
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

/** What the fit's end tells of where the others lead. */
interface Around extends Local {
  /** Of all observations. */
  readonly whole: Quadratic;
  readonly shareOf: ShareOf;
  /** How the curvature in coordinates c changes along each of them. */
  readonly bends: readonly (readonly Float64Array[])[];
}

/** Half of the distance over which bends are taken, in standard errors. They guide steps, and no result has them. */
const bendReach = 1 / 16;

async function bendsOf(
  { point, all }: Fitted,
  local: Local,
  curves: Batched<Counted, Quadratic>,
  counts: Float64Array,
): Promise<Around['bends']> {
  const h = bendReach * Math.sqrt(local.unit);
  const asked = local.basis.flatMap((_, k) =>
    [h, -h].map((by) => ({
      point: moved(
        point,
        local,
        numbers(local.basis.length, (i) => (i === k ? by : 0)),
      ),
      counts,
    })),
  );
  const found = await curves.at(asked);
  return local.basis.map((_, k) => {
    const ends = [2 * k, 2 * k + 1];
    const isInside = ends.every((m) => all.every(({ lower, upper }, j) => isWithin(asked[m]!.point[j]!, lower, upper)));
    const [ahead, behind] = ends.map((m) => curvatureIn(local, found[m]!.hessian));
    const bend = ahead!.map((row, i) => row.map((value, j) => (value - behind![i]![j]!) / (2 * h)));
    return isInside && bend.every((row) => row.every(Number.isFinite)) ? bend : bend.map((row) => row.map(() => 0));
  });
}

const isWithin = (u: number, lower: number, upper: number): boolean => u >= lower && u <= upper;

function moved(point: Float64Array, { inside, basis }: Local, by: Float64Array): Float64Array {
  const to = Float64Array.from(point);
  inside.forEach((j, a) => (to[j] = to[j]! + basis.reduce((sum, column, k) => sum + column[a]! * by[k]!, 0)));
  return to;
}

/** Of a gradient and of a Hessian by u, those by c. */
const slopeIn = ({ inside, basis }: Local, gradient: Float64Array): Float64Array =>
  Float64Array.from(basis, (column) => inside.reduce((sum, j, a) => sum + column[a]! * gradient[j]!, 0));

function curvatureIn({ inside, basis }: Local, hessian: readonly Float64Array[]): Float64Array[] {
  const along = basis.map((column) =>
    Float64Array.from(inside, (j) => inside.reduce((sum, k, a) => sum + hessian[j]![k]! * column[a]!, 0)),
  );
  return basis.map((row) => Float64Array.from(basis, (_, b) => dot(row, along[b]!)));
}

/** Of one observation that is left out: where the others lead, or why that is not known. */
interface Left {
  readonly row: number;
  point: Float64Array;
  /** Where it was before its last step. */
  before?: { readonly point: Float64Array; readonly value: number };
  /** Of all others, where it is, once it has arrived. */
  others?: number;
  why?: string;
}

interface Open {
  readonly slopes: Batched<Counted, Slope>;
  readonly curves: Batched<Counted, Quadratic>;
}

/** Most observations lead a small way off, which the end foretells; those that it does not are followed by Newton's own steps. */
async function withoutEach(
  rows: readonly number[],
  fitted: Fitted,
  around: Around,
  { slopes, curves }: Open,
  length: number,
): Promise<Left[]> {
  const near = await nearTheEnd(rows, fitted, around, slopes, length);
  const left = rows.map((row, m): Left => near[m] ?? { row, point: fitted.point });
  let moving = left.filter((_, m) => !near[m]);
  for (let step = 0; step < mostSteps && moving.length > 0; step++) {
    const found = await curves.at(moving.map(({ point, row }) => ({ point, counts: countsOf({ but: row, length }) })));
    moving = moving.filter((each, m) => !advance(each, found[m]!, fitted, around));
  }
  for (const each of moving)
    each.why ??= "what the others tell lies at a bound, or so far away that Newton's steps do not arrive";
  return left;
}

/** On its way by gradients alone, which are exact; the curvature is the end's, less the observation's own, and bent. */
interface Near {
  readonly row: number;
  /** From the end, by c. */
  readonly at: Float64Array;
  readonly curvature: readonly Float64Array[];
  /** Of its last step, in standard errors. */
  reach: number;
  others?: number;
}

const mostNearSteps = 4;
/** In standard errors: what a step may be wrong by where it is the last. */
const nearError = 1e-10;
/** Of curvature without the observation to all: below, or where steps do not shrink so fast, Newton's own are taken. */
const nearDeterminant = 0.1;
const nearShrinking = 0.1;

async function nearTheEnd(
  rows: readonly number[],
  fitted: Fitted,
  around: Around,
  slopes: Batched<Counted, Slope>,
  length: number,
): Promise<readonly (Left | undefined)[]> {
  const { whole, shareOf, unit } = around;
  const se = Math.sqrt(unit);
  const end = curvatureIn(around, whole.hessian);
  const found = new Map<number, Left>();
  let moving = rows.flatMap((row): Near[] => {
    const own = shareOf(row);
    const ownCurvature = curvatureIn(around, own.hessian);
    const curvature = end.map((line, i) => line.map((value, j) => value - ownCurvature[i]![j]!));
    const factor = cholesky(curvature);
    if (!factor || !(determinantOf(factor) > nearDeterminant)) return [];
    const near = { row, at: new Float64Array(end.length), curvature, reach: Infinity };
    const reach =
      stepNear(
        near,
        slopeIn(
          around,
          whole.gradient.map((g, j) => g - own.gradient[j]!),
        ),
        around,
      ) / se;
    return reach < 1 ? [{ ...near, reach }] : [];
  });
  for (let step = 0; step < mostNearSteps && moving.length > 0; step++) {
    const points = moving.map(({ at }) => moved(fitted.point, around, at));
    const answers = await slopes.at(
      moving.map(({ row }, m) => ({ point: points[m]!, counts: countsOf({ but: row, length }) })),
    );
    moving = moving.filter((near, m) => {
      const { value, gradient } = answers[m]!;
      const within = fitted.all.every(({ lower, upper }, j) => isWithin(points[m]![j]!, lower, upper));
      const length = within && Number.isFinite(value) ? stepNear(near, slopeIn(around, gradient), around) : NaN;
      const reach = length / se;
      if (!(reach <= Math.max(nearShrinking * near.reach, nearError))) return false;
      const isLast = (reach * reach) / near.reach <= nearError || reach <= nearError;
      near.reach = reach;
      if (!isLast) return true;
      if (leavesBound(gradient, whole.hessian, fitted, around)) return false;
      const point = moved(fitted.point, around, near.at);
      if (fitted.all.every(({ lower, upper }, j) => isWithin(point[j]!, lower, upper)))
        found.set(near.row, { row: near.row, point, others: value - 0.5 * length ** 2 });
      return false;
    });
  }
  return rows.map((row) => found.get(row));
}

/** Takes the step, by the curvature half of its way; how long it is in the coordinates in which the curvature is 1. NaN: none. */
function stepNear(near: Near, g: Float64Array, { bends }: Around): number {
  const { at, curvature } = near;
  let step = new Float64Array(g.length);
  for (let k = 0; k < 3; k++) {
    const middle = at.map((c, i) => c - 0.5 * step[i]!);
    const h = curvature.map((row, i) =>
      row.map((value, j) => value + bends.reduce((sum, bend, k) => sum + middle[k]! * bend[i]![j]!, 0)),
    );
    const factor = cholesky(h);
    if (!factor) return NaN;
    step = Float64Array.from(choleskySolve(factor, g));
  }
  step.forEach((by, i) => (at[i] = at[i]! - by));
  return Math.sqrt(Math.max(0, dot(g, step)));
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
  const g = slopeIn(local, gradient);
  const h = curvatureIn(local, hessian);
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
  if (last) each.others = value - share * (1 - 0.5 * share) * dot(g, step);
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
  { problem }: Fitted,
  { rows, logWeights }: Cases,
  { whole, shareOf }: Around,
  values: Batched<AtPlace, number>,
  size: number,
): Promise<LeftOut | { readonly lacking: string }> {
  const n = rows.length;
  const estimated = problem.residuals.length > 0 && !problem.sigmaKnown;
  const densityOf = (i: number, own: number, variance: number): number =>
    estimated ? 0.5 * ((logWeights?.[i] ?? 0) - Math.log(2 * Math.PI * variance)) - own / variance : -own;
  const owns: number[] = [];
  for (let from = 0; from < n; from += size) {
    const some = left.slice(from, from + size);
    owns.push(...(await values.at(some.map(({ point, row }) => ({ point, place: row })))));
  }
  const elpd = owns.map((own, i) => densityOf(i, own, (2 * left[i]!.others!) / (n - 1)));
  const atEnd = rows.map((row, i) => densityOf(i, shareOf(row).value, (2 * whole.value) / n));
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
