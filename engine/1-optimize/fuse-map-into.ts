/** A producer map taken into what reads it: map g (map f x) = map (g∘f) x, and f in front of an operator or a step. */
import { componentTypes } from '../0-ir/operators.ts';
import type { Construct, ConstructOf, Statement, Value } from '../0-ir/program.ts';
import type { ScalarFunction, ScalarOperand } from '../0-ir/scalar.ts';
import { identityFunction, scalarFunction } from '../0-ir/scalar-builder.ts';
import type { Shape } from '../0-ir/types.ts';

export type MapStatement = Statement & { readonly construct: ConstructOf<'map'> };

/** A construct that computes a function of its inputs over a domain. */
export type Consumer = ConstructOf<'map' | 'reduce' | 'scan' | 'segmented-scan' | 'histogram' | 'recurrence'>;

export function isConsumer(construct: Construct): construct is Consumer {
  return 'inputs' in construct && 'shape' in construct;
}

export function absorb(c: Consumer, producer: MapStatement): Consumer & { readonly shape: Shape } {
  switch (c.kind) {
    case 'map':
      return { ...c, ...compose(c.function, c.inputs, producer) };
    case 'recurrence': {
      const fixed = c.initial.length;
      const { function: step, inputs } = compose(c.step, c.inputs, producer, fixed);
      return { ...c, step, inputs };
    }
    default: {
      const given = c.prologue ?? identityFunction(componentTypes(c.operator));
      const { function: prologue, inputs } = compose(given, c.inputs, producer);
      return { ...c, prologue, inputs };
    }
  }
}

/** `before`: so many parameters in front of those for the inputs; any others come after them. */
function compose(
  fn: ScalarFunction,
  inputs: readonly Value[],
  producer: MapStatement,
  before = 0,
): { function: ScalarFunction; inputs: Value[] } {
  const { construct, results } = producer;
  const produced = inputs.map((input) => results.findIndex((result) => result.id === input.id));
  const kept = inputs.filter((_, i) => (produced[i] as number) < 0);
  const types = (values: readonly Value[]) => values.map((value) => value.type.element);
  const around = fn.parameters.map((parameter) => parameter.type);
  const after = around.slice(before + inputs.length);
  const composed = scalarFunction(
    [...around.slice(0, before), ...types(kept), ...types(construct.inputs), ...after],
    (b, ...parameters) => {
      const firstRead = before + kept.length;
      const firstAfter = firstRead + construct.inputs.length;
      const values = b.inline(construct.function, parameters.slice(firstRead, firstAfter));
      let next = before;
      const read = produced.map((k): ScalarOperand => (k < 0 ? parameters[next++] : values[k]) as ScalarOperand);
      return b.inline(fn, [...parameters.slice(0, before), ...read, ...parameters.slice(firstAfter)]);
    },
  );
  return { function: composed, inputs: [...kept, ...construct.inputs] };
}
