/** dx/dt = rate(x, time), given at `times`; see models/ode. */
import { isDocumentNumber } from '../format/numbers.ts';
import { inferOde, type OdeDetail } from '../ode/infer.ts';
import { lowerAdaptive } from '../ode/adaptive.ts';
import { lowerFixed } from '../ode/lower.ts';
import { rateFormulas } from '../ode/reactions.ts';
import { stepDoubling } from '../ode/step-doubling.ts';
import { toleranceOf } from '../ode/tolerance.ts';
import { inputNames, isAdaptive, odeSchema, stateNames, substepsOf, type OdeBlock } from '../ode/schema.ts';
import { argumentWires } from './parts/arguments.ts';
import { formulaWires } from './parts/formulas.ts';
import { blockKind, type Output, type Wire } from './kind.ts';
import { initialPort, namesFit } from './parts/states.ts';

export const ode = blockKind<OdeBlock, OdeDetail>({
  kind: 'ode',
  summary: 'Differential equations, solved at given times.',
  group: 'combine',
  schema: odeSchema,

  wires(block) {
    const states = Object.entries(block.state);
    const inputs = Object.entries(block.inputs ?? {});
    const own = new Set(['time', ...stateNames(block), ...inputNames(block)]);
    const wire = (port: string, source: string | number): Wire[] =>
      typeof source === 'string' && !isDocumentNumber(source) ? [{ port, ref: source }] : [];
    return [
      { port: 'times', ref: block.times },
      ...argumentWires(block, ['from']),
      ...inputs.flatMap(([name, input]) => [
        ...wire(`${name}.times`, input.times),
        ...wire(`${name}.values`, input.values),
      ]),
      ...formulaWires(rateFormulas(block), {}, own),
      ...states.flatMap(([name, { initial }]) => wire(initialPort(name), initial)),
      ...(block.events ?? []).flatMap((event, i) => [
        ...wire(`events.${i}.times`, event.times),
        ...wire(`events.${i}.add`, event.add),
      ]),
    ];
  },

  infer(block, context) {
    if (!namesFit(context, stateNames(block), inputNames(block), ['time'])) return undefined;
    const detail = inferOde(block, context);
    if (!detail) return undefined;
    const { times, batch, computed } = detail;
    const sizes = [times, ...batch];
    const outputs = stateNames(block).map((name): Output => ({ name, element: 'real', sizes, computed }));
    return { outputs, detail };
  },

  lower: (block, detail, context) =>
    isAdaptive(block)
      ? lowerAdaptive(block, detail, context, toleranceOf(block))
      : lowerFixed(block, detail, context, substepsOf(block)),

  solverError: stepDoubling,
});
