/** One fine step in scalar code: (states, t, h, doses, inputs, constants) ↦ (states after it, states at its start). */
import { scalarFunction, type ScalarFunction, type ScalarOperand } from '../../engine/index.ts';
import type { CompiledFormulas } from '../blocks/formulas.ts';
import { portKey } from '../formula/names.ts';
import { expression } from '../objective/expression.ts';
import { equationsOf, type Role } from './equations.ts';
import type { OdeMethod } from './method.ts';

export interface StepLayout {
  readonly states: readonly string[];
  /** Whether each state is dosed. */
  readonly dosed: readonly boolean[];
  readonly inputs: readonly { readonly name: string; readonly linear: boolean }[];
  /** Those of the ports of `compiled` that are the same at every step, in its order. */
  readonly constants: readonly string[];
}

export function stepFunction(compiled: CompiledFormulas, layout: StepLayout, method: OdeMethod): ScalarFunction {
  const { states, dosed, inputs, constants } = layout;
  const keys = compiled.ports.map(portKey);
  const roles = keys.map((key): Role => {
    const name = key.replace(/^name /, '');
    if (constants.includes(key)) return { kind: 'constant', constant: constants.indexOf(key) };
    if (states.includes(name)) return { kind: 'state', state: states.indexOf(name) };
    const input = inputs.findIndex((each) => each.name === name);
    return input < 0 ? { kind: 'time' } : { kind: 'input', input };
  });
  const typeOf = new Map(keys.map((key, i) => [key, compiled.function.parameters[i]?.type ?? 'real'] as const));
  const reals = states.length + 2 + dosed.filter(Boolean).length + inputs.flatMap(widths).length;
  const types = [...new Array<'real'>(reals).fill('real'), ...constants.map((key) => typeOf.get(key) ?? 'real')];
  return scalarFunction(types, (s, ...parameters) => {
    const left: ScalarOperand[] = [...parameters];
    const next = (): ScalarOperand => left.shift() as ScalarOperand;
    const carried = states.map(next);
    const [time, h] = [next(), next()];
    const started = carried.map((x, i) => (dosed[i] ? expression(s).add(x, next()) : x));
    const forcing = inputs.map(({ linear }) => ({ value: next(), slope: linear ? next() : undefined }));
    const equations = equationsOf(s, compiled.function, roles, { time, inputs: forcing, constants: left });
    return [...method.step(s, equations, started, h), ...started];
  });
}

/** An input's value, and its slope where it is linear. */
function widths({ linear }: { readonly linear: boolean }): number[] {
  return linear ? [1, 1] : [1];
}
