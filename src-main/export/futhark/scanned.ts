/** Scans with and without flags, line by line; reversed ones run over turned indices, exclusive ones are shifted. */
import type { ConstructOf } from '../../../engine/index.ts';
import { type Place, alongAxis, combine, element, inserted, neutral, operator, tabulated, without } from './place.ts';

export function scanned(c: ConstructOf<'scan'> | ConstructOf<'segmented-scan'>, place: Place): string[] {
  const shape = place.shape(c.shape);
  const n = shape[c.axis]!;
  const turned = (t: string): string => (c.reverse ? `${n - 1} - ${t}` : t);
  const [op, ne] = [operator(c.operator, place), neutral(c.operator)];
  const line = (across: readonly string[]): string => {
    const pointAt = (t: string): string[] => inserted(across, c.axis, turned(t));
    if (c.kind === 'scan') return `scan ${op} ${ne} (tabulate ${n} (\\t -> ${element(c, pointAt('t'), place)}))`;
    const flagged = `(\\(f, x) (g, y) -> (f || g, if g then y else ${combine(c.operator, place)} x y))`;
    const elements = `tabulate ${n} (\\t -> (${place.at(c.flags, pointAt('t'))}, ${element(c, pointAt('t'), place)}))`;
    return `map (\\s -> s.1) (scan ${flagged} (false, ${ne}) (${elements}))`;
  };
  const whole = tabulated(without(shape, c.axis), line);
  if (!c.exclusive) return alongAxis(whole, { count: c.operator.neutral.length, axis: c.axis, shape }, place, turned);
  const shifted = tabulated(without(shape, c.axis), (across) => {
    const pointAt = (t: string): string[] => inserted(across, c.axis, turned(t));
    const begins = c.kind === 'scan' ? 't == 0' : `t == 0 || ${place.at(c.flags, pointAt('t'))}`;
    return `(let s = ${line(across)} in tabulate ${n} (\\t -> if ${begins} then ${ne} else s[t - 1]))`;
  });
  return alongAxis(shifted, { count: c.operator.neutral.length, axis: c.axis, shape }, place, turned);
}
