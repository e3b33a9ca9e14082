/** `tabulate` over the domain; several results are projected out of one array of tuples. */
import { futharkScalar } from './scalar.ts';
import { type Writer, projected, tabulated } from './place.ts';

export const map: Writer<'map'> = (c, place) => {
  const shape = place.shape(c.shape);
  const count = c.function.body.results.length;
  const body = (point: readonly string[]): string =>
    futharkScalar(
      c.function,
      c.inputs.map((input) => place.at(input, point)),
      place.names,
    );
  if (count === 1) return [tabulated(shape, body)];
  const whole = place.names.take(`${place.stem}_whole`);
  place.lines.push(`let ${whole} = ${tabulated(shape, body)}`);
  return Array.from({ length: count }, (_, k) => projected(whole, shape.length, count, k));
};
