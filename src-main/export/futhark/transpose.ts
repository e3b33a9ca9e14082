/** Axes exchanged in the index. */
import { type Writer, tabulated } from './place.ts';

export const transpose: Writer<'transpose'> = (c, place) => {
  const shape = place.shape(c.value.type.shape);
  const result = c.permutation.map((axis) => shape[axis]!);
  return [
    tabulated(result, (point) => {
      const own = shape.map((_, axis) => point[c.permutation.indexOf(axis)]!);
      return place.at(c.value, own);
    }),
  ];
};
