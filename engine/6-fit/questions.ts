/**
 * What is asked of a problem at a point u: the program that answers, what of the question is written to its inputs, and
 * how the answer is read from its results. Asked one at a time (answers.ts) or of many points at once (batch.ts).
 * Points and derivatives are in the optimiser's coordinates: the scales' chain rule is applied here.
 */
import type { Program } from '../0-ir/program.ts';
import { profiles } from '../2-ad/cost.ts';
import { tangentName } from '../2-ad/names.ts';
import type { Device } from '../5-runtime/device.ts';
import type { SweepOptions } from './derivative-programs.ts';
import {
  gradientName,
  jacobianName,
  productName,
  productOfColumnsName,
  slopeName,
  squaresName,
  withGradient,
  withHessian,
  withHessianProduct,
  withJacobian,
  withNormalEquations,
} from './derivative-programs.ts';
import { coordinateSlopes, firstSlope, fromCoordinate, type Coordinate } from './coordinates.ts';
import type { Linearisation, Quadratic } from './expansion.ts';
import type { CurvatureQuestion, Curved } from './stationary/stationary.ts';
import { compress } from './normal-equations.ts';
import type { FitParameter, FitProblem } from './problem.ts';
import type { Slope } from './stationary/stationary.ts';

export type Result = (name: string) => Float64Array;

export interface PlainQuestion<Q, A> {
  readonly program: Program;
  /** The inputs that vary. */
  readonly inputs: readonly Pick<FitParameter, 'name' | 'initial'>[];
  /** Their elements, one input after the other, into an array from `at` on. */
  readonly write: (question: Q, into: Float64Array, at: number) => void;
  readonly read: (result: Result, question: Q) => A;
}

/** A question that is answered by asking others. */
export interface ComposedQuestion<Q, A> {
  /** Those others. */
  readonly parts: readonly object[];
  readonly compose: (ask: Ask, at: Q) => Promise<A>;
}

export type Question<Q, A> = PlainQuestion<Q, A> | ComposedQuestion<Q, A>;

export type Ask = <Q, A>(question: Question<Q, A>, at: Q) => Promise<A>;

export type AtPoint<A> = Question<Float64Array, A>;
type PlainAtPoint<A> = PlainQuestion<Float64Array, A>;

/** What a problem needs to be asked. */
export type Asked = Pick<FitProblem, 'program' | 'parameters'>;

export function sweepOptions({ sweep }: Pick<FitProblem, 'sweep'>, { kind }: Pick<Device, 'kind'>): SweepOptions {
  return { profile: profiles[kind], ...sweep };
}

export const free = ({ parameters }: Asked): FitParameter[] => parameters.filter(({ fixed }) => !fixed);
export const names = (problem: Asked): string[] => free(problem).map(({ name }) => name);

/** Beyond the numbers a parameter is NaN, and the model has no value: of 1/log k an infinite k would be the best. */
export function writeValues(all: readonly Coordinate[], u: Float64Array, into: Float64Array, at: number): void {
  for (let j = 0; j < all.length; j++) {
    const value = fromCoordinate(all[j]!, u[j]!);
    into[at + j] = Number.isFinite(value) ? value : NaN;
  }
}

function atPoint<A>(
  problem: Asked,
  all: readonly Coordinate[],
  program: Program,
  read: (result: Result, u: Float64Array) => A,
): PlainAtPoint<A> {
  return { program, inputs: free(problem), write: (u, into, at) => writeValues(all, u, into, at), read };
}

/** The program with these results alone: an iteration computes nothing else. */
export function withResults(program: Program, results: readonly string[]): Program {
  return { ...program, results: program.results.filter(({ name }) => results.includes(name)) };
}

/** Scalar results. */
export function scalarsOf(
  problem: Asked,
  all: readonly Coordinate[],
  results: readonly string[],
): PlainAtPoint<readonly number[]> {
  const program = withResults(problem.program, results);
  return atPoint(problem, all, program, (result) => results.map((name) => result(name)[0]!));
}

/** All residuals one after the other, and their Jacobian's columns by u. */
export function linearisationOf(
  problem: Asked & Pick<FitProblem, 'residuals'>,
  all: readonly Coordinate[],
): PlainAtPoint<Linearisation> {
  const { residuals: of } = problem;
  const program = withJacobian(withResults(problem.program, of), of, names(problem));
  const blockNames = of.map((residual) => all.map(({ parameter }) => jacobianName(residual, parameter.name)));
  return atPoint(problem, all, program, (result, u) => {
    const residuals = joined(of.map(result));
    const jacobian = all.map((coordinate, j) => {
      const column = joined(blockNames.map((names) => elementOf(result(names[j]!), coordinate)));
      const slope = firstSlope(coordinate, u[j]!);
      if (slope !== 1) for (let i = 0; i < column.length; i++) column[i] = slope * column[i]!;
      return column;
    });
    return { residuals, jacobian };
  });
}

/** The derivatives by one element of a parameter, of those by all of them. */
function elementOf(derivatives: Float64Array, { parameter, element }: Coordinate): Float64Array {
  const elements = parameter.initial.length;
  if (elements === 1) return derivatives;
  const length = derivatives.length / elements;
  return derivatives.subarray(element * length, (element + 1) * length);
}

/** Results are copies that nobody else reads: one alone is taken as it is. */
function joined(parts: readonly Float64Array[]): Float64Array {
  if (parts.length === 1) return parts[0]!;
  const whole = new Float64Array(parts.reduce((total, { length }) => total + length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/**
 * A least-squares problem of p + 1 rows with the Σr², Jᵀr and JᵀJ of the whole one: normal-equations.ts says how, and what
 * is lost.
 */
export function compressedOf(
  problem: Asked & Pick<FitProblem, 'residuals'>,
  all: readonly Coordinate[],
): PlainAtPoint<Linearisation> {
  const { residuals } = problem;
  const program = withNormalEquations(withResults(problem.program, residuals), residuals, names(problem));
  return atPoint(problem, all, program, (result, u) => {
    const slopes = all.map((coordinate, j) => coordinateSlopes(coordinate, u[j]!)[0]);
    const gradient = Float64Array.from(slopes, (slope, i) => slope * result(slopeName(i))[0]!);
    const products = all.map(() => new Float64Array(all.length));
    for (const [i, row] of products.entries())
      for (let j = i; j < all.length; j++) {
        const sum = result(productOfColumnsName(i, j))[0]!;
        const product = slopes[i]! * slopes[j]! * sum;
        row[j] = product;
        (products[j] as Float64Array)[i] = product;
      }
    return compress(result(squaresName)[0]!, gradient, products);
  });
}

/** The elements of `RESULT(parameter)`, coordinate by coordinate. */
export const elements = (
  all: readonly Coordinate[],
  result: Result,
  name: (parameter: string) => string,
): Float64Array => Float64Array.from(all, ({ parameter, element }) => result(name(parameter.name))[element]!);

/** The result `of` with its gradient by u. */
export function slopeOf(
  problem: Asked,
  all: readonly Coordinate[],
  of: string,
  options: SweepOptions,
): PlainAtPoint<Slope> {
  const program = withGradient(problem.program, of, names(problem), options);
  return atPoint(problem, all, program, (result, u) => ({
    value: result(of)[0]!,
    gradient: elements(all, result, gradientName).map((g, j) => g * coordinateSlopes(all[j]!, u[j]!)[0]),
  }));
}

/** The result `of` with gradient and Hessian by u; the Hessian gains the scales' curvature on its diagonal. */
export function quadraticOf(
  problem: Asked,
  all: readonly Coordinate[],
  of: string,
  options: SweepOptions,
): PlainAtPoint<Quadratic> {
  const program = withHessian(problem.program, of, names(problem), options);
  return atPoint(problem, all, program, (result, u) => {
    const slopes = all.map((coordinate, j) => coordinateSlopes(coordinate, u[j]!));
    const byValue = elements(all, result, gradientName);
    const hessian = all.map((row, i) =>
      Float64Array.from(all, ({ parameter, element }, j) => {
        const block = result(jacobianName(gradientName(row.parameter.name), parameter.name));
        const entry = block[element * row.parameter.initial.length + row.element]!;
        const curvature = i === j ? byValue[j]! * slopes[j]![1] : 0;
        return entry * slopes[i]![0] * slopes[j]![0] + curvature;
      }),
    );
    return {
      value: result(of)[0]!,
      gradient: byValue.map((g, j) => g * slopes[j]![0]),
      hessian,
    };
  });
}

/** The result `of` with its gradient by u, and its Hessian times a direction: S·H·S·d + diag(g·p″)·d with S = diag(p′). */
export function curvatureOf(
  problem: Asked,
  all: readonly Coordinate[],
  of: string,
  options: SweepOptions,
): PlainQuestion<CurvatureQuestion, Curved> {
  const varying = free(problem);
  const slopesAt = (point: Float64Array) => all.map((coordinate, j) => coordinateSlopes(coordinate, point[j]!));
  return {
    program: withHessianProduct(problem.program, of, names(problem), options),
    inputs: [...varying, ...varying.map(({ name, initial }) => ({ name: tangentName(name), initial }))],
    write({ point, direction }, into, at) {
      writeValues(all, point, into, at);
      for (let j = 0; j < all.length; j++) into[at + all.length + j] = firstSlope(all[j]!, point[j]!) * direction[j]!;
    },
    read(result, { point, direction }) {
      const slopes = slopesAt(point);
      const byValue = elements(all, result, gradientName);
      return {
        value: result(of)[0]!,
        gradient: byValue.map((g, j) => g * slopes[j]![0]),
        product: elements(all, result, productName).map((product, j) => {
          const [first, second] = slopes[j] as readonly [number, number];
          return first * product + byValue[j]! * second * direction[j]!;
        }),
      };
    },
  };
}
