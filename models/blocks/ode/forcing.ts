/** A forcing input at the knots: its value there, and its slope up to the next knot where it is linear. */
import { realLiteral, type ScalarOperand, type Value } from '../../../engine/index.ts';
import { asReal } from '../parts/convert.ts';
import type { LowerContext } from '../kind.ts';
import { besides, neighbours } from '../parts/points.ts';
import { expression } from '../../objective/expression.ts';
import { overTimed, rowsOfSeries } from './knots.ts';

export interface Forcing {
  /** [M, …] */
  readonly value: Value;
  readonly slope: Value | undefined;
}

/**
 * `step`: the value of the last time passed, the first value before. `linear`: the line between, constant outside. `within`: a
 * time of each knot's stretch that says on which side of a bend it is; or `passed`: how many have passed at each.
 */
export function forcingAt(
  context: LowerContext,
  name: string,
  interpolation: 'step' | 'linear',
  knots: Value,
  { within = knots, passed }: { readonly within?: Value; readonly passed?: Value | undefined } = {},
): Forcing {
  const b = context.builder;
  const times = asReal(b, context.input(`${name}.times`));
  const values = asReal(b, context.input(`${name}.values`));
  const points = context.output(`${name}.times`).sizes[0]!;
  const timeAt = (index: Value): Value => b.gather(times, index, 'nan');
  const { low, high } = passed
    ? besides(b, passed, context.extent(points))
    : neighbours(b, within, timeAt, context.extent(points), points.value);
  const before = rowsOfSeries(b, values, low);
  if (interpolation === 'step') return { value: before, slope: undefined };
  const ends = [low, high, timeAt(low), timeAt(high), knots].map((value) =>
    overTimed(b, value, before.type.shape.slice(1)),
  );
  const flat = (): ScalarOperand => realLiteral(0);
  const [low_, high_, x0, x1, x] = ends as [Value, Value, Value, Value, Value];
  const slope = b.elementwise(
    [low_, high_, x0, x1, before, rowsOfSeries(b, values, high)],
    (s, l, h, left, right, y0, y1) => {
      const e = expression(s);
      return s.either(e.apply('eq', l, h), flat, () => e.divide(e.subtract(y1, y0), e.subtract(right, left)));
    },
  );
  const value = b.elementwise([before, slope, x, x0], (s, y0, rise, at, left) => {
    const e = expression(s);
    return e.add(y0, e.multiply(rise, e.subtract(at, left)));
  });
  return { value, slope };
}

/** The same of an input as it was so long ago: knots that its bends bring about are passed only nearly when a lag is taken off. */
export function forcingBefore(
  context: LowerContext,
  name: string,
  interpolation: 'step' | 'linear',
  knots: Value,
  lag: Value,
  { spans, passed }: { readonly spans?: Value; readonly passed?: Value | undefined } = {},
): Forcing {
  const b = context.builder;
  const rest = lag.type.shape;
  const over = (value: Value): Value => (rest.length === 0 ? value : overTimed(b, value, rest));
  const ago = b.apply('sub', over(knots), lag);
  if (!spans || passed) return forcingAt(context, name, interpolation, ago, { passed });
  const middle = b.elementwise([ago, over(spans)], (s, at, span) =>
    s.apply('add', at, s.apply('mul', realLiteral(0.5), span)),
  );
  return forcingAt(context, name, interpolation, ago, { within: middle });
}
