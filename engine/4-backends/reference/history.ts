import type { HistoryConstruct } from '../../0-ir/program.ts';
import { placesOf } from '../../0-ir/infer.ts';
import { resultTypes } from '../../0-ir/scalar.ts';
import { store, tupleAt, type Tuple } from './combine.ts';
import { sizesOfShape, type Context } from './context.ts';
import { broadcastTo, linesAlong, newValue, type HostValue } from './host-value.ts';
import { compileScalar } from './scalar/compile.ts';

/** Steps that read rows of earlier ones, or backward steps that leave something in them. */
export function interpretHistory(c: HistoryConstruct, context: Context): HostValue[] {
  const shape = sizesOfShape(context, c.shape);
  const shapeAcross = shape.filter((_, axis) => axis !== c.axis);
  const stretch = (to: readonly number[]) => (value: (typeof c.inputs)[number]) =>
    broadcastTo(context.value(value), to);
  const initial = c.initial.map(stretch(shapeAcross));
  const invariants = c.invariants.map(stretch(shapeAcross));
  const [inputs, places] = [c.inputs.map(stretch(shape)), c.places.map(stretch(shape))];
  const step = compileScalar(c.step);
  const asked = c.asked && compileScalar(c.asked);
  const count = placesOf(c);
  const written = c.backward ? count * c.columns : c.columns;
  const types = resultTypes(c.step);
  const carried = initial.length;
  const finals = types.slice(0, carried).map((element) => newValue(element, shapeAcross));
  const outputs = types.slice(carried, types.length - written).map((element) => newValue(element, shape));
  const rows = Array.from({ length: c.columns }, () => newValue('real', shape));
  const found = Array.from({ length: asked ? count : 0 }, () => newValue('int', shape));
  const none: Tuple = rows.map(() => 0);

  for (const { across, positions } of linesAlong(shape, c.axis)) {
    const fixed = tupleAt(invariants, across);
    let carries: Tuple = tupleAt(initial, across);
    const lastBefore = (wanted: number, t: number): number => {
      let place = t - 1;
      while (place >= 0 && !((rows[0]?.values[positions[place]!] ?? NaN) <= wanted)) place--;
      return place;
    };
    for (let s = 0; s < positions.length; s++) {
      const t = c.backward ? positions.length - 1 - s : s;
      const position = positions[t]!;
      const given = tupleAt(inputs, position);
      const at = asked
        ? asked([...carries, ...given, ...fixed]).map((wanted) => lastBefore(wanted, t))
        : tupleAt(places, position);
      store(found, position, at);
      const there = at.map((place) => (place >= 0 && place < t ? positions[place]! : undefined));
      const read = c.backward
        ? tupleAt(rows, position)
        : there.flatMap((row) => (row === undefined ? none : tupleAt(rows, row)));
      const next = step([...carries, ...given, ...read, ...fixed]);
      carries = next.slice(0, carried);
      store(outputs, position, next.slice(carried, next.length - written));
      const left = next.slice(next.length - written);
      if (!c.backward) store(rows, position, left);
      else
        there.forEach((row, q) => {
          if (row === undefined) return;
          const own = left.slice(q * c.columns, (q + 1) * c.columns);
          store(
            rows,
            row,
            tupleAt(rows, row).map((value, k) => value + own[k]!),
          );
        });
    }
    store(finals, across, carries);
  }
  return [...finals, ...outputs, ...rows, ...found];
}
