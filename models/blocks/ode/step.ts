/** One fine step in scalar code: (states, t, h, doses, inputs, constants) ↦ (states after it, states at its start). */
import { scalarFunction, type ElementType, type ScalarFunction, type ScalarOperand } from '../../../engine/index.ts';
import type { CompiledFormulas } from '../parts/formulas.ts';
import { portKey } from '../../formula/names.ts';
import { expression } from '../../objective/expression.ts';
import type { Role } from './methods/role.ts';
import { equationsOf, type StepValues } from './methods/equations.ts';
import type { OdeMethod } from './methods/method.ts';

export interface StepLayout {
  readonly states: readonly string[];
  /** Whether each state may have no value to begin with. */
  readonly open: readonly boolean[];
  /** Whether each state is dosed. */
  readonly dosed: readonly boolean[];
  readonly inputs: readonly { readonly name: string; readonly linear: boolean }[];
  /** Names of states of the past. */
  readonly past?: readonly string[];
  /** Whether times move with a parameter: knots that fall together then move apart. */
  readonly moves: boolean;
  /** Those of the ports of `compiled` that are the same at every step, in its order. */
  readonly constants: readonly string[];
}

export function stepFunction(compiled: CompiledFormulas, layout: StepLayout, method: OdeMethod): ScalarFunction {
  const { states, dosed } = layout;
  const roles = rolesOf(compiled, layout);
  const reals = states.length + 2 + dosed.filter(Boolean).length + forcingWidth(layout);
  return scalarFunction(stepTypes(compiled, layout, reals), (s, ...parameters) => {
    const left: ScalarOperand[] = [...parameters];
    const next = (): ScalarOperand => left.shift()!;
    const carried = states.map(next);
    const [time, h] = [next(), next()];
    const started = carried.map((x, i) => (dosed[i] ? expression(s).add(x, next()) : x));
    const inputs = forcingOf(layout, next);
    const equations = equationsOf(s, compiled.function, roles, { time, inputs, constants: left });
    return [...method.step(s, equations, started, h), ...started];
  });
}

/** What each parameter of the rates' function stands for. */
export function rolesOf(
  compiled: CompiledFormulas,
  { states, inputs, constants, past = [] }: Pick<StepLayout, 'states' | 'inputs' | 'constants' | 'past'>,
): Role[] {
  return compiled.ports.map(portKey).map((key): Role => {
    const name = key.replace(/^name /, '');
    if (constants.includes(key)) return { kind: 'constant', constant: constants.indexOf(key) };
    if (states.includes(name)) return { kind: 'state', state: states.indexOf(name) };
    if (past.includes(name)) return { kind: 'past', past: past.indexOf(name) };
    const input = inputs.findIndex((each) => each.name === name);
    return input < 0 ? { kind: 'time' } : { kind: 'input', input };
  });
}

/** So many reals, then the constants. */
export function stepTypes(compiled: CompiledFormulas, { constants }: StepLayout, reals: number): ElementType[] {
  const typeOf = new Map(
    compiled.ports.map((port, i) => [portKey(port), compiled.function.parameters[i]?.type ?? 'real'] as const),
  );
  return [...new Array<'real'>(reals).fill('real'), ...constants.map((key) => typeOf.get(key) ?? 'real')];
}

/** An input is its value, and its slope where it is linear. */
export function forcingWidth({ inputs }: StepLayout): number {
  return inputs.reduce((width, { linear }) => width + (linear ? 2 : 1), 0);
}

export function forcingOf({ inputs }: StepLayout, next: () => ScalarOperand): StepValues['inputs'] {
  return inputs.map(({ linear }) => ({ value: next(), slope: linear ? next() : undefined }));
}
