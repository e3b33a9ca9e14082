/** Runs a derivative program on a device at points u: writes parameters, reads results, applies the scales' chain rule. */
import type { Program } from '../0-ir/program.ts';
import type { Device, Instance } from '../5-runtime/device.ts';
import { coordinateSlopes, parameterValues, type Coordinate } from './coordinates.ts';
import { gradientName, jacobianName, productOfColumnsName, slopeName, squaresName } from './derivative-programs.ts';
import type { Linearisation } from './levenberg-marquardt.ts';
import type { Quadratic } from './newton.ts';
import { compress } from './normal-equations.ts';
import type { FitProblem } from './problem.ts';

export interface Evaluator {
  /** Runs the program at u. */
  run(u: Float64Array): Promise<void>;
  read(result: string): Promise<Float64Array>;
  readonly evaluations: number;
  release(): void;
}

export async function createEvaluator(
  device: Device,
  program: Program,
  problem: FitProblem,
  all: readonly Coordinate[],
  cancel?: Int32Array,
): Promise<Evaluator> {
  const varying = new Set(problem.parameters.filter(({ fixed }) => !fixed).map(({ name }) => name));
  const executable = await device.load(program, { varying });
  const instance: Instance = await executable.bind(problem.sizes);
  for (const [name, values] of problem.data) instance.write(name, values);
  for (const { name, initial } of problem.parameters) instance.write(name, initial);
  let evaluations = 0;
  return {
    get evaluations() {
      return evaluations;
    },
    async run(u) {
      evaluations++;
      const values = parameterValues(problem.parameters, all, u);
      for (const name of varying) instance.write(name, values.get(name) as number[]);
      await instance.run(cancel ? { cancel } : {});
    },
    async read(result) {
      const values = await instance.read(result);
      return values instanceof Float64Array ? values : Float64Array.from(values);
    },
    release() {
      instance.release();
      executable.release();
    },
  };
}

/** All residuals one after the other, and their Jacobian's columns by u. */
export async function linearisation(
  evaluator: Evaluator,
  problem: FitProblem,
  all: readonly Coordinate[],
  u: Float64Array,
): Promise<Linearisation> {
  await evaluator.run(u);
  const parts = await Promise.all(problem.residuals.map((name) => evaluator.read(name)));
  const length = parts.reduce((total, part) => total + part.length, 0);
  const residuals = new Float64Array(length);
  const jacobian = all.map(() => new Float64Array(length));
  const names = [...new Set(all.map(({ parameter }) => parameter.name))];
  let offset = 0;
  for (const [k, part] of parts.entries()) {
    residuals.set(part, offset);
    for (const name of names) {
      const block = await evaluator.read(jacobianName(problem.residuals[k] as string, name));
      all.forEach((coordinate, j) => {
        if (coordinate.parameter.name !== name) return;
        const [slope] = coordinateSlopes(coordinate, u[j] as number);
        const column = jacobian[j] as Float64Array;
        const from = coordinate.element * part.length;
        for (let i = 0; i < part.length; i++) column[offset + i] = slope * (block[from + i] as number);
      });
    }
    offset += part.length;
  }
  return { residuals, jacobian };
}

/**
 * A least-squares problem of p + 1 rows with the Σr², Jᵀr and JᵀJ of the whole one, from a program `withNormalEquations`:
 * normal-equations.ts says how, and what is lost.
 */
export async function compressedLinearisation(
  evaluator: Evaluator,
  all: readonly Coordinate[],
  u: Float64Array,
): Promise<Linearisation> {
  await evaluator.run(u);
  const scalar = async (name: string): Promise<number> => (await evaluator.read(name))[0] as number;
  const slopes = all.map((coordinate, j) => coordinateSlopes(coordinate, u[j] as number)[0]);
  const squares = await scalar(squaresName);
  const gradient = new Float64Array(all.length);
  const products = all.map(() => new Float64Array(all.length));
  for (const [i, row] of products.entries()) {
    gradient[i] = (slopes[i] as number) * (await scalar(slopeName(i)));
    for (let j = i; j < all.length; j++) {
      const product = (slopes[i] as number) * (slopes[j] as number) * (await scalar(productOfColumnsName(i, j)));
      row[j] = product;
      (products[j] as Float64Array)[i] = product;
    }
  }
  return compress(squares, gradient, products);
}

/** The energy with gradient and Hessian by u. The Hessian gains the scales' curvature on its diagonal. */
export async function quadratic(
  evaluator: Evaluator,
  problem: FitProblem,
  all: readonly Coordinate[],
  u: Float64Array,
): Promise<Quadratic> {
  await evaluator.run(u);
  const [value] = await evaluator.read(problem.energy);
  const gradients = await readAll(evaluator, all, gradientName);
  const slopes = all.map((coordinate, j) => coordinateSlopes(coordinate, u[j] as number));
  const gradient = Float64Array.from(
    all,
    ({ parameter, element }, j) => (gradients.get(parameter.name)?.[element] as number) * (slopes[j]?.[0] as number),
  );
  const hessian: Float64Array[] = [];
  for (const [i, row] of all.entries()) {
    const blocks = await readAll(evaluator, all, (name) => jacobianName(gradientName(row.parameter.name), name));
    const rows = row.parameter.initial.length;
    hessian.push(
      Float64Array.from(all, ({ parameter, element }, j) => {
        const entry = blocks.get(parameter.name)?.[element * rows + row.element] as number;
        const curvature =
          i === j ? (gradients.get(parameter.name)?.[element] as number) * (slopes[j]?.[1] as number) : 0;
        return entry * (slopes[i]?.[0] as number) * (slopes[j]?.[0] as number) + curvature;
      }),
    );
  }
  return { value: value as number, gradient, hessian };
}

async function readAll(
  evaluator: Evaluator,
  all: readonly Coordinate[],
  result: (parameter: string) => string,
): Promise<Map<string, Float64Array>> {
  const found = new Map<string, Float64Array>();
  for (const { parameter } of all)
    if (!found.has(parameter.name)) found.set(parameter.name, await evaluator.read(result(parameter.name)));
  return found;
}
