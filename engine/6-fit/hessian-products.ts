/** Hessians of long programs, by products with unit vectors. */
import { tangentName } from '../2-ad/names.ts';
import { coordinateSlopes, firstSlope, type Coordinate } from './coordinates.ts';
import { gradientName, productName, withHessianProducts, type SweepOptions } from './derivative-programs.ts';
import type { Quadratic } from './expansion.ts';
import {
  elements,
  free,
  names,
  quadraticOf,
  withResults,
  writeValues,
  type Asked,
  type AtPoint,
  type ComposedQuestion,
  type PlainQuestion,
} from './questions.ts';
import type { Slope } from './stationary/stationary.ts';
import { isLong } from './step-code.ts';

/** A program's gradient is some five times as long as the program. */
const SWEEP = 5;

/** The result `of` with gradient and Hessian by u, as suits the length of the program. */
export function curvedOf(
  problem: Asked,
  all: readonly Coordinate[],
  of: string,
  options: SweepOptions,
): AtPoint<Quadratic> {
  return isLong(withResults(problem.program, [of]), SWEEP * all.length)
    ? quadraticByProducts(problem, all, of, options)
    : quadraticOf(problem, all, of, options);
}

/** Directions that are followed at once. */
const AT_ONCE = 8;

/** Some directions at once, and the same program for all: less code than one for each, and less room than all together. */
function quadraticByProducts(
  problem: Asked,
  all: readonly Coordinate[],
  of: string,
  options: SweepOptions,
): ComposedQuestion<Float64Array, Quadratic> {
  const times = Math.ceil(all.length / AT_ONCE);
  const atOnce = Math.ceil(all.length / times);
  const varying = free(problem);
  const products: PlainQuestion<ProductsQuestion, Slope & { readonly products: readonly Float64Array[] }> = {
    program: withHessianProducts(problem.program, of, names(problem), atOnce, options),
    inputs: [
      ...varying,
      ...varying.map(({ name, initial }) => ({
        name: tangentName(name),
        initial: new Array<number>(atOnce * initial.length).fill(0),
      })),
    ],
    write({ point, first }, into, at) {
      writeValues(all, point, into, at);
      into.fill(0, at + all.length, at + all.length * (1 + atOnce));
      for (let j = first; j < Math.min(first + atOnce, all.length); j++) {
        const { parameter, element } = all[j]!;
        const before = j - element;
        into[at + all.length + atOnce * before + (j - first) * parameter.initial.length + element] = firstSlope(
          all[j]!,
          point[j]!,
        );
      }
    },
    read: (result, { point, first }) => {
      const lane = (name: string): Float64Array => result(name).subarray(0, result(name).length / atOnce);
      const slopes = all.map((coordinate, j) => coordinateSlopes(coordinate, point[j]!));
      const byValue = elements(all, lane, gradientName);
      const followed = Array.from({ length: Math.min(atOnce, all.length - first) }, (_, k) => first + k);
      return {
        value: result(of)[0]!,
        gradient: byValue.map((g, j) => g * slopes[j]![0]),
        products: followed.map((j) =>
          Float64Array.from(all, ({ parameter, element }, i) => {
            const length = parameter.initial.length;
            const product = result(productName(parameter.name))[(j - first) * length + element]!;
            return slopes[i]![0] * product + (i === j ? byValue[j]! * slopes[j]![1] : 0);
          }),
        ),
      };
    },
  };
  return {
    parts: [products],
    async compose(ask, point) {
      const hessian: Float64Array[] = [];
      let slope: Slope | undefined;
      for (let first = 0; first < all.length; first += atOnce) {
        const { products: columns, ...rest } = await ask(products, { point, first });
        slope ??= rest;
        hessian.push(...columns);
      }
      return { ...slope!, hessian };
    },
  };
}

interface ProductsQuestion {
  readonly point: Float64Array;
  /** Of the coordinates along which it goes, at their position in all. */
  readonly first: number;
}
