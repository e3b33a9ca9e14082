/** Hessians of long programs, by products with unit vectors. */
import { OutOfMemory } from '../0-ir/errors.ts';
import { tangentName } from '../2-ad/names.ts';
import { coordinateSlopes, firstSlope, type Coordinate } from './coordinates.ts';
import { gradientName, productName, withHessianProducts, type SweepOptions } from './derivative-programs.ts';
import { sloped, type Below, type Quadratic } from './expansion.ts';
import {
  elements,
  free,
  names,
  quadraticOf,
  slopeOf,
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

/** Answers that are kept: whoever judges an end, and reports it, asks for what was asked before. */
const KNOWN = 4;

/** Directions that are followed at once. */
const AT_ONCE = 8;

/** Answers a `Below` too, without a Hessian, and where the value is not below with it alone. */
export interface Sifting extends ComposedQuestion<Float64Array | Below, Quadratic> {
  readonly sifts: true;
}

export const isSifting = (question: AtPoint<Quadratic>): question is Sifting => 'sifts' in question;

/** Some directions at once, and the same program for all: less code than one for each, and less room than all together. */
function quadraticByProducts(problem: Asked, all: readonly Coordinate[], of: string, options: SweepOptions): Sifting {
  const varying = free(problem);
  const productsOf = (
    atOnce: number,
  ): PlainQuestion<ProductsQuestion, Slope & { readonly products: readonly Float64Array[] }> => ({
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
  });
  const slope = slopeOf(problem, all, of, options);
  const parts: object[] = [slope];
  const known: { readonly point: Float64Array; readonly answer: Quadratic }[] = [];
  let atOnce = evenly(all.length, AT_ONCE);
  let products = productsOf(atOnce);
  parts.push(products);
  return {
    sifts: true,
    parts,
    async compose(ask, asked) {
      if (!(asked instanceof Float64Array)) {
        const { value, gradient } = await ask(slope, asked.point);
        return sloped(value, value < asked.below ? gradient : new Float64Array(0));
      }
      const before = known.find(({ point }) => point.every((value, j) => value === asked[j]));
      if (before) return before.answer;
      const hessian: Float64Array[] = [];
      let at: Slope | undefined;
      while (hessian.length < all.length) {
        try {
          const { products: columns, ...rest } = await ask(products, { point: asked, first: hessian.length });
          at ??= rest;
          hessian.push(...columns);
        } catch (error) {
          if (!(error instanceof OutOfMemory) || atOnce === 1) throw error;
          atOnce = evenly(all.length, Math.floor(atOnce / 2));
          products = productsOf(atOnce);
          parts[1] = products;
        }
      }
      const answer = { ...at!, hessian };
      known.unshift({ point: asked.slice(), answer });
      known.length = Math.min(known.length, KNOWN);
      return answer;
    },
  };
}

/** At most so many of all at once, as many each time. */
const evenly = (all: number, most: number): number => Math.ceil(all / Math.ceil(all / most));

interface ProductsQuestion {
  readonly point: Float64Array;
  /** Of the coordinates along which it goes, at their position in all. */
  readonly first: number;
}
