/** xₜ = f(xₜ₋₁, uₜ): what has no associative operator. All states step together, from the old values. */
import * as v from 'valibot';
import type { ElementType } from '../../engine/index.ts';
import { common, count, formula, named, oneOf, ref, refOrNumber, strict } from '../notation/fields.ts';
import { isDocumentNumber, toNumber } from '../notation/numbers.ts';
import type { Port } from '../formula/names.ts';
import { asElement } from './parts/convert.ts';
import { compile, formulaWires, isWhole, type CompiledFormulas } from './parts/formulas.ts';
import { invariantValue, stepFunction, steppedValue } from './parts/recurrence-step.ts';
import { blockKind, type AxisSize, type InferContext, type Output, type Sizes, type Wire } from './kind.ts';
import { disagreement } from './parts/disagreement.ts';
import { initialPort, lengthsFit, namesFit, startingNumber } from './parts/states.ts';
import { broadcastSizes, literalSize, printOutput } from './parts/sizes.ts';

const schema = strict({
  kind: v.literal('recurrence'),
  ...common,
  state: named(strict({ initial: refOrNumber, next: formula }), 'states by name'),
  inputs: v.exactOptional(named(ref, 'references by port')),
  steps: v.exactOptional(count()),
  emit: v.exactOptional(oneOf(['trajectory', 'final'])),
});

export type RecurrenceBlock = v.InferOutput<typeof schema>;

interface Detail {
  readonly compiled: CompiledFormulas;
  readonly elements: readonly ElementType[];
  readonly steps: AxisSize;
  readonly batch: Sizes;
}

export const recurrence = blockKind<RecurrenceBlock, Detail>({
  kind: 'recurrence',
  schema,

  wires(block) {
    const inputs = Object.entries(block.inputs ?? {}).map(([port, source]): Wire => ({ port, ref: source }));
    const own = new Set([...Object.keys(block.state), ...inputs.map((wire) => wire.port)]);
    const initial = Object.entries(block.state).flatMap(([name, state]) =>
      isDocumentNumber(state.initial) ? [] : [{ port: initialPort(name), ref: state.initial }],
    );
    return [...inputs, ...formulaWires(formulasOf(block), {}, own), ...initial];
  },

  infer(block, context) {
    const states = Object.entries(block.state);
    const inputNames = Object.keys(block.inputs ?? {});
    if (
      !namesFit(
        context,
        states.map(([name]) => name),
        inputNames,
      )
    )
      return undefined;
    const initial = states.map(([name, state]) =>
      isDocumentNumber(state.initial) ? startingNumber : context.input(initialPort(name)),
    );
    const stepped = context.inputs(inputNames);
    if (!stepped || initial.includes(undefined)) return undefined;
    const scalar = stepped.findIndex((input) => input.sizes.length === 0);
    if (scalar >= 0)
      return context.fail(
        `"inputs" are stepped along axis 0, and "${inputNames[scalar]}" is ${printOutput(stepped[scalar]!)}`,
        {
          port: inputNames[scalar],
          wanted: 'an array',
          got: 'a scalar',
          fix: 'take it out of "inputs": any other name is the same at every step',
        },
      );

    const elements = initial.map((value) => value!.element);
    const typeOf = (name: string): ElementType | undefined => {
      const state = states.findIndex(([own]) => own === name);
      return state >= 0 ? elements[state] : context.input(name)?.element;
    };
    // A state that begins as an int stays one only if every step keeps it so.
    for (let changed = true; changed;) {
      const real = states.findIndex(([, state], i) => elements[i] === 'int' && !isWhole(state.next, typeOf));
      changed = real >= 0;
      if (changed) elements[real] = 'real';
    }
    const compiled = compile(
      context,
      states.map(([output, { next }], i) => ({ output, text: next, want: elements[i]! })),
      typeOf,
    );
    if (!compiled) return undefined;

    const own = new Set([...states.map(([name]) => name), ...inputNames]);
    const free = [
      ...new Set(compiled.ports.flatMap((port) => (port.kind === 'name' && !own.has(port.name) ? [port.name] : []))),
    ];
    const invariants = context.inputs(free);
    if (!invariants || !lengthsFit(context, compiled.ports)) return undefined;
    const steps = stepsOf(context, block, inputNames, stepped);
    if (!steps) return undefined;
    const batches = [
      ...(initial as Output[]).map((value, i) => [`${states[i]?.[0]}.initial`, value] as const),
      ...stepped.map((value, i) => [inputNames[i]!, { ...value, sizes: value.sizes.slice(1) }] as const),
      ...invariants.map((value, i) => [free[i]!, value] as const),
    ];
    const batch = broadcastSizes(batches.map(([, value]) => value.sizes));
    if (!batch)
      return context.fail(
        ...disagreement(
          batches.map(([name]) => name),
          batches.map(([, value]) => value),
        ),
      );
    if (batch.length > 2 && block.emit !== 'final')
      return context.fail(`its trajectory would be of rank ${batch.length + 1}, and 3 is the highest`, {
        fix: 'say "emit": "final"',
      });
    const sizes = block.emit === 'final' ? batch : [steps, ...batch];
    const computed = batches.some(([, value]) => value.computed);
    const outputs = states.map(([name], i): Output => ({ name, element: elements[i]!, sizes, computed }));
    return { outputs, detail: { compiled, elements, steps, batch } };
  },

  lower(block, { compiled, elements, steps, batch }, context) {
    const b = context.builder;
    const states = Object.entries(block.state);
    const initial = states.map(([name, state], i) => {
      const element = elements[i]!;
      const given = isDocumentNumber(state.initial)
        ? b.literal(toNumber(state.initial), element)
        : context.input(initialPort(name));
      return asElement(b, given, element);
    });
    const isInput = (port: Port): boolean =>
      port.kind === 'index' || (port.kind === 'name' && Object.hasOwn(block.inputs ?? {}, port.name));
    const isState = (port: Port): boolean => port.kind === 'name' && Object.hasOwn(block.state, port.name);
    const inputs = compiled.ports.filter(isInput);
    const invariants = compiled.ports.filter((port) => !isInput(port) && !isState(port));
    const results = b.emit({
      kind: 'recurrence',
      step: stepFunction(
        compiled,
        states.map(([name]) => name),
        elements,
        inputs,
        invariants,
      ),
      shape: context.shape([steps, ...batch]),
      axis: 0,
      reverse: false,
      initial,
      inputs: inputs.map((port) => steppedValue(context, port, steps, batch.length)),
      invariants: invariants.map((port) => invariantValue(context, port, steps)),
    });
    const [finals, trajectories] = [results.slice(0, states.length), results.slice(states.length)];
    return block.emit === 'final' ? finals.map((value) => b.replicate(value, context.shape(batch))) : trajectories;
  },
});

/** Steps are counted by an int. */
const mostSteps = 2 ** 31 - 1;

function formulasOf(block: RecurrenceBlock): (readonly [string, string])[] {
  return Object.entries(block.state).map(([name, { next }]) => [name, next] as const);
}

function stepsOf(
  context: InferContext,
  block: RecurrenceBlock,
  names: readonly string[],
  inputs: readonly Output[],
): AxisSize | undefined {
  const said = block.steps === undefined ? undefined : literalSize(block.steps);
  if (said && said.value > mostSteps && block.emit === 'final')
    return context.fail(`"steps" wants at most ${mostSteps}, got ${said.value}`, {
      port: 'steps',
      wanted: `at most ${mostSteps}`,
      got: String(said.value),
    });
  if (inputs.length === 0) {
    return said ?? context.fail('wants "steps", or "inputs" that give their number', { port: 'steps' });
  }
  const counted = broadcastSizes(inputs.map((input) => input.sizes.slice(0, 1)))?.[0];
  if (!counted)
    return context.fail(
      `its inputs differ in length: ${inputs.map((input, i) => `"${names[i]}" is ${printOutput(input)}`).join(', ')}`,
      { port: 'inputs' },
    );
  if (said && said.value !== counted.value)
    return context.fail(`"steps" is ${said.value}, and its inputs have ${counted.value}`, {
      port: 'steps',
      wanted: String(counted.value),
      got: String(said.value),
      fix: 'leave "steps" out',
    });
  return counted;
}
