import type { MapConstruct } from '../../0-ir/program.ts';
import { resultTypes, type ScalarFunction } from '../../0-ir/scalar.ts';
import { sizesOfShape, type Context } from './context.ts';
import { broadcastTo, elementCount, newValue, type HostValue } from './host-value.ts';
import { compileScalar } from './scalar/compile.ts';

/** results[k][point] = function(inputs[…][point])[k] */
export function interpretMap(c: MapConstruct, context: Context): HostValue[] {
  return mapOver(c.function, c.inputs.map(context.value), sizesOfShape(context, c.shape));
}

/** A function applied at every point of a domain. */
export function mapOver(fn: ScalarFunction, inputs: readonly HostValue[], shape: readonly number[]): HostValue[] {
  const apply = compileScalar(fn);
  const stretched = inputs.map((input) => broadcastTo(input, shape));
  const results = resultTypes(fn).map((element) => newValue(element, shape));
  for (let position = 0; position < elementCount(shape); position++) {
    const at = apply(stretched.map((input) => input.values[position]!));
    results.forEach((result, k) => (result.values[position] = at[k]!));
  }
  return results;
}
