/** Producer maps taken into what reads them: map g (map f x) = map (g∘f) x, and f in front of an operator or a step. */
import { componentTypes } from '../0-ir/operators.ts';
import type { Construct, ConstructOf, Statement, Value } from '../0-ir/program.ts';
import type { ScalarFunction, ScalarOperand } from '../0-ir/scalar.ts';
import { identityFunction, scalarFunction } from '../0-ir/scalar-builder.ts';
import type { Shape } from '../0-ir/types.ts';

export type MapStatement = Statement & { readonly construct: ConstructOf<'map'> };

/** A construct that computes a function of its inputs over a domain. */
export type Consumer = ConstructOf<
  'map' | 'reduce' | 'scan' | 'segmented-scan' | 'histogram' | 'keyed-scan' | 'recurrence'
>;

export function isConsumer(construct: Construct): construct is Consumer {
  // A history asks before it steps: what both read stays beside it.
  return 'inputs' in construct && 'shape' in construct && construct.kind !== 'history';
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

/**
 * Producers stand in the order of the program and may read each other. `before`: so many parameters in front of those
 * for the inputs; any others come after them.
 */
function compose(
  fn: ScalarFunction,
  inputs: readonly Value[],
  producers: readonly MapStatement[],
  before = 0,
): { function: ScalarFunction; inputs: Value[] } {
  const left = inputsAfter(inputs, producers);
  const around = fn.parameters.map((parameter) => parameter.type);
  const types = [
    ...around.slice(0, before),
    ...left.map((value) => value.type.element),
    ...around.slice(before + inputs.length),
  ];
  const composed = scalarFunction(types, (b, ...parameters) => {
    const known = new Map<number, ScalarOperand>(
      left.map(({ id }, i) => [id, parameters[before + i] as ScalarOperand]),
    );
    const elements = (values: readonly Value[]) => values.map(({ id }) => known.get(id)!);
    for (const { construct, results } of producers) {
      const computed = b.inline(construct.function, elements(construct.inputs));
      results.forEach(({ id }, i) => known.set(id, computed[i]!));
    }
    return b.inline(fn, [
      ...parameters.slice(0, before),
      ...elements(inputs),
      ...parameters.slice(before + left.length),
    ]);
  });
  return { function: composed, inputs: left };
}

/** What is read once the producers have been taken in, each value once. */
function inputsAfter(inputs: readonly Value[], producers: readonly MapStatement[]): Value[] {
  const produced = new Set(producers.flatMap(({ results }) => results.map(({ id }) => id)));
  const left = new Map<number, Value>();
  for (const values of [inputs, ...producers.map(({ construct }) => construct.inputs)])
    for (const value of values) if (!produced.has(value.id)) left.set(value.id, value);
  return [...left.values()];
}
