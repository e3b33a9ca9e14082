/**
 * The programs that optimisers run: results with their Jacobian by the free parameters, and a scalar with gradient and
 * Hessian. Written by the engine's own transformations, so that they are exact.
 */
import { ProgramBuilder } from '../0-ir/builder.ts';
import { builtinOperator, productOperator } from '../0-ir/operators.ts';
import { intLiteral, realLiteral, type ScalarOperand } from '../0-ir/scalar.ts';
import { scalarFunction } from '../0-ir/scalar-builder.ts';
import type { Named, Program, Value } from '../0-ir/program.ts';
import { sizeProduct } from '../0-ir/sizes.ts';
import type { Shape } from '../0-ir/types.ts';
import { inlineProgram, sameParameters } from '../0-ir/walk.ts';
import { jvp } from '../2-ad/jvp.ts';
import { tangentName } from '../2-ad/names.ts';
import { vjp, type VjpOptions } from '../2-ad/vjp.ts';
import { vmap } from '../2-ad/vmap.ts';
import { isLong } from './step-code.ts';

export const jacobianName = (result: string, parameter: string): string => `${result} by ${parameter}`;

/**
 * The program's results, then for each of `of` and each of `by`: `RESULT by PARAMETER`, of shape
 * [elements of the parameter, …shape of the result]; without the leading axis for a scalar parameter.
 *
 * A scalar parameter is a forward pass of its own, whose primal the optimiser finds to be common, so that all columns
 * are written in one pass over the data; an array is one forward pass mapped over its unit vectors, and so are all scalars
 * together where the program is long.
 */
export function withJacobian(program: Program, of: readonly string[], by: readonly string[]): Program {
  const b = new ProgramBuilder();
  const parameters = sameParameters(b, program);
  const plain = inlineProgram(b, program, parameters);
  const results: Named[] = program.results.map(({ name }, i) => ({ name, value: plain[i]! }));
  const scalars = by.filter((name) => shapeOf(program, name).length === 0);
  const together = scalars.length > 1 && isLong(program, scalars.length) ? scalars : [];
  const columns = new Map<string, readonly Value[]>();
  if (together.length > 0) {
    const forward = jvp(program, { by: together, of });
    const tangents = forward.parameters.slice(parameters.length).map(({ name }) => name);
    const directions = together.map((_, k) => unitVector(b, together.length, k));
    const mapped = vmap(forward, together.length, tangents);
    const out = inlineProgram(b, mapped, [...parameters, ...directions]).slice(program.results.length);
    const column = (value: Value, k: number): Value => b.reshape(b.slice(value, 0, k, 1), value.type.shape.slice(1));
    together.forEach((name, k) =>
      columns.set(
        name,
        out.map((value) => column(value, k)),
      ),
    );
  }
  for (const name of by) {
    const shape = shapeOf(program, name);
    let found = columns.get(name);
    if (!found) {
      const forward = jvp(program, { by: [name], of });
      const tangent = forward.parameters[parameters.length]!.name;
      const mapped = shape.length === 0 ? forward : vmap(forward, sizeProduct(shape), [tangent]);
      const direction = shape.length === 0 ? b.literal(1) : unitVectors(b, shape);
      found = inlineProgram(b, mapped, [...parameters, direction]).slice(program.results.length);
    }
    of.forEach((result, i) => results.push({ name: jacobianName(result, name), value: found[i]! }));
  }
  return b.finish(results);
}

const shapeOf = ({ parameters }: Program, name: string): Shape =>
  parameters.find((parameter) => parameter.name === name)!.value.type.shape;

export const squaresName = 'sum of squares';
/** The name of (Jᵀr)ᵢ, over the elements of all of `by` in their order. */
export const slopeName = (i: number): string => `slope ${i}`;
/** The name of (JᵀJ)ᵢⱼ for i ≤ j. */
export const productOfColumnsName = (i: number, j: number): string => `product of columns ${i} and ${j}`;

/**
 * Σr², Jᵀr and the upper half of JᵀJ, of the residuals `of` by the elements of `by`, whose shapes are literal: one
 * reduction over each array of residuals, into which the optimiser takes all that makes them and their tangents, so
 * that nothing of their length is written.
 */
export function withNormalEquations(program: Program, of: readonly string[], by: readonly string[]): Program {
  const b = new ProgramBuilder();
  const parameters = sameParameters(b, program);
  const plain = inlineProgram(b, program, parameters);
  const columns = by.flatMap((name) => {
    const shape = shapeOf(program, name);
    const forward = jvp(program, { by: [name], of });
    return unitDirections(b, shape).map((direction) =>
      inlineProgram(b, forward, [...parameters, direction]).slice(program.results.length),
    );
  });
  const parts = of.map((name, k) => {
    const residual = plain[program.results.findIndex((result) => result.name === name)]!;
    return sumsOfProducts(b, [residual, ...columns.map((tangents) => tangents[k]!)]);
  });
  const sums = parts.reduce((total, part) => total.map((sum, i) => b.apply('add', sum, part[i]!)));
  const names = pairs(1 + columns.length).map(([i, j]) => {
    if (i > 0) return productOfColumnsName(i - 1, j - 1);
    return j > 0 ? slopeName(j - 1) : squaresName;
  });
  return b.finish(names.map((name, i) => ({ name, value: sums[i]! })));
}

/** Σ xᵢ·xⱼ for all i ≤ j, in one reduction over all their elements. */
function sumsOfProducts(b: ProgramBuilder, arrays: readonly Value[]): Value[] {
  const flat = arrays.map((array) => b.reshape(array, [sizeProduct(array.type.shape)]));
  const all = pairs(flat.length);
  const prologue = scalarFunction(
    flat.map(() => 'real' as const),
    (s, ...x) => all.map(([i, j]) => s.apply('mul', x[i] as ScalarOperand, x[j] as ScalarOperand)),
  );
  const operator = productOperator(all.map(() => builtinOperator('add')));
  const { shape } = flat[0]!.type;
  return b.emit({ kind: 'reduce', operator, prologue, shape, inputs: flat, axis: 0 });
}

/** (0, 0), (0, 1), …, (1, 1), … below n. */
function pairs(n: number): [number, number][] {
  return Array.from({ length: n }, (_, i) => i).flatMap((i) =>
    Array.from({ length: n - i }, (_, k): [number, number] => [i, i + k]),
  );
}

/** The unit vectors of an array of literal shape, put together of literals, so that where they are 0 nothing is computed. */
function unitDirections(b: ProgramBuilder, shape: Shape): Value[] {
  if (shape.length === 0) return [b.literal(1)];
  const indices = Array.from({ length: sizeProduct(shape) as number }, (_, i) => i);
  const [zero, one] = [b.replicate(b.literal(0), [1]), b.replicate(b.literal(1), [1])];
  return indices.map((i) =>
    b.reshape(
      b.concatenate(
        indices.map((j) => (i === j ? one : zero)),
        0,
      ),
      shape,
    ),
  );
}

export const gradientName = (parameter: string): string => `gradient by ${parameter}`;

/** How the reverse sweep is written. */
export type SweepOptions = Pick<VjpOptions, 'profile' | 'force' | 'onChoice'>;

/** `energy` and its gradient: `gradient by PARAMETER`, of the parameter's shape. */
export function withGradient(
  program: Program,
  energy: string,
  by: readonly string[],
  options: SweepOptions = {},
): Program {
  const b = new ProgramBuilder();
  const parameters = sameParameters(b, program);
  const only = { ...program, results: program.results.filter(({ name }) => name === energy) };
  const [value, ...gradient] = inlineProgram(b, vjp(only, { ...options, of: [energy], by }), [
    ...parameters,
    b.literal(1),
  ]);
  return b.finish([
    { name: energy, value: value! },
    ...by.map((name, i) => ({ name: gradientName(name), value: gradient[i]! })),
  ]);
}

/** `energy`, its gradient, and the gradient's Jacobian: forward over reverse. */
export function withHessian(
  program: Program,
  energy: string,
  by: readonly string[],
  options: SweepOptions = {},
): Program {
  return withJacobian(withGradient(program, energy, by, options), by.map(gradientName), by);
}

export const productName = (parameter: string): string => tangentName(gradientName(parameter));

/**
 * `energy`, its gradient, and H·v along so many directions at once, `tangent of PARAMETER` and `productName` with a leading axis:
 * the sweeps of one direction, mapped.
 */
export function withHessianProducts(
  program: Program,
  energy: string,
  by: readonly string[],
  directions: number,
  options: SweepOptions = {},
  along = by,
): Program {
  return vmap(withHessianProduct(program, energy, by, options, along), directions, along.map(tangentName));
}

/**
 * `energy`, its gradient, and H·v along the direction `tangent of PARAMETER` of each parameter: `productName`, of the
 * parameter's shape. One forward pass over the reverse one: the matrix is never formed. `along`: parameters that directions are of,
 * all unless said.
 */
export function withHessianProduct(
  program: Program,
  energy: string,
  by: readonly string[],
  options: SweepOptions = {},
  along = by,
): Program {
  return jvp(withGradient(program, energy, by, options), { of: by.map(gradientName), by: along });
}

/** eₖ of `count` numbers. */
function unitVector(b: ProgramBuilder, count: number, k: number): Value {
  return b.elementwise([b.iota(count)], (s, i) =>
    s.either(
      s.apply('eq', i, intLiteral(k)),
      () => realLiteral(1),
      () => realLiteral(0),
    ),
  );
}

/** The unit vectors of an array of this shape, as [elements, …shape]. */
function unitVectors(b: ProgramBuilder, shape: Value['type']['shape']): Value {
  const count = sizeProduct(shape);
  const row = b.reshape(b.iota(count), [count, 1]);
  const identity = b.elementwise(
    [row, b.iota(count)],
    (s, i, j) =>
      s.either(
        s.apply('eq', i, j),
        () => realLiteral(1),
        () => realLiteral(0),
      ),
    [count, count],
  );
  return b.reshape(identity, [count, ...shape]);
}
