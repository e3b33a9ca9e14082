/** An ode block as documents write it. */
import * as v from 'valibot';
import { common, count, formula, named, oneOf, ref, refOrNumber, strict } from '../format/fields.ts';

export const odeSchema = strict({
  kind: v.literal('ode'),
  ...common,
  state: named(strict({ initial: refOrNumber, rate: formula }), 'states by name'),
  times: ref,
  from: v.exactOptional(refOrNumber),
  inputs: v.exactOptional(
    named(
      strict({ times: ref, values: ref, interpolation: v.exactOptional(oneOf(['step', 'linear'])) }),
      'inputs over time by name',
    ),
  ),
  events: v.exactOptional(
    v.array(strict({ times: refOrNumber, state: v.string('a state'), add: refOrNumber }), 'a list of events'),
  ),
  method: v.exactOptional(oneOf(['rk4', 'rosenbrock'])),
  substeps: v.exactOptional(v.pipe(count('a whole number, 1 or more'), v.minValue(1, 'a whole number, 1 or more'))),
});

export type OdeBlock = v.InferOutput<typeof odeSchema>;
export type OdeEvent = NonNullable<OdeBlock['events']>[number];

/** Steps of the solver between two knots. */
export const usualSubsteps = 16;

export function substepsOf(block: OdeBlock): number {
  return block.substeps ?? usualSubsteps;
}

export function stateNames(block: OdeBlock): string[] {
  return Object.keys(block.state);
}

export function inputNames(block: OdeBlock): string[] {
  return Object.keys(block.inputs ?? {});
}
