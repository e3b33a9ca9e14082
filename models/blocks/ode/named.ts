/** Every formula of an ode block, with the name under which errors and other formulas know it. */
import type { CompiledFormulas } from '../parts/formulas.ts';
import type { Port } from '../../formula/names.ts';
import { delaysIn } from './delays.ts';
import { inputNames, reactionsOf, stateNames, type OdeBlock } from './schema.ts';

export interface BlockFormula {
  readonly output: string;
  readonly text: string;
}

/** The name of a reaction's rate: its own, or one that no state has. */
export function reactionOutput({ name }: { readonly name?: string }, i: number): string {
  return name ?? `reactions.${i}`;
}

/** The name of what a state's reactions are divided by. */
export function perOutput(state: string): string {
  return `${state}.per`;
}

/** The name of what a state was before the start. */
export function historyOutput(state: string): string {
  return `${state}.history`;
}

/** What other formulas may use, and the block gives as an output: named formulas, and rates of named reactions. */
export function namedFormulas(block: OdeBlock): BlockFormula[] {
  return [
    ...Object.entries(block.formulas ?? {}).map(([output, text]) => ({ output, text })),
    ...reactionsOf(block).flatMap(({ name, rate }) => (name === undefined ? [] : [{ output: name, text: rate }])),
  ];
}

export function blockFormulas(block: OdeBlock): BlockFormula[] {
  const states = Object.entries(block.state);
  return [
    ...namedFormulas(block),
    ...states.flatMap(([output, { rate }]) => (rate === undefined ? [] : [{ output, text: rate }])),
    ...states.flatMap(([name, { history }]) =>
      history === undefined ? [] : [{ output: historyOutput(name), text: history }],
    ),
    ...states.flatMap(([name, { per }]) => (per === undefined ? [] : [{ output: perOutput(name), text: per }])),
    ...reactionsOf(block).flatMap((reaction, i) =>
      reaction.name === undefined ? [{ output: reactionOutput(reaction, i), text: reaction.rate }] : [],
    ),
  ];
}

/** Names to which a solution itself gives a value. */
export function ownNames(block: OdeBlock): string[] {
  const { states, inputs } = delaysIn(block);
  return [...stateNames(block), ...inputNames(block), 'time', ...[...states, ...inputs].map(({ name }) => name)];
}

/** The values that enter the rates and are the same at every step. */
export function constantPorts(block: OdeBlock, { ports }: CompiledFormulas): Port[] {
  const own = new Set(ownNames(block));
  return ports.filter((port) => port.kind !== 'name' || !own.has(port.name));
}
