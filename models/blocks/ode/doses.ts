/** What events add to a state at each knot, and where a solution holds. */
import { realLiteral, type Shape, type Value } from '../../../engine/index.ts';
import { asReal } from '../parts/convert.ts';
import type { LowerContext } from '../kind.ts';
import { isDocumentNumber, toNumber } from '../../notation/numbers.ts';
import { expression } from '../../objective/expression.ts';
import type { OdeDetail } from './infer.ts';
import { lastTime, overTimed } from './knots.ts';
import { timePieces } from './pieces.ts';
import { dosesIn, type OdeBlock, type OdeDose } from './schema.ts';

/**
 * Over the unsorted knots, [M, …]; undefined for a state without events. Nothing is added after the last output or at a
 * missing time, and NaN before the start, which an event that moves with a parameter may have passed.
 */
export function dosesOf(
  block: OdeBlock,
  { batch, timed }: OdeDetail,
  context: LowerContext,
  state: string,
  knots: Value,
  pieces: readonly Value[],
): Value | undefined {
  const b = context.builder;
  const events = dosesIn(block).map(({ event, index }) => ({ event, port: `events.${index}` }));
  if (!events.some(({ event }) => event.state === state)) return undefined;
  const amounts = events.map(({ event, port }) =>
    event.state === state ? amountOf(context, event, port) : b.literal(0),
  );
  const own = amounts.some((amount) => amount.type.shape.length > 1);
  const shape = context.shape(timed.length > 0 || own ? batch : []);
  let event = 0;
  const parts = timePieces(block).map(({ kind }, i) => {
    const length = pieces[i]?.type.shape[0] ?? 1;
    const amount = kind === 'event' ? amounts[event++]! : b.literal(0);
    return b.replicate(overTimed(b, amount, shape), [length, ...shape]);
  });
  const given = b.reshape(b.concatenate(parts, 0), [knots.type.shape[0] ?? 1, ...shape]);
  const times = overTimed(b, knots, shape);
  const outputs = asReal(b, context.input('times'));
  const ends = [b.slice(knots, 0, 0, 1), lastTime(b, outputs)].map((end) => overTimed(b, end, shape));
  return b.elementwise([given, times, ...ends], (s, amount, at, start, end) => {
    const e = expression(s);
    const within = () =>
      e.choose(
        e.apply('le', at, end),
        () => amount,
        () => realLiteral(0),
      );
    return e.choose(e.apply('lt', at, start), () => realLiteral(NaN), within);
  });
}

/** [m, …batch], or a scalar, which goes for every time. */
function amountOf(context: LowerContext, { add, times }: OdeDose, port: string): Value {
  const b = context.builder;
  if (isDocumentNumber(add)) return b.literal(toNumber(add));
  const value = asReal(b, context.input(`${port}.add`));
  const once = isDocumentNumber(times) || context.output(`${port}.times`).sizes.length === 0;
  return once && value.type.shape.length > 0 ? b.reshape(value, [1, ...value.type.shape]) : value;
}

/** NaN where no time was asked for, or one before a start that moves with a parameter. */
export function whereTimed(context: LowerContext, knots: Value, solution: Value): Value {
  const b = context.builder;
  const batch: Shape = solution.type.shape.slice(1);
  const times = overTimed(b, asReal(b, context.input('times')), batch);
  const start = overTimed(b, b.slice(knots, 0, 0, 1), batch);
  return b.elementwise([solution, times, start], (s, x, at, from) =>
    expression(s).choose(
      s.apply('le', from, at),
      () => x,
      () => realLiteral(NaN),
    ),
  );
}
