/** `reduce` along the axis, line by line. */
import { type Writer, element, inserted, neutral, operator, projected, tabulated, without } from './place.ts';

export const reduce: Writer<'reduce'> = (c, place) => {
  const shape = place.shape(c.shape);
  const across = without(shape, c.axis);
  const count = c.operator.neutral.length;
  const whole = tabulated(across, (point) => {
    const line = `tabulate ${shape[c.axis]} (\\t -> ${element(c, inserted(point, c.axis, 't'), place)})`;
    return `reduce ${operator(c.operator, place)} ${neutral(c.operator)} (${line})`;
  });
  if (count === 1) return [whole];
  if (across.length === 0) return { tuple: whole };
  const name = place.names.take(`${place.stem}_whole`);
  place.lines.push(`let ${name} = ${whole}`);
  return Array.from({ length: count }, (_, k) => projected(name, across.length, count, k));
};
