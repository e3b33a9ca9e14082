/** The elements in their order, with a table of running values: Futhark has no such construct. */
import { futharkTuple } from './scalar.ts';
import {
  type Writer,
  combine,
  element,
  index,
  inserted,
  keyAt,
  neutral,
  tabulated,
  withEpilogue,
  without,
} from './place.ts';

export const keyedScan: Writer<'keyed-scan'> = (c, place) => {
  const shape = place.shape(c.shape);
  const [n, bins] = [shape[c.batch]!, place.size(c.bins)];
  const ne = neutral(c.operator);
  const turned = (t: string): string => (c.reverse ? `${n - 1} - ${t}` : t);
  const lines = place.names.take(`${place.stem}_lines`);
  const text = tabulated(without(shape, c.batch), (across) => {
    const pointAt = (t: string): string[] => inserted(across, c.batch, t);
    const initial = c.initial ? futharkTuple(c.initial.map((value) => place.at(value, pointAt('t')))) : ne;
    const here = pointAt(turned('t'));
    const updated = `${combine(c.operator, place)} old ${element(c, here, place)}`;
    const shown = c.exclusive ? 'old' : 'new';
    return (
      `(loop (held, shown) = (tabulate ${bins} (\\t -> ${initial}), replicate ${n} ${ne}) for t < ${n} do ` +
      `let key = i64.i32 ${keyAt(c, here, place)} in if key >= 0 && key < ${bins} ` +
      `then (let old = copy held[key] let new = ${updated} in (held with [key] = new, shown with [t] = ${shown})) ` +
      `else (held, shown))`
    );
  });
  place.lines.push(`let ${lines} = ${text}`);
  const count = c.operator.neutral.length;
  const out = (part: 0 | 1, full: readonly number[], at: (t: string) => string): string[] =>
    Array.from({ length: count }, (_, k) =>
      tabulated(full, (point) => {
        const line = `(${index(lines, without(point, c.batch))}).${part}[${at(point[c.batch]!)}]`;
        return count === 1 ? line : `(${line}).${k}`;
      }),
    );
  const running = withEpilogue(c, out(1, shape, turned), place);
  return [...(running as readonly string[]), ...out(0, shape.with(c.batch, bins), (t) => t)];
};
