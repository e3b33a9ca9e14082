import type { RecurrenceConstruct } from '../../0-ir/program.ts';
import { resultTypes } from '../../0-ir/scalar.ts';
import { store, tupleAt, type Tuple } from './combine.ts';
import { sizesOfShape, type Context } from './context.ts';
import { broadcastTo, linesAlong, newValue, type HostValue } from './host-value.ts';
import { compileScalar } from './scalar/compile.ts';

/** (carriesₜ, outputsₜ) = step(carriesₜ₋₁, inputsₜ, invariants) along the axis; the last carries, then all outputs. */
export function interpretRecurrence(c: RecurrenceConstruct, context: Context): HostValue[] {
  const shape = sizesOfShape(context, c.shape);
  const shapeAcross = shape.filter((_, axis) => axis !== c.axis);
  const stretch = (to: readonly number[]) => (value: (typeof c.inputs)[number]) =>
    broadcastTo(context.value(value), to);
  const initial = c.initial.map(stretch(shapeAcross));
  const invariants = c.invariants.map(stretch(shapeAcross));
  const inputs = c.inputs.map(stretch(shape));
  const step = compileScalar(c.step);
  const d = initial.length;
  const results = resultTypes(c.step).map((element, k) => newValue(element, k < d ? shapeAcross : shape));
  for (const { across, positions } of linesAlong(shape, c.axis, c.reverse)) {
    const fixed = tupleAt(invariants, across);
    let carries: Tuple = tupleAt(initial, across);
    for (const position of positions) {
      const next = step([...carries, ...tupleAt(inputs, position), ...fixed]);
      carries = next.slice(0, d);
      store(results.slice(d), position, next.slice(d));
    }
    store(results.slice(0, d), across, carries);
  }
  return results;
}
