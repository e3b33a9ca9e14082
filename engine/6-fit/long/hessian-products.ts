/** Hessians of long programs, by products with unit vectors. */
import { OutOfMemory } from '../../0-ir/errors.ts';
import { coordinateSlopes, type Coordinate } from '../coordinates.ts';
import { gradientName, productName, withHessianProducts, type SweepOptions } from '../derivative-programs.ts';
import { pointOf, sloped, type Look, type Quadratic } from '../expansion.ts';
import type { FitProblem } from '../problem.ts';
import {
  elements,
  names,
  quadraticOf,
  slopeOf,
  withResults,
  type Ask,
  type Asked,
  type AtPoint,
  type ComposedQuestion,
  type PlainQuestion,
} from '../questions.ts';
import type { Slope } from '../stationary/stationary.ts';
import { alongUnits, evenly, type AlongUnits } from './directions.ts';
import { informationOf } from './scoring.ts';
import { isLongToCurve } from '../step-code.ts';

/** `scoring` is of the result that is asked for. */
type Scored = Asked & Pick<FitProblem, 'scoring'>;

/** The result `of` with gradient and Hessian by u, as suits the length of the program. */
export function curvedOf(
  problem: Scored,
  all: readonly Coordinate[],
  of: string,
  options: SweepOptions,
): AtPoint<Quadratic> {
  return isLongToCurve(withResults(problem.program, [of]), all.length)
    ? quadraticByProducts(problem, all, of, options)
    : quadraticOf(problem, all, of, options);
}

/** Answers that are kept: whoever judges an end, and reports it, asks for what was asked before. */
const KNOWN = 4;

/** Directions that are followed at once. */
const AT_ONCE = 8;

/**
 * Answers a `Below` too, without a Hessian, and where the value is not below with it alone; and an `Expected` where it scores, the
 * expected information in the Hessian's place.
 */
export interface Sifting extends ComposedQuestion<Look, Quadratic> {
  readonly sifts: true;
  readonly scores: boolean;
  /** Value and gradient, as it asks for them itself. */
  readonly slope: AtPoint<Slope>;
}

export const isSifting = (question: AtPoint<Quadratic>): question is Sifting => 'sifts' in question;

/** Some directions at once, and the same program for all: less code than one for each, and less room than all together. */
function quadraticByProducts(problem: Scored, all: readonly Coordinate[], of: string, options: SweepOptions): Sifting {
  const productsOf = (
    atOnce: number,
  ): PlainQuestion<AlongUnits, Slope & { readonly products: readonly Float64Array[] }> => ({
    program: withHessianProducts(problem.program, of, names(problem), atOnce, options),
    ...alongUnits(problem, all, atOnce),
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
  const { scoring } = problem;
  const information = scoring && informationOf({ ...problem, scoring }, all, options);
  let last: { readonly point: Float64Array; readonly answer: Slope } | undefined;
  const slopeAt = async (ask: Ask, point: Float64Array): Promise<Slope> => {
    if (!last || !isSame(last.point, point)) last = { point: point.slice(), answer: await ask(slope, point) };
    return last.answer;
  };
  const known: { readonly point: Float64Array; readonly answer: Quadratic }[] = [];
  let atOnce = evenly(all.length, AT_ONCE);
  let products = productsOf(atOnce);
  return {
    sifts: true,
    scores: information !== undefined,
    slope,
    get parts() {
      return [slope, products, ...(information ? [information, ...information.parts] : [])];
    },
    async compose(ask, asked) {
      const point = pointOf(asked);
      if ('expected' in asked && information)
        return { ...(await slopeAt(ask, point)), hessian: await ask(information, point) };
      if ('below' in asked) {
        const { value, gradient } = await slopeAt(ask, point);
        return sloped(value, value < asked.below ? gradient : new Float64Array(0));
      }
      const before = known.find((each) => isSame(each.point, point));
      if (before) return before.answer;
      const hessian: Float64Array[] = [];
      let at: Slope | undefined;
      while (hessian.length < all.length) {
        try {
          const { products: columns, ...rest } = await ask(products, { point, first: hessian.length });
          at ??= rest;
          hessian.push(...columns);
        } catch (error) {
          if (!(error instanceof OutOfMemory) || atOnce === 1) throw error;
          atOnce = evenly(all.length, Math.floor(atOnce / 2));
          products = productsOf(atOnce);
        }
      }
      const answer = { ...at!, hessian };
      known.unshift({ point: point.slice(), answer });
      known.length = Math.min(known.length, KNOWN);
      return answer;
    },
  };
}

const isSame = (one: Float64Array, other: Float64Array): boolean => one.every((value, j) => value === other[j]);
