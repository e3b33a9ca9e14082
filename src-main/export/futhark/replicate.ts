/** The same at every point. */
import { type Writer, tabulated } from './place.ts';

export const replicate: Writer<'replicate'> = (c, place) => [
  tabulated(place.shape(c.shape), (point) => place.at(c.value, point)),
];
