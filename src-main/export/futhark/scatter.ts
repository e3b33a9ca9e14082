/** Futhark's own `scatter`, line by line. */
import { type Writer, alongAxis, inserted, tabulated, without } from './place.ts';

export const scatter: Writer<'scatter'> = (c, place) => {
  const [into, indices] = [place.shape(c.into.type.shape), place.shape(c.indices.type.shape)];
  const values = place.shape(c.values.type.shape);
  const lead = [into, indices, values].reduce<number[]>(
    (found, shape) => found.map((size, axis) => (size === 1 ? shape[axis]! : size)),
    into.slice(0, c.batch),
  );
  const full = [...lead, ...into.slice(c.batch)];
  const [rows, n] = [into[c.batch]!, indices[c.batch]!];
  const whole = tabulated(without(full, c.batch), (across) => {
    const pointAt = (t: string): string[] => inserted(across, c.batch, t);
    const target = `tabulate ${rows} (\\t -> ${place.at(c.into, pointAt('t'))})`;
    const keys = `tabulate ${n} (\\t -> i64.i32 ${place.at(c.indices, pointAt('t').slice(0, c.batch + 1))})`;
    return `scatter (${target}) (${keys}) (tabulate ${n} (\\t -> ${place.at(c.values, pointAt('t'))}))`;
  });
  return alongAxis(whole, { count: 1, axis: c.batch, shape: full }, place);
};
