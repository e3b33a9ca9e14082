/** Between which of ascending points xs₀ ≤ xs₁ ≤ … ≤ xsₘ₋₁ a value lies. */
import { intLiteral, type ProgramBuilder, type Value } from '../../../engine/index.ts';
import { asReal } from './convert.ts';
import type { InferContext } from '../kind.ts';

/** The points on both sides, as indices: the same one twice before the first and from the last on. */
export interface Neighbours {
  readonly low: Value;
  readonly high: Value;
}

/**
 * With c = #{j : xsⱼ ≤ x}: low = max(c − 1, 0), high = min(c, m − 1). `at` reads xs at indices, NaN outside; `points` is m
 * as an int scalar, `most` a bound on it that is known when the program is written.
 */
export function neighbours(
  b: ProgramBuilder,
  x: Value,
  at: (index: Value) => Value,
  points: Value,
  most: number,
): Neighbours {
  return besides(b, countUpTo(b, x, at, most), points);
}

/** The same, of `count` points at and before it. */
export function besides(b: ProgramBuilder, count: Value, points: Value): Neighbours {
  const one = b.literal(1, 'int');
  return {
    low: b.apply('max', b.apply('sub', count, one), b.literal(0, 'int')),
    high: b.apply('min', count, b.apply('sub', points, one)),
  };
}

/** Bit by bit from the highest down. A place past the end reads NaN, and no x is above NaN. */
function countUpTo(b: ProgramBuilder, x: Value, at: (index: Value) => Value, most: number): Value {
  let count = b.replicate(b.literal(0, 'int'), x.type.shape);
  for (let bit = 2 ** Math.floor(Math.log2(Math.max(most, 1))); bit >= 1; bit /= 2) {
    const tried = at(b.apply('add', count, b.literal(bit - 1, 'int')));
    count = b.elementwise([tried, x, count], (s, there, value, c) =>
      s.apply('add', c, s.apply('mul', s.apply('int', s.apply('le', there, value)), intLiteral(bit))),
    );
  }
  return count;
}

/** Reports the first element of a port that is data and out of order. */
export function ascends(context: InferContext, port: string): boolean {
  const xs = context.compute([port], (lower) => asReal(lower.builder, lower.input(port)));
  if (!xs) return false;
  for (let i = 0; i < xs.length; i++) {
    const [before, x] = [xs[i - 1] ?? -Infinity, xs[i]!];
    if (x >= before) continue;
    context.fail(`"${port}" wants ascending numbers, and element ${i} is ${x}${i > 0 ? ` after ${before}` : ''}`, {
      port,
      wanted: 'ascending numbers',
      got: String(x),
      fix: Number.isNaN(x) ? 'leave rows without a value out by a "filter" block' : 'sort the table by this column',
    });
    return false;
  }
  return true;
}
