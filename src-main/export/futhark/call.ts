/** The program written in place. */
import type { Writer } from './place.ts';

export const call: Writer<'call'> = (c, place) => {
  const known = new Map(
    c.program.parameters.map(({ value }, i) => [value.id, place.known.get(c.inputs[i]!.id)!] as const),
  );
  const text = place.body(c.program, { names: place.names.inner(), known, size: (size) => place.size(size) });
  return { tuple: `(${text})` };
};
