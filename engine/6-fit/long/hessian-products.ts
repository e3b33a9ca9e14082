/** Hessians of long programs, by products with unit vectors. */
import { OutOfMemory } from '../../0-ir/errors.ts';
import { coordinateSlopes, type Coordinate } from '../coordinates.ts';
import { gradientName, productName, withHessianProducts, type SweepOptions } from '../derivative-programs.ts';
import { pointOf, sloped, type Look, type Quadratic } from '../expansion.ts';
import type { FitProblem } from '../problem.ts';
import {
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
import { alongUnits, byStepping, evenly, inTurns, namesAlong, type AlongUnits } from './directions.ts';
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

/**
 * Some directions at once, and the same program for all: less code than one for each, and less room than all together. By what no
 * solver hangs on a block of its own is formed, through none; the rest of its columns is that of the others' rows.
 */
function quadraticByProducts(problem: Scored, all: readonly Coordinate[], of: string, options: SweepOptions): Sifting {
  const { stepping, others } = byStepping(withResults(problem.program, [of]), all);
  const alone = productsBy(problem, all, of, others, others, options);
  const through = productsBy(problem, all, of, stepping, [...all.keys()], options);
  const slope = slopeOf(problem, all, of, options);
  const { scoring } = problem;
  const information = scoring && informationOf({ ...problem, scoring }, all, options);
  let last: { readonly point: Float64Array; readonly answer: Slope } | undefined;
  const slopeAt = async (ask: Ask, point: Float64Array): Promise<Slope> => {
    if (!last || !isSame(last.point, point)) last = { point: point.slice(), answer: await ask(slope, point) };
    return last.answer;
  };
  const known: { readonly point: Float64Array; readonly answer: Quadratic }[] = [];
  return {
    sifts: true,
    scores: information !== undefined,
    slope,
    get parts() {
      return [slope, ...through.parts, ...alone.parts, ...(information ? [information, ...information.parts] : [])];
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
      const [rows, block] = [await through.columns(ask, point), await alone.columns(ask, point)];
      const { value, gradient } = rows.at ?? (await slopeAt(ask, point));
      const hessian = all.map((_, i) => {
        const own = rows.columns.get(i);
        if (own) return own;
        const beside = block.columns.get(i)!;
        return Float64Array.from(all, (__, j) => rows.columns.get(j)?.[i] ?? beside[j]!);
      });
      const answer = { value, gradient, hessian };
      known.unshift({ point: point.slice(), answer });
      known.length = Math.min(known.length, KNOWN);
      return answer;
    },
  };
}

const isSame = (one: Float64Array, other: Float64Array): boolean => one.every((value, j) => value === other[j]);

/** H's columns of some coordinates, of which the elements by some others are known. */
function productsBy(
  problem: Scored,
  all: readonly Coordinate[],
  of: string,
  along: readonly number[],
  by: readonly number[],
  options: SweepOptions,
) {
  const productsOf = (atOnce: number): PlainQuestion<AlongUnits, Slope & { readonly columns: Float64Array[] }> => ({
    program: withHessianProducts(problem.program, of, namesAlong(all, by), atOnce, options, namesAlong(all, along)),
    ...alongUnits(problem, all, along, atOnce),
    read: (result, { point, along }) => {
      const lane = (name: string, k = 0): Float64Array => {
        const whole = result(name);
        const length = whole.length / atOnce;
        return whole.subarray(k * length, (k + 1) * length);
      };
      const slopes = all.map((coordinate, j) => coordinateSlopes(coordinate, point[j]!));
      const byValue = new Float64Array(all.length).fill(NaN);
      for (const i of by) byValue[i] = lane(gradientName(all[i]!.parameter.name))[all[i]!.element]!;
      const columns = along.map((j, k) => {
        const column = new Float64Array(all.length).fill(NaN);
        for (const i of by) {
          const { parameter, element } = all[i]!;
          const product = lane(productName(parameter.name), k)[element]!;
          column[i] = slopes[i]![0] * product + (i === j ? byValue[j]! * slopes[j]![1] : 0);
        }
        return column;
      });
      return { value: result(of)[0]!, gradient: byValue.map((g, j) => g * slopes[j]![0]), columns };
    },
  });
  let atOnce = evenly(along.length, AT_ONCE);
  let products: ReturnType<typeof productsOf> | undefined;
  return {
    get parts() {
      return products ? [products] : [];
    },
    async columns(ask: Ask, point: Float64Array) {
      for (;;)
        try {
          const columns = new Map<number, Float64Array>();
          let at: Slope | undefined;
          for (const turn of inTurns(along, atOnce)) {
            products ??= productsOf(atOnce);
            const { columns: found, ...rest } = await ask(products, { point, along: turn });
            at ??= rest;
            turn.forEach((j, k) => columns.set(j, found[k]!));
          }
          return { columns, at };
        } catch (error) {
          if (!(error instanceof OutOfMemory) || atOnce === 1) throw error;
          atOnce = evenly(along.length, Math.floor(atOnce / 2));
          products = undefined;
        }
    },
  };
}
