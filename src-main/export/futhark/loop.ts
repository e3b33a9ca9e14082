/** A `loop` whose body is written in place. */
import { futharkTuple } from './scalar.ts';
import type { Writer } from './place.ts';

export const loop: Writer<'loop'> = (c, place) => {
  const names = place.names.inner();
  const [t = null, ...rest] = c.body.parameters;
  const carried = rest.slice(0, c.initial.length);
  const known = new Map<number, string>();
  if (t) known.set(t.value.id, '(i32.i64 t)');
  const carries = carried.map(({ value }) => {
    const name = names.take('carry');
    known.set(value.id, name);
    return name;
  });
  rest.slice(carried.length).forEach(({ value }, i) => known.set(value.id, place.at(c.invariants[i]!, [])));
  const initial = futharkTuple(c.initial.map((value) => place.known.get(value.id)!));
  const body = place.body(c.body, { names, known, size: (size) => place.size(size) });
  return { tuple: `loop ${futharkTuple(carries)} = ${initial} for t < ${place.size(c.count)} do (${body})` };
};
