/** An index in range reads, any other gives NaN or zero. */
import { futharkNumber } from './scalar.ts';
import { type Writer, tabulated } from './place.ts';

export const gather: Writer<'gather'> = (c, place) => {
  const { batch } = c;
  const [from, indices] = [place.shape(c.from.type.shape), place.shape(c.indices.type.shape)];
  const lead = from.slice(0, batch).map((size, axis) => (size === 1 ? indices[axis]! : size));
  const shape = [...lead, ...indices.slice(batch), ...from.slice(batch + 1)];
  const rows = from[batch]!;
  // Where the engine would stop, a real is NaN.
  const nan = c.from.type.element === 'real' && c.outside !== 'zero';
  return [
    tabulated(shape, (point) => {
      const key = place.at(c.indices, point.slice(0, indices.length));
      const value = place.at(c.from, [...point.slice(0, batch), 'row', ...point.slice(indices.length)]);
      const none = futharkNumber(nan ? NaN : 0, c.from.type.element);
      return `(let row = i64.i32 ${key} in if row >= 0 && row < ${rows} then ${value} else ${none})`;
    }),
  ];
};
