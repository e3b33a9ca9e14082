/** dx/dt = rate(x, time), given at `times`; see models/blocks/ode/. */
import { isDocumentNumber } from '../notation/numbers.ts';
import { inferOde, type OdeDetail } from './ode/infer.ts';
import { writtenOut } from './ode/delays.ts';
import { lowerAdaptive } from './ode/adaptive.ts';
import { lowerFixed } from './ode/lower.ts';
import { blockFormulas, namedFormulas, ownNames } from './ode/named.ts';
import { steadyError } from './ode/steady-error.ts';
import { steadyStates, untilLate } from './ode/steady.ts';
import { stepDoubling } from './ode/step-doubling.ts';
import { toleranceOf } from './ode/slots/tolerance.ts';
import { valuesAlong } from './ode/values-along.ts';
import { triggerFormulas } from './ode/triggers.ts';
import { dosesIn, inputNames, isAdaptive, odeSchema, stateNames, substepsOf, type OdeBlock } from './ode/schema.ts';
import { argumentWires } from './parts/arguments.ts';
import { formulaWires } from './parts/formulas.ts';
import { blockKind, type Output, type Wire } from './kind.ts';
import { initialPort, namesFit } from './parts/states.ts';

export const ode = blockKind<OdeBlock, OdeDetail>({
  kind: 'ode',
  schema: odeSchema,

  wires(block) {
    const states = Object.entries(block.state);
    const inputs = Object.entries(block.inputs ?? {});
    const named = namedFormulas(block).map(({ output }) => output);
    const own = new Set([...ownNames(block), ...named]);
    const formulas = [...blockFormulas(block), ...triggerFormulas(block)].map(
      ({ output, text }) => [output, text] as const,
    );
    const wire = (port: string, source: string | number): Wire[] =>
      typeof source === 'string' && !isDocumentNumber(source) ? [{ port, ref: source }] : [];
    return [
      { port: 'times', ref: block.times },
      ...argumentWires(block, ['from']),
      ...inputs.flatMap(([name, input]) => [
        ...wire(`${name}.times`, input.times),
        ...wire(`${name}.values`, input.values),
      ]),
      ...formulaWires(formulas, {}, own),
      ...states.flatMap(([name, { initial }]) => wire(initialPort(name), initial)),
      ...dosesIn(block).flatMap(({ event, index }) => [
        ...wire(`events.${index}.times`, event.times),
        ...wire(`events.${index}.add`, event.add),
      ]),
    ];
  },

  infer(given, context) {
    const block = writtenOut(given);
    const named = namedFormulas(block).map(({ output }) => output);
    if (!namesFit(context, [...stateNames(block), ...named], inputNames(block), ['time'])) return undefined;
    const detail = inferOde(block, context);
    if (!detail) return undefined;
    const { times, batch, computed } = detail;
    const sizes = [times, ...batch];
    const names = [...stateNames(block), ...detail.system.valueNames];
    const outputs = names.map((name): Output => ({ name, element: 'real', sizes, computed }));
    return { outputs, detail };
  },

  lower(given, detail, context) {
    const block = writtenOut(given);
    if (!isAdaptive(block)) {
      const states = lowerFixed(block, detail, context, substepsOf(block));
      return [...states, ...valuesAlong(block, detail, context, states, [])];
    }
    const until = detail.steady ? untilLate(context) : context;
    const { states: solution, past } = lowerAdaptive(block, detail, until, toleranceOf(block));
    const states = detail.steady ? steadyStates(block, detail, context, solution).states : solution;
    return [...states, ...valuesAlong(block, detail, until, states, past)];
  },

  solverError(given, detail, context) {
    const block = writtenOut(given);
    return detail.steady ? steadyError(block, detail, context) : stepDoubling(block, detail, context);
  },
});
