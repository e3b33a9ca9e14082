/** `hist` with the keys as i64; a key out of range is left out by `hist` itself, as by the engine. */
import { futharkTuple } from './scalar.ts';
import { type Writer, alongAxis, element, inserted, keyAt, neutral, operator, tabulated, without } from './place.ts';

export const histogram: Writer<'histogram'> = (c, place) => {
  const shape = place.shape(c.shape);
  const [n, bins] = [shape[c.batch]!, place.size(c.bins)];
  const [op, ne] = [operator(c.operator, place), neutral(c.operator)];
  const whole = tabulated(without(shape, c.batch), (across) => {
    const pointAt = (t: string): string[] => inserted(across, c.batch, t);
    const keys = `(tabulate ${n} (\\t -> i64.i32 ${keyAt(c, pointAt('t'), place)}))`;
    const hist = `hist ${op} ${ne} ${bins} ${keys} (tabulate ${n} (\\t -> ${element(c, pointAt('t'), place)}))`;
    if (!c.initial) return hist;
    const initial = futharkTuple(c.initial.map((value) => place.at(value, pointAt('t'))));
    return `map2 ${op} (tabulate ${bins} (\\t -> ${initial})) (${hist})`;
  });
  return alongAxis(whole, { count: c.operator.neutral.length, axis: c.batch, shape: shape.with(c.batch, bins) }, place);
};
