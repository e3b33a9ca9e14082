/**
 * Elements on which an operator's laws are tested.
 *
 * Numbers have few significant bits, so that sums and products of several are exact and a counter-example is short to
 * read. They come in several scales, around every literal in the formulas, and often equal to one another.
 */
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { ElementType, ScalarBlock, ScalarFunction } from '../../engine/index.ts';
import type { Range } from './operator.ts';

/** One number for each component. */
export type Element = readonly number[];

export interface Drawer {
  /** A whole number, 0 to `count` - 1. */
  below(count: number): number;
  /** `count` elements that may share numbers. */
  elements(count: number): Element[];
}

const exponents = [0, 0, 0, -8, -3, 4, 8];
const offsets = [0, 0, 1, -1, 2 ** -7, -(2 ** -7)];

export function drawer(
  types: readonly ElementType[],
  domain: readonly Range[] | undefined,
  literals: readonly number[],
  seed: number,
): Drawer {
  const random = xoroshiro128plus(seed);
  const below = (count: number) => uniformInt(random, 0, count - 1);
  const pick = <T>(values: readonly [T, ...T[]]): T => values[below(values.length)] ?? values[0];
  const marks: [number, ...number[]] = [0, 1, -1, ...literals.flatMap((mark) => [mark, -mark, mark / 2])];

  const special = (): number => pick(marks) + pick([0, ...offsets]);
  const scaled = (exponent: number): number => (below(511) - 255) * 2 ** (exponent - 4);

  const component = (type: ElementType, range: Range | undefined, exponent: number | undefined): number => {
    if (type === 'bool') return below(2);
    const value = below(4) === 0 ? special() : scaled(exponent ?? pick([0, ...exponents]));
    if (type === 'real') return inside(value, range);
    const whole = Math.round(inside(exponent === 8 ? value * 2 ** 12 : value, range));
    return Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, whole));
  };

  /** A number outside is carried to the other side of the bound that it passed, or to a fraction of the range. */
  const inside = (value: number, range: Range | undefined): number => {
    const [low, high] = range ?? [-Infinity, Infinity];
    if (value >= low && value <= high) return value;
    if (low > -Infinity && high < Infinity) return low + (high - low) * (below(65) / 64);
    return low > -Infinity ? low + Math.abs(value - low) : high - Math.abs(value - high);
  };

  const elements = (count: number): Element[] => {
    // All of one scale, or each component of its own.
    const exponent = below(3) > 0 ? pick([0, ...exponents]) : undefined;
    const drawn: number[][] = [];
    for (let i = 0; i < count; i++) {
      const repeated = drawn[below(i + 1)];
      drawn.push(
        types.map((type, c) => {
          const tie = repeated?.[c];
          return tie !== undefined && below(3) === 0 ? tie : component(type, domain?.[c], exponent);
        }),
      );
    }
    return drawn;
  };
  return { below, elements };
}

/** Every finite number that is written in the functions, each once. */
export function literalsOf(functions: readonly (ScalarFunction | undefined)[]): number[] {
  const found = new Set<number>();
  const visit = (block: ScalarBlock): void => {
    for (const statement of block.statements) {
      const operands = statement.kind === 'apply' ? statement.operands : [statement.condition];
      for (const operand of operands) if (operand.kind === 'literal') found.add(operand.value);
      if (statement.kind !== 'if') continue;
      visit(statement.then);
      visit(statement.else);
    }
    for (const result of block.results) if (result.kind === 'literal') found.add(result.value);
  };
  for (const fn of functions) if (fn) visit(fn.body);
  return [...found].filter((value) => Number.isFinite(value) && value !== 0);
}
