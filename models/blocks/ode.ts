/** dx/dt = rate(x, time), given at `times`. */
import * as v from 'valibot';
import { common, count, formula, named, oneOf, ref, refOrNumber, strict } from '../format/fields.ts';
import { isDocumentNumber } from '../format/numbers.ts';
import { argumentWires } from './arguments.ts';
import { formulaWires } from './formulas.ts';
import { blockKind, type Wire } from './kind.ts';
import { notYet } from './later.ts';

const schema = strict({
  kind: v.literal('ode'),
  ...common,
  state: named(strict({ initial: refOrNumber, rate: formula }), 'states by name'),
  times: ref,
  from: v.exactOptional(refOrNumber),
  inputs: v.exactOptional(
    named(
      strict({ times: ref, values: ref, interpolation: v.exactOptional(oneOf(['step', 'linear'])) }),
      'inputs over time by name',
    ),
  ),
  events: v.exactOptional(
    v.array(strict({ times: refOrNumber, state: v.string('a state'), add: refOrNumber }), 'a list of events'),
  ),
  method: v.exactOptional(oneOf(['rk4', 'rosenbrock'])),
  substeps: v.exactOptional(count('a whole number, 1 or more')),
});

export type OdeBlock = v.InferOutput<typeof schema>;

export const ode = blockKind<OdeBlock, undefined>({
  kind: 'ode',
  summary: 'Differential equations, solved at given times.',
  group: 'combine',
  schema,

  wires(block) {
    const states = Object.entries(block.state);
    const inputs = Object.entries(block.inputs ?? {});
    const own = new Set(['time', ...states.map(([name]) => name), ...inputs.map(([name]) => name)]);
    const wire = (port: string, source: string | number): Wire[] =>
      typeof source === 'string' && !isDocumentNumber(source) ? [{ port, ref: source }] : [];
    return [
      { port: 'times', ref: block.times },
      ...argumentWires(block, ['from']),
      ...inputs.flatMap(([name, input]) => [
        ...wire(`${name}.times`, input.times),
        ...wire(`${name}.values`, input.values),
      ]),
      ...formulaWires(
        states.map(([name, { rate }]) => [name, rate] as const),
        {},
        own,
      ),
      ...states.flatMap(([name, { initial }]) => wire(`${name}.initial`, initial)),
      ...(block.events ?? []).flatMap((event, i) => [
        ...wire(`events.${i}.times`, event.times),
        ...wire(`events.${i}.add`, event.add),
      ]),
    ];
  },

  infer: (_, context) => notYet(context, 'ode'),
  lower: () => [],
});
