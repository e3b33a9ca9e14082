/** Sums of products over the inner axis. */
import { type Writer, tabulated } from './place.ts';

export const matmul: Writer<'matmul'> = (c, place) => {
  const [left, right] = [place.shape(c.left.type.shape), place.shape(c.right.type.shape)];
  const batch = left.length - 2;
  const lead = left.slice(0, batch).map((size, axis) => (size === 1 ? right[axis]! : size));
  const shape = [...lead, left[batch]!, right[batch + 1]!];
  return [
    tabulated(shape, (point) => {
      const [across, i, j] = [point.slice(0, batch), point[batch]!, point[batch + 1]!];
      const product = `${place.at(c.left, [...across, i, 't'])} * ${place.at(c.right, [...across, 't', j])}`;
      return `f64.sum (tabulate ${left[batch + 1]} (\\t -> ${product}))`;
    }),
  ];
};
