/** The flat index taken apart again. */
import { type Writer, tabulated } from './place.ts';

export const reshape: Writer<'reshape'> = (c, place) => {
  const [from, to] = [place.shape(c.value.type.shape), place.shape(c.shape)];
  return [
    tabulated(to, (point) => {
      const flat = point.reduce((sum, i, axis) => (axis === 0 ? i : `(${sum}) * ${to[axis]} + ${i}`), '0');
      const own = from.map((size, axis) => {
        const inner = from.slice(axis + 1).reduce((product, each) => product * each, 1);
        return size === 1 ? '0' : `(${flat}) / ${Math.max(inner, 1)} % ${Math.max(size, 1)}`;
      });
      return place.at(c.value, own);
    }),
  ];
};
