/**
 * ys = map(f, xs)  ⇒  x̄s = map(VJP^LAM f, xs, ȳs), summed over the axes along which an input was broadcast:
 * a scalar used in a map gets a reduce(+). Equation "rewrite-adj" of the paper at every point.
 */
import { workOf } from '../../1-optimize/work.ts';
import { isReal } from '../activity.ts';
import { sumTo } from '../layout.ts';
import type { VjpRule } from '../rule.ts';
import { guardedVjp } from '../scalar/guarded-vjp.ts';
import { dependence, vjpFunction } from '../scalar/vjp-function.ts';

export const map: VjpRule<'map'> = {
  name: 'map',
  construct: 'map',
  example: `program (%0 xs: real[n], %1 k: real) {
  %2: real[n] = map[n] (x0: real, x1: real) { x2 = x0 * x1; x3 = sin(x2); yield x3 } (%0, %1)
  yield ys = %2
}`,
  matches: () => true,
  cost: ({ function: f, inputs }) => ({
    traffic: 2 * inputs.length + 2,
    operations: 3 * workOf(f),
    passes: 2,
  }),
  cotangents(b, { function: f, inputs, shape }, _, cotangents, wanted, { missing, steep }) {
    const seeded = cotangents.map((cotangent) => cotangent !== undefined);
    const reached = dependence(f, seeded);
    const differentiated = isReal(inputs).map((real, i) => real && Boolean(wanted[i]) && Boolean(reached[i]));
    const adjoints = b.map(
      (missing ? guardedVjp : vjpFunction)(f, seeded, differentiated, steep),
      [...inputs, ...cotangents.filter((cotangent) => cotangent !== undefined)],
      shape,
    );
    let next = 0;
    return inputs.map((input, i) => (differentiated[i] ? sumTo(b, adjoints[next++]!, input.type.shape) : undefined));
  },
};
