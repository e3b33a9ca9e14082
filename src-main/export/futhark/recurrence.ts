/** A `loop` over the steps that writes what each emits. */
import { futharkNumber, futharkScalar, futharkTuple } from './scalar.ts';
import { type Writer, index, inserted, tabulated, without } from './place.ts';

export const recurrence: Writer<'recurrence'> = (c, place) => {
  const shape = place.shape(c.shape);
  const n = shape[c.axis]!;
  const carries = c.initial.length;
  const outputs = c.step.body.results.slice(carries);
  const turned = (t: string): string => (c.reverse ? `${n - 1} - ${t}` : t);
  const lines = place.names.take(`${place.stem}_lines`);
  const inside = place.names.inner();
  const names = Array.from({ length: carries }, (_, i) => inside.take(`c${i}`));
  const none = futharkTuple(outputs.map(({ type }) => futharkNumber(0, type)));
  const text = tabulated(without(shape, c.axis), (across) => {
    const here = inserted(across, c.axis, turned('t'));
    const args = [
      ...names,
      ...c.inputs.map((input) => place.at(input, here)),
      ...c.invariants.map((input) => place.at(input, across)),
    ];
    const nexts = names.map((name) => inside.take(`${name}_next`));
    const ys = outputs.map((_, i) => inside.take(`y${i}`));
    const initial = futharkTuple(c.initial.map((value) => place.at(value, across)));
    const step = `let ${futharkTuple([...nexts, ...ys])} = ${futharkScalar(c.step, args, inside)}`;
    return (
      `(loop (${futharkTuple(names)}, emitted) = (${initial}, replicate ${n} ${none}) for t < ${n} do ` +
      `${step} in (${futharkTuple(nexts)}, emitted with [t] = ${futharkTuple(ys)}))`
    );
  });
  place.lines.push(`let ${lines} = ${text}`);
  const last = names.map((_, k) =>
    tabulated(without(shape, c.axis), (across) => {
      const whole = `(${index(lines, across)}).0`;
      return carries === 1 ? whole : `(${whole}).${k}`;
    }),
  );
  const stacked = outputs.map((_, k) =>
    tabulated(shape, (point) => {
      const whole = `(${index(lines, without(point, c.axis))}).1[${turned(point[c.axis]!)}]`;
      return outputs.length === 1 ? whole : `(${whole}).${k}`;
    }),
  );
  return [...last, ...stacked];
};
