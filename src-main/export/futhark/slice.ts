/** Start and step in the index. */
import { type Writer, tabulated } from './place.ts';

export const slice: Writer<'slice'> = (c, place) => {
  const shape = place.shape(c.value.type.shape).with(c.axis, place.size(c.length));
  const start = place.size(c.start);
  return [
    tabulated(shape, (point) => place.at(c.value, point.with(c.axis, `${start} + ${point[c.axis]} * ${c.step}`))),
  ];
};
