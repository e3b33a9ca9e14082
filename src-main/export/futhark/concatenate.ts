/** The part in which an index falls. */
import { type Writer, tabulated } from './place.ts';

export const concatenate: Writer<'concatenate'> = (c, place) => {
  const parts = c.values.map((value) => place.shape(value.type.shape)[c.axis]!);
  const shape = place.shape(c.values[0]!.type.shape).with(
    c.axis,
    parts.reduce((sum, part) => sum + part, 0),
  );
  return [
    tabulated(shape, (point) => {
      const i = point[c.axis]!;
      let start = 0;
      const pieces = c.values.map((value, k) => {
        const text = place.at(value, point.with(c.axis, `${i} - ${start}`));
        start += parts[k]!;
        return k === c.values.length - 1 ? text : `if ${i} < ${start} then ${text} else `;
      });
      return `(${pieces.join('')})`;
    }),
  ];
};
