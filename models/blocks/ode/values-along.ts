/** What an ode block names along its solution, at the times that were asked for. */
import type { Value } from '../../../engine/index.ts';
import { asReal } from '../parts/convert.ts';
import type { LowerContext } from '../kind.ts';
import { invariantValue } from '../parts/recurrence-step.ts';
import { portKey } from '../../formula/names.ts';
import { delaysIn } from './delays.ts';
import { forcingAt, forcingBefore } from './forcing.ts';
import { lagValues } from './past-values.ts';
import type { OdeDetail } from './infer.ts';
import { constantPorts } from './named.ts';
import { overTimed } from './knots.ts';
import { stateNames, type OdeBlock } from './schema.ts';

/** `states` as they are given, [n, …batch]; one value of that shape for each named formula and reaction. */
export function valuesAlong(
  block: OdeBlock,
  { system, batch, knots, compiled }: OdeDetail,
  context: LowerContext,
  states: readonly Value[],
  past: readonly Value[],
): Value[] {
  const { values, valueNames } = system;
  if (valueNames.length === 0) return [];
  const b = context.builder;
  const times = overTimed(b, asReal(b, context.input('times')), context.shape(batch));
  const names = stateNames(block);
  const constants = new Map(constantPorts(block, compiled).map((port) => [portKey(port), port]));
  const operands = values.ports.map((port) => {
    const constant = constants.get(portKey(port));
    if (constant) return invariantValue(context, constant, knots);
    const name = port.kind === 'name' ? port.name : '';
    if (names.includes(name)) return states[names.indexOf(name)]!;
    const { states: pasts, inputs } = delaysIn(block);
    const before = pasts.findIndex((each) => each.name === name);
    if (before >= 0) return past[before]!;
    if (name === 'time') return times;
    const delayed = inputs.find((each) => each.name === name);
    if (delayed) {
      const lag = lagValues(context, system.lags)[delayed.lag]!;
      const { interpolation = 'step' } = block.inputs?.[delayed.of] ?? {};
      return overTimed(b, forcingBefore(context, delayed.of, interpolation, times, lag).value, context.shape(batch));
    }
    const { interpolation = 'step' } = block.inputs?.[name] ?? {};
    return overTimed(b, forcingAt(context, name, interpolation, times).value, context.shape(batch));
  });
  return b.map(values.function, operands, states[0]!.type.shape);
}
