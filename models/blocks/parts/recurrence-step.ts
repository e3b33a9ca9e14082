/** The step of a recurrence as the IR has it, and the values that it is given. */
import {
  type ElementType,
  scalarFunction,
  type ScalarFunction,
  type ScalarOperand,
  type Value,
} from '../../../engine/index.ts';
import { portKey, type Port } from '../../formula/names.ts';
import type { CompiledFormulas } from './formulas.ts';
import type { AxisSize, LowerContext } from '../kind.ts';

/** (states, inputs, invariants) ↦ (new states, new states): carried on, and emitted. */
export function stepFunction(
  compiled: CompiledFormulas,
  states: readonly string[],
  elements: readonly ElementType[],
  inputs: readonly Port[],
  invariants: readonly Port[],
): ScalarFunction {
  const order = [...states.map((name): Port => ({ kind: 'name', name })), ...inputs, ...invariants].map(portKey);
  const typeOf = new Map(compiled.ports.map((port, i) => [portKey(port), compiled.function.parameters[i]?.type]));
  const types = order.map((key, i) => (i < states.length ? elements[i] : typeOf.get(key))!);
  return scalarFunction(types, (s, ...parameters) => {
    const operands = compiled.ports.map((port) => parameters[order.indexOf(portKey(port))] as ScalarOperand);
    const next = s.inline(compiled.function, operands);
    return [...next, ...next];
  });
}

/** [T, …] over the domain [T, batch…]: axes that the input lacks go between. */
export function steppedValue(context: LowerContext, port: Port, steps: AxisSize, batchRank: number): Value {
  const b = context.builder;
  const value = port.kind === 'name' ? context.input(port.name) : b.iota(context.size(steps));
  const [first, ...rest] = value.type.shape;
  const missing = new Array<number>(batchRank - rest.length).fill(1);
  return b.reshape(value, [first!, ...missing, ...rest]);
}

export function invariantValue(context: LowerContext, port: Port, steps: AxisSize): Value {
  if (port.kind === 'name') return context.input(port.name);
  return context.extent(port.kind === 'length' ? context.output(port.name).sizes[0]! : steps);
}
