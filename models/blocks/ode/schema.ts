/** An ode block as documents write it. */
import * as v from 'valibot';
import {
  common,
  positiveCount,
  formula,
  identifier,
  isRecord,
  named,
  number,
  oneOf,
  ref,
  refOrNumber,
  strict,
  truth,
} from '../../notation/fields.ts';

const dose = strict({ times: refOrNumber, state: v.string('a state'), add: refOrNumber });

const formulaOrNumber = v.union([number, formula], 'a formula or a number');

const trigger = strict({
  when: formula,
  set: named(formulaOrNumber, 'formulas by state'),
  delay: v.exactOptional(formulaOrNumber),
  priority: v.exactOptional(formulaOrNumber),
  persistent: v.exactOptional(truth),
  initial: v.exactOptional(truth),
  values: v.exactOptional(oneOf(['trigger', 'execution'])),
  scaled: v.exactOptional(named(formulaOrNumber, 'formulas by state')),
});

export const odeSchema = strict({
  kind: v.literal('ode'),
  ...common,
  state: named(
    strict({
      initial: refOrNumber,
      rate: v.exactOptional(formula),
      per: v.exactOptional(formula),
      history: v.exactOptional(formula),
    }),
    'states by name',
  ),
  reactions: v.exactOptional(
    v.array(
      strict({ name: v.exactOptional(identifier), reaction: v.string('a reaction, as A + 2 B -> C'), rate: formula }),
      'a list of reactions',
    ),
  ),
  formulas: v.exactOptional(named(formula, 'formulas by name')),
  times: ref,
  from: v.exactOptional(refOrNumber),
  inputs: v.exactOptional(
    named(
      strict({ times: ref, values: ref, interpolation: v.exactOptional(oneOf(['step', 'linear'])) }),
      'inputs over time by name',
    ),
  ),
  events: v.exactOptional(
    v.array(
      v.lazy((event) => (isRecord(event) && Object.hasOwn(event, 'when') ? trigger : dose)),
      'a list of events',
    ),
  ),
  method: v.exactOptional(oneOf(['auto', 'explicit', 'stiff', 'rk4', 'rosenbrock'])),
  tolerance: v.exactOptional(strict({ relative: v.exactOptional(number), absolute: v.exactOptional(number) })),
  substeps: v.exactOptional(positiveCount),
});

export type OdeBlock = v.InferOutput<typeof odeSchema>;
export type OdeDose = v.InferOutput<typeof dose>;
export type OdeTrigger = v.InferOutput<typeof trigger>;

/** Of the events those that add at given times, and those that happen where a condition becomes true. */
export function dosesIn(block: OdeBlock): { readonly event: OdeDose; readonly index: number }[] {
  return (block.events ?? []).flatMap((event, index) => ('when' in event ? [] : [{ event, index }]));
}

export function triggersOf(block: OdeBlock): { readonly event: OdeTrigger; readonly index: number }[] {
  return (block.events ?? []).flatMap((event, index) => ('when' in event ? [{ event, index }] : []));
}

/** Whether its steps are found as they are taken: unless the document says how many, or names a method of fixed ones. */
export function isAdaptive({ method, substeps }: OdeBlock): boolean {
  return substeps === undefined && method !== 'rk4' && method !== 'rosenbrock';
}

/** Steps of the solver between two knots, where they are fixed. */
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

export function reactionsOf(block: OdeBlock): NonNullable<OdeBlock['reactions']> {
  return block.reactions ?? [];
}
