/** Indices counted from the end. */
import { type Writer, tabulated } from './place.ts';

export const reverse: Writer<'reverse'> = (c, place) => {
  const shape = place.shape(c.value.type.shape);
  const n = shape[c.axis]!;
  return [tabulated(shape, (point) => place.at(c.value, point.with(c.axis, `${n - 1} - ${point[c.axis]}`)))];
};
