/** Producer maps taken into what reads them: map g (map f x) = map (g∘f) x, and f in front of an operator or a step. */
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

export function absorb(c: Consumer, producers: readonly MapStatement[]): Consumer & { readonly shape: Shape } {
  switch (c.kind) {
    case 'map':
      return { ...c, ...compose(c.function, c.inputs, producers) };
    case 'recurrence': {
      const fixed = c.initial.length;
      const { function: step, inputs } = compose(c.step, c.inputs, producers, fixed);
      return { ...c, step, inputs };
    }
    default: {
      const given = c.prologue ?? identityFunction(componentTypes(c.operator));
      const { function: prologue, inputs } = compose(given, c.inputs, producers);
      return { ...c, prologue, inputs };
    }
  }
}

/** `before`: so many parameters in front of those for the inputs; any others come after them. */
function compose(
  fn: ScalarFunction,
  inputs: readonly Value[],
  producers: readonly MapStatement[],
  before = 0,
): { function: ScalarFunction; inputs: Value[] } {
  const produced = new Map(
    producers.flatMap(({ results }, producer) => results.map(({ id }, result) => [id, { producer, result }])),
  );
  const kept = inputs.filter((input) => !produced.has(input.id));
  const read = producers.flatMap(({ construct }) => construct.inputs);
  const around = fn.parameters.map((parameter) => parameter.type);
  const types = [
    ...around.slice(0, before),
    ...[...kept, ...read].map((value) => value.type.element),
    ...around.slice(before + inputs.length),
  ];
  const composed = scalarFunction(types, (b, ...parameters) => {
    let at = before + kept.length;
    const values = producers.map(({ construct }) =>
      b.inline(construct.function, parameters.slice(at, (at += construct.inputs.length))),
    );
    let next = before;
    const elements = inputs.map((input): ScalarOperand => {
      const made = produced.get(input.id);
      return (made ? values[made.producer]?.[made.result] : parameters[next++]) as ScalarOperand;
    });
    return b.inline(fn, [...parameters.slice(0, before), ...elements, ...parameters.slice(at)]);
  });
  return { function: composed, inputs: [...kept, ...read] };
}
