/**
 * What each observation adds to a sum at one point: its value, gradient and Hessian, of all observations in one run. The sum is
 * Σ countᵢ·Dᵢ, so ∂/∂countᵢ of it is Dᵢ, whatever the program; forward over that are the derivatives by the parameters.
 */
import type { Program } from '../0-ir/program.ts';
import { sizeProduct, sizeValue } from '../0-ir/sizes.ts';
import type { Device } from '../5-runtime/device.ts';
import { coordinateSlopes, type Coordinate } from '../6-fit/coordinates.ts';
import { gradientName, jacobianName, withGradient, withJacobian } from '../6-fit/derivative-programs.ts';
import { batched, type Batched } from '../6-fit/ensembles/batched-objective.ts';
import type { EnsembleModel } from '../6-fit/ensembles/ensemble.ts';
import type { Quadratic } from '../6-fit/expansion.ts';
import type { FitParameter, FitProblem } from '../6-fit/problem.ts';
import { sweepOptions, withResults, writeValues, type PlainQuestion, type Result } from '../6-fit/questions.ts';

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

/** How many places an input has that counts. */
export function lengthOf({ program, sizes }: Cases, input: string): number {
  const shape = program.parameters.find(({ name }) => name === input)?.value.type.shape ?? [];
  return sizeValue(sizeProduct(shape), sizes);
}

/** Of a place in all inputs, one after the other: what it adds where it counts once, by u. */
export type ShareOf = (place: number) => Quadratic;

/** At `point`, in the optimiser's coordinates `all`. Throws `Cancelled`. */
export async function sharesAt(
  problem: FitProblem,
  cases: Cases,
  all: readonly Coordinate[],
  point: Float64Array,
  device: Device,
  cancel?: Int32Array,
): Promise<ShareOf> {
  const question: PlainQuestion<Float64Array, ShareOf> = {
    program: sharesProgram(problem, cases, device),
    inputs: freeOf(problem),
    write: (u, into, at) => writeValues(all, u, into, at),
    read: (result, u) => {
      const each = cases.inputs.map((input) => sharesOf(input, all, result, u));
      return (place) => {
        const [k, row] = placeIn(cases, place);
        return each[k]!(row);
      };
    },
  };
  const shares = await batched(question, allCounting(problem, cases), device, cancel);
  try {
    const [found] = await shares.at([point]);
    return found!;
  } finally {
    shares.release();
  }
}

/** What one place adds where it counts once, at points of its own. */
export interface AtPlace {
  readonly point: Float64Array;
  readonly place: number;
}

/** Throws `Cancelled`. */
export function openValues(
  problem: FitProblem,
  cases: Cases,
  all: readonly Coordinate[],
  device: Device,
  cancel?: Int32Array,
): Promise<Batched<AtPlace, number>> {
  const question: PlainQuestion<AtPlace, number> = {
    program: termsProgram(problem, cases, device),
    inputs: freeOf(problem),
    write: ({ point }, into, at) => writeValues(all, point, into, at),
    read: (result, { place }) => {
      const [k, row] = placeIn(cases, place);
      return result(gradientName(cases.inputs[k]!))[row]!;
    },
  };
  return batched(question, allCounting(problem, cases), device, cancel);
}

const freeOf = ({ parameters }: FitProblem): FitParameter[] => parameters.filter(({ fixed }) => !fixed);

/** The input, and the place in it. */
function placeIn(cases: Cases, place: number): readonly [input: number, row: number] {
  let [k, row] = [0, place];
  for (const input of cases.inputs) {
    const length = lengthOf(cases, input);
    if (row < length) break;
    row -= length;
    k++;
  }
  return [k, row];
}

function allCounting({ parameters }: FitProblem, cases: Cases) {
  const ones = cases.inputs.map((input) => [input, new Float64Array(lengthOf(cases, input)).fill(1)] as const);
  return { parameters, data: new Map([...cases.data, ...ones]), sizes: cases.sizes };
}

/** Dᵢ of each input, as its gradient. */
function termsProgram(problem: FitProblem, { program, result, inputs }: Cases, device: Device): Program {
  const sum = withGradient(withResults(program, [result]), result, inputs, sweepOptions(problem, device));
  return withResults(sum, inputs.map(gradientName));
}

/** With their Jacobian, and its Jacobian. */
function sharesProgram(problem: FitProblem, cases: Cases, device: Device): Program {
  const free = freeOf(problem).map(({ name }) => name);
  const terms = cases.inputs.map(gradientName);
  const first = withJacobian(termsProgram(problem, cases, device), terms, free);
  return withJacobian(
    first,
    terms.flatMap((term) => free.map((name) => jacobianName(term, name))),
    free,
  );
}

function sharesOf(input: string, all: readonly Coordinate[], result: Result, u: Float64Array): ShareOf {
  const term = gradientName(input);
  const values = result(term);
  const slopes = all.map((coordinate, j) => coordinateSlopes(coordinate, u[j]!));
  const first = all.map(({ parameter }) => result(jacobianName(term, parameter.name)));
  const second = all.map((row) =>
    all.map(({ parameter }) => result(jacobianName(jacobianName(term, row.parameter.name), parameter.name))),
  );
  const n = values.length;
  return (row) => {
    const byValue = all.map(({ element }, i) => first[i]![element * n + row]!);
    return {
      value: values[row]!,
      gradient: Float64Array.from(byValue, (g, i) => g * slopes[i]![0]),
      hessian: all.map((one, i) =>
        Float64Array.from(all, (other, j) => {
          const place = other.element * one.parameter.initial.length + one.element;
          const curvature = i === j ? byValue[i]! * slopes[i]![1] : 0;
          return second[i]![j]![place * n + row]! * slopes[i]![0] * slopes[j]![0] + curvature;
        }),
      ),
    };
  };
}
